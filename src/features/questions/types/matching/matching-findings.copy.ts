import { error, refused, warning } from '../type-findings.ts'

export const MATCHING_REASONS = {
  'part-answered-twice': refused(
    (about) => `"${about}" is the right answer twice, and the question says that each is used once.`,
  ),
  'part-unknown': refused((about) => `${about} names an answer that the question does not have.`),
} as const

export const MATCHING_REMARKS = {
  'options-alike': error(
    'Two options to match say the same',
    (text: string) => `Two options say the same, so that a prompt has two right answers: ${text}`,
  ),
  'prompts-alike': error(
    'Two prompts say the same',
    (text: string) => `Two prompts say the same, so that the option of either is right: ${text}`,
  ),
  'prompt-names-option': warning(
    'Prompt names its option',
    (text: string) => `A prompt has the words of its own option and of no other: ${text}`,
  ),
} as const
