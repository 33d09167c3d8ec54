export const copy = {
  'exam.choose': 'Choose {n}',
  'exam.chosen': '{n} chosen',
  'exam.chosen.too-many': '{n} chosen: more than are asked for',
  'exam.strike': 'Strike out answer {letter}',
  'review.suggested': 'Suggested by its source: {letters}.',
  'review.most-voted': 'Most voted for: {letters}.',
} as const
