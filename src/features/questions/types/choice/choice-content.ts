import type { TypeContent } from '../type-content.ts'
import { choiceContentText, choiceFingerprint } from './choice-fingerprint.ts'
import { copyOfChoice } from './choice-ids.ts'
import { choiceToSpecification, choiceWithoutKey } from './choice-letters.ts'
import { readChoice } from './choice-validation.ts'

export const choiceContent: TypeContent<'choice'> = {
  fingerprint: choiceFingerprint,
  contentText: choiceContentText,
  copy: copyOfChoice,
  readBody: readChoice,
  texts: ({ options }) => options.map(({ text }) => text),
  withTexts: (question, change) => ({
    ...question,
    options: question.options.map((option) => ({ ...option, text: change(option.text) })),
  }),
  toSpecification: choiceToSpecification,
  withoutKey: choiceWithoutKey,
}
