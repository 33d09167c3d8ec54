import { plainText } from '../../../../lib/markdown.ts'
import { remark } from '../../checks/bank-checks.copy.ts'
import { tellingWords, wordsOf } from '../../checks/telling-words.ts'
import { markdownToHtml } from '../../formats/markup/markdown-to-html.ts'
import type { TypeChecks } from '../type-checks.ts'
import { distractorsOf, rightTextOf } from './matching-grading.ts'
import type { MatchingQuestion } from './matching.schema.ts'

export const matchingChecks: TypeChecks<'matching'> = {
  comparedParts: (question) => [
    ...question.prompts.map((prompt) => ({
      text: prompt.text,
      keyValue: shownWords(rightTextOf(question, prompt)),
      isRight: true,
    })),
    ...distractorsOf(question).map(({ text }) => ({ text, keyValue: 'out', isRight: false })),
  ],

  wordingRemarks(question) {
    const options = alikeText(question.options.map(({ text }) => text))
    const prompts = alikeText(question.prompts.map(({ text }) => text))
    const telling = question.prompts.find((prompt) => namesItsOption(question, prompt))
    return [
      ...(options === null ? [] : [remark('options-alike', options)]),
      ...(prompts === null ? [] : [remark('prompts-alike', prompts)]),
      ...(telling === undefined ? [] : [remark('prompt-names-option', telling.text)]),
    ]
  },

  balanceRemarks: () => [],
  cueOptions: () => null,
  kinds: { matching: 'to match' },
  kindOf: () => 'matching',
}

/** Options that are shown alike have the same words, however they are written. */
function shownWords(text: string): string {
  return wordsOf(markdownToHtml(text).replaceAll(/<[^<>]*>/g, ' ')).join(' ')
}

/** A text that says the same as another but for case, marks at its end and how it is set: whoever has one of them may be counted wrong. */
function alikeText(texts: readonly string[]): string | null {
  const bare = texts.map((text) =>
    plainText(text)
      .toLowerCase()
      .replace(/(?<![\s.,;:!?])[\s.,;:!?]+$/, ''),
  )
  return texts.find((_, place) => bare.indexOf(bare[place] ?? '') !== place) ?? null
}

/** Whether a prompt has all telling words of its own option, and those of no other: "Keys of AWS KMS" for "AWS KMS". */
function namesItsOption(question: MatchingQuestion, prompt: MatchingQuestion['prompts'][number]): boolean {
  const said = new Set(tellingWords(wordsOf(prompt.text)))
  const isNamed = (text: string) => {
    const words = tellingWords(wordsOf(text))
    return words.length > 0 && words.every((word) => said.has(word))
  }
  const named = question.options.filter(({ text }) => isNamed(text))
  return named.length === 1 && named[0]?.id === prompt.optionId
}
