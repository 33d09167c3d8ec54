export const copy = {
  'edit.text': 'must be a text',
  'edit.difficulty': 'must be easy, medium or hard, or empty',
  'edit.flag': 'must be true or false',
} as const
