export const copy = {
  'review.wildcard': '* stands for any text.',
  'review.case': 'Upper and lower case must be as written.',
} as const
