export const copy = {
  'edit.text': 'must be a text',
  'edit.difficulty': 'must be easy, medium or hard, or empty',
  'edit.flag': 'must be true or false',
  'row.up': 'Move {row} up',
  'row.down': 'Move {row} down',
  'row.remove': 'Remove {row}',
  'part.foreign': 'This does not belong to the question.',
} as const
