import { md5Hex } from '../../../../lib/md5.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import { contentTextOf } from '../parts/content-text.ts'
import { specificationFields } from '../parts/typed-specification.ts'
import type { TypeContent } from '../type-content.ts'
import { distractorsOf, rightTextOf } from './matching-grading.ts'
import type { MatchingQuestion } from './matching.schema.ts'
import { readMatching } from './matching-validation.ts'

export const matchingContent: TypeContent<'matching'> = {
  fingerprint: matchingFingerprint,
  contentText: contentTextOf,
  copy: copyOfMatching,
  readBody: readMatching,
  texts: ({ prompts, options }) => [...prompts, ...options].map(({ text }) => text),
  withTexts: withMatchingTexts,
  toSpecification: matchingToSpecification,
  withoutKey: matchingWithoutKey,
}

/** Equal for questions with equal stem, equal pairs in whatever order and equal options that no prompt has. */
function matchingFingerprint(question: MatchingQuestion): string {
  const pairs = question.prompts.map((prompt) => JSON.stringify([prompt.text, rightTextOf(question, prompt)])).sort()
  const left = distractorsOf(question)
    .map(({ text }) => text)
    .sort()
  return md5Hex(JSON.stringify(['matching', question.stem, pairs, left, question.isReusable]))
}

/** A copy under another key with ids of its own. */
function copyOfMatching(question: MatchingQuestion, id: string): MatchingQuestion {
  const parts = [...question.prompts, ...question.options]
  const ids = derivePartIds(
    id,
    parts.map(({ text }) => text),
  )
  const next = new Map(parts.map((part, place) => [part.id, ids[place] ?? '']))
  const idOf = (old: string) => next.get(old) ?? ''
  return {
    ...question,
    id,
    prompts: question.prompts.map((prompt) => ({
      ...prompt,
      id: idOf(prompt.id),
      optionId: idOf(prompt.optionId),
    })),
    options: question.options.map((option) => ({ ...option, id: idOf(option.id) })),
  }
}

function withMatchingTexts(question: MatchingQuestion, change: (text: string) => string): MatchingQuestion {
  return {
    ...question,
    prompts: question.prompts.map((prompt) => ({ ...prompt, text: change(prompt.text) })),
    options: question.options.map((option) => ({ ...option, text: change(option.text) })),
  }
}

function matchingToSpecification(question: MatchingQuestion) {
  const { prompts, options, isReusable } = question
  return {
    ...specificationFields(question),
    type: 'matching' as const,
    answer_a: linesOf(prompts),
    answer_b: linesOf(byText(options)),
    final_answer: prompts.map((prompt) => `${prompt.text}: ${rightTextOf(question, prompt)}`).join('\n'),
    body: { prompts, options, isReusable },
  }
}

/** The options by their texts, so that their order says nothing. */
function matchingWithoutKey({ id, stem, domain, prompts, options, isReusable }: MatchingQuestion) {
  const shown = (parts: readonly { readonly id: string; readonly text: string }[]) =>
    parts.map((part) => ({ id: part.id, text: part.text }))
  return {
    id,
    type: 'matching' as const,
    question: stem,
    domain,
    answer_a: linesOf(prompts),
    answer_b: linesOf(byText(options)),
    body: { prompts: shown(prompts), options: shown(byText(options)), isReusable },
  }
}

/** The options by their texts: the order of the author may be that of the prompts. */
export function byText<Part extends { readonly text: string }>(options: readonly Part[]): Part[] {
  return options.toSorted((one, other) => one.text.localeCompare(other.text))
}

function linesOf(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join('\n')
}
