export const copy = {
  'exam.task': 'Choose for each of the {n:gap|gaps}',
  'exam.task.one': 'Choose for the gap',
  'exam.chosen': '{n} chosen',
  'exam.gap': 'Gap {n}',
  'exam.none': 'Choose…',
  'review.blank': 'no choice',
  'review.yours': 'Your answer: {text}',
  'review.right': 'Right answer: {text}',
  'review.both': 'Your answer, right: {text}',
} as const
