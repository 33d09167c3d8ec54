import { md5Hex } from '../../../../lib/md5.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import { contentTextOf } from '../parts/content-text.ts'
import { specificationFields } from '../parts/typed-specification.ts'
import type { TypeContent } from '../type-content.ts'
import { idTexts, rightOf } from './drop-down-grading.ts'
import type { DropDownForTaking, DropDownQuestion } from './drop-down.schema.ts'
import { readDropDown } from './drop-down-validation.ts'

export const dropDownContent: TypeContent<'drop-down'> = {
  fingerprint: dropDownFingerprint,
  contentText: contentTextOf,
  copy: copyOfDropDown,
  readBody: readDropDown,
  texts: ({ gaps }) => gaps.flatMap(({ options }) => options.map(({ text }) => text)),
  withTexts: (question, change) => ({
    ...question,
    gaps: question.gaps.map((gap) => ({
      ...gap,
      options: gap.options.map((option) => ({ ...option, text: change(option.text) })),
    })),
  }),
  toSpecification: dropDownToSpecification,
  withoutKey: dropDownWithoutKey,
}

/** Equal for questions with equal stem whose gaps have equal choices in whatever order. */
function dropDownFingerprint({ stem, gaps }: DropDownQuestion): string {
  const said = gaps.map((gap) => [rightOf(gap).text, ...gap.options.map(({ text }) => text).sort()])
  return md5Hex(JSON.stringify(['drop-down', stem, said]))
}

/** A copy under another key with ids of its own. */
function copyOfDropDown(question: DropDownQuestion, id: string): DropDownQuestion {
  const ids = derivePartIds(id, idTexts(question.gaps))
  let next = question.gaps.length
  const gaps = question.gaps.map((gap, at) => ({
    id: ids[at] ?? '',
    options: gap.options.map((option) => ({ ...option, id: ids[next++] ?? '' })),
  }))
  return { ...question, id, gaps }
}

function dropDownToSpecification(question: DropDownQuestion) {
  return {
    ...specificationFields(question),
    type: 'drop-down' as const,
    answer_a: listsOf(question.gaps),
    answer_b: '',
    final_answer: question.gaps.map((gap, at) => `${at + 1}: ${rightOf(gap).text}`).join('\n'),
    body: { gaps: question.gaps },
  }
}

function dropDownWithoutKey({ id, stem, domain, gaps }: DropDownQuestion) {
  const shown = gaps.map((gap) => ({
    id: gap.id,
    options: gap.options.map((option) => ({ id: option.id, text: option.text })),
  }))
  return {
    id,
    type: 'drop-down' as const,
    question: stem,
    domain,
    answer_a: listsOf(shown),
    answer_b: '',
    body: { gaps: shown },
  }
}

function listsOf(gaps: DropDownForTaking['gaps']): string {
  return gaps.map(({ options }, at) => `${at + 1}: ${options.map(({ text }) => text).join(' / ')}`).join('\n')
}
