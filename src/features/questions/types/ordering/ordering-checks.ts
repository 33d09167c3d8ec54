import { remark } from '../../checks/bank-checks.copy.ts'
import type { TypeChecks } from '../type-checks.ts'
import { distractorsOf, stepsOf } from './ordering-grading.ts'

/** A number or a word that tells where a step stands: "1. Create", "First, create", "Finally". */
const TELLS_PLACE = /^\s*(?:\d+[.)]\s|(?:first|second|third|then|next|finally|lastly|afterwards?)\b[, ])/i

export const orderingChecks: TypeChecks<'ordering'> = {
  comparedParts: (question) => [
    ...stepsOf(question).map(({ text }, place) => ({ text, keyValue: String(place + 1), isRight: true })),
    ...distractorsOf(question).map(({ text }) => ({ text, keyValue: 'out', isRight: false })),
  ],

  wordingRemarks(question) {
    const telling = question.items.find(({ text }) => TELLS_PLACE.test(text))
    const alike = alikeSteps(stepsOf(question).map(({ text }) => text))
    return [
      ...(telling === undefined ? [] : [remark('step-tells-place', telling.text)]),
      ...(alike === null ? [] : [remark('order-ambiguous', alike)]),
    ]
  },

  balanceRemarks: () => [],
  cueOptions: () => null,
  kinds: { ordering: 'to put into order' },
  kindOf: () => 'ordering',
}

/** A step that says the same as another but for case, blanks and marks: either may stand first. */
function alikeSteps(texts: readonly string[]): string | null {
  const bare = texts.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  )
  return texts.find((_, place) => bare.indexOf(bare[place] ?? '') !== place) ?? null
}
