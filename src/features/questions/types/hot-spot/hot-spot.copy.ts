export const copy = {
  'exam.task': 'Choose an area of the picture, or its name below',
  'exam.task.many': 'Choose {n:area|areas} of the picture, or their names below',
  'exam.chosen': '{n} chosen',
  'exam.chosen.too-many': '{n} chosen: more than are asked for',
  'exam.strike': 'Strike out area {letter}',
} as const
