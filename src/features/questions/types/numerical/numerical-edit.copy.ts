export const copy = {
  'editor.value': 'Right number',
  'editor.value.hint': 'With a decimal point, such as 0.25.',
  'editor.tolerance': 'Tolerance',
  'editor.tolerance.hint': 'How far from it an answer may be; empty for not at all.',
  'editor.unit': 'Unit',
  'editor.unit.hint': 'Such as GiB or ms; empty for none. Learners see it beside the field and may leave it out.',
  'editor.summary': 'A number: {key}',
  'key.number': 'The right number',
  'key.number.hint': 'Until now {key}. The unit stays as it is.',
  'key.wrong': 'Write a number.',
  'key.tolerance.wrong': 'Write the tolerance as a number that is not below zero.',
} as const

/** What a summary of changes calls the parts that only this type has. */
export const NUMERICAL_PARTS = { unit: 'unit' } as const
