import { error, refused, warning } from '../type-findings.ts'

export const DROP_DOWN_REASONS = {
  'gap-rights-many': refused((about) => `${about} has more than one right choice.`),
  'gap-unknown': refused((about) => `The text has a place [[${about}]], and the question has no gap ${about}.`),
  'gap-twice': refused((about) => `The place [[${about}]] stands in the text more than once.`),
  'gap-unplaced': refused(
    (about) => `Gap ${about} has no place in the text: write [[${about}]] where it stands, outside links and HTML.`,
  ),
} as const

export const DROP_DOWN_REMARKS = {
  'gap-tells-choice': warning(
    'Text tells the right choice',
    (gap: number, text: string) => `The text says the right choice of gap ${gap} itself: ${text}`,
  ),
  'gap-choices-alike': error(
    'Two choices of a gap say the same',
    (gap: number) => `Two choices of gap ${gap} say the same.`,
  ),
  'gaps-unordered': warning(
    'Gaps numbered out of order',
    (numbers: string) => `The gaps are not numbered as they follow in the text: ${numbers}`,
  ),
} as const
