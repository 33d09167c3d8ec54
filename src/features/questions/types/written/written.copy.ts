/** What the forms and reviews of written answers say. */
export const copy = {
  'answer.label': 'Your answer',
  'answer.unit': 'in {unit}',
  'answer.right': 'Right answer',
  'answer.accepted': 'Accepted answers',
  'answer.none': 'You gave no answer',
  'print.answer': 'Answer:',
  'statistics.texts': 'Answers',
  'statistics.texts.of': 'Answers to question {n}',
  'statistics.right': 'is right',
  'statistics.all-right': 'Right: {key}',
} as const
