import { PARTS } from './registered/registered-parts.ts'

export const copy = {
  'edit.text': 'must be a text',
  'edit.difficulty': 'must be easy, medium or hard, or empty',
  'edit.flag': 'must be true or false',
  'row.up': 'Move {row} up',
  'row.down': 'Move {row} down',
  'row.remove': 'Remove {row}',
  'part.foreign': 'This does not belong to the question.',
} as const

/** What a summary of changes calls the parts of a question that not every type has. */
export const partNames = { type: 'type', options: 'options', key: 'answer key', ...PARTS } as const
