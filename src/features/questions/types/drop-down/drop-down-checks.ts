import { gapsIn, plainText } from '../../../../lib/markdown.ts'
import { remark } from '../../checks/bank-checks.copy.ts'
import type { ComparedPart, TypeChecks } from '../type-checks.ts'
import { numberedOptions, rightOf } from './drop-down-grading.ts'
import type { DropDownQuestion } from './drop-down.schema.ts'

export const dropDownChecks: TypeChecks<'drop-down'> = {
  comparedParts,

  wordingRemarks({ stem, gaps }) {
    const telling = gaps.findIndex((gap) => isTold(stem, gap))
    const alike = gaps.findIndex(({ options }) => new Set(options.map(({ text }) => bare(text))).size < options.length)
    const places = gapsIn(stem)
    return [
      ...(telling === -1 ? [] : [remark('gap-tells-choice', telling + 1, rightOf(gaps[telling]!).text)]),
      ...(alike === -1 ? [] : [remark('gap-choices-alike', alike + 1)]),
      ...(places.every((number, at) => number === at + 1) ? [] : [remark('gaps-unordered', places.join(', '))]),
    ]
  },

  balanceRemarks: () => [],
  cueOptions: ({ gaps }) => (gaps.length === 1 ? (gaps[0]?.options ?? null) : null),
  kinds: { 'drop-down': 'with gaps to fill from lists' },
  kindOf: () => 'drop-down',
}

/** Choices by their texts: gaps often share a list, and then the key says in which of them a choice is right. */
function comparedParts({ gaps }: DropDownQuestion): ComparedPart[] {
  const all = numberedOptions(gaps)
  return [...new Set(all.map(({ option }) => option.text))].map((text) => {
    const right = all.flatMap(({ number, option }) => (option.text === text && option.isRight ? [number] : []))
    const where = gaps.length === 1 ? 'right' : `right in ${right.join(', ')}`
    return { text, keyValue: right.length === 0 ? 'wrong' : where, isRight: right.length > 0 }
  })
}

/** The text has the words of the right choice, and of no wrong one. */
function isTold(stem: string, gap: DropDownQuestion['gaps'][number]): boolean {
  const words = ` ${bare(stem)} `
  const told = gap.options.filter(({ text }) => bare(text).length > 3 && words.includes(` ${bare(text)} `))
  return told.length === 1 && told[0]?.isRight === true
}

/** A text without case, blanks and marks; code that consists of marks stays. */
function bare(text: string): string {
  const words = plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? text.trim() : words
}
