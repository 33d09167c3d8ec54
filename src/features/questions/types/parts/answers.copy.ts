/** What the forms and reviews of every type say. */
export const copy = {
  'answer.yours': 'Your answer',
  'answer.right': 'Right answer',
} as const
