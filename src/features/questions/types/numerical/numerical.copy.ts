export const copy = {
  'exam.no-number': 'This is not read as a number.',
  'exam.no-number.unit': 'This is not read as a number in {unit}.',
} as const
