export const copy = {
  'exam.no-number': 'This is not read as a number. Write it like 1234.5, 1 234,5 or 1.2e6.',
  'exam.no-number.unit':
    'This is not read as a number in {unit}. Write it like 1234.5, 1 234,5 or 1.2e6, with that unit or without one.',
  'exam.read-as': 'Read as {number}.',
  'exam.point': 'The point is read as a decimal point. For thousands write {thousands}.',
} as const
