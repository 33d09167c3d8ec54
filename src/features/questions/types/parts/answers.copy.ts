/** What the forms and reviews of every type say, and what is said of answers that no question takes. */
export const copy = {
  'answer.yours': 'Your answer',
  'answer.right': 'Right answer',
  'answer.type': 'must be the answer to a type of question that exists',
  'answer.parts': 'names more parts than any question of its type has',
  'answer.long': 'has more than 100 characters',
} as const
