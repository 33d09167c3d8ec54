/** Apart from the sentences of admins, which the course page does not load. */
export const copy = {
  'review.last':
    'Last reviewed {day}: {n} of {m:question|questions} compared with their sources on that day or in the 12 months before.',
} as const
