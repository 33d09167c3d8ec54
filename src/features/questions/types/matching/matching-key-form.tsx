import { fill } from '../../../../lib/failure.ts'
import { plainText } from '../../../../lib/markdown.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { Select } from '../../../../ui/select-field.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import { KeyFields } from '../parts/key-fields.tsx'
import type { KeyFormProps } from '../type-editor.tsx'
import { copy } from './matching-edit.copy.ts'
import { optionFor, rightTextOf } from './matching-grading.ts'
import { copy as learnerCopy } from './matching.copy.ts'
import type { MatchingQuestion, Pair } from './matching.schema.ts'

/** The prompts of a question, each with the option that it gets. Where options are used once, two prompts change theirs. */
export function MatchingKeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'matching'>) {
  const { prompts, options } = question
  const letterOf = (optionId: string) => letterOfPart(options.findIndex(({ id }) => id === optionId))
  return (
    <KeyFields legend={copy['key.right']} problem={problem}>
      <ul className="mt-2 space-y-2">
        {prompts.map((prompt) => (
          <li key={prompt.id} className="rounded-md border border-line px-4 py-2.5">
            <Markdown text={prompt.text} as="phrasing" />
            <Select
              className="mt-2"
              aria-label={fill(copy['key.option'], { text: plainText(prompt.text) })}
              value={optionFor(answerKey.pairs, prompt.id) ?? ''}
              onChange={({ target }) =>
                onChange({ type: 'matching', pairs: exchanged(question, answerKey.pairs, prompt.id, target.value) })
              }
            >
              {options.map(({ id, text }, place) => (
                <option key={id} value={id}>
                  {fill(learnerCopy['exam.option.letter'], { letter: letterOfPart(place), text: plainText(text) })}
                </option>
              ))}
            </Select>
            <span className="mt-1 block text-sm text-soft">
              {fill(copy['key.now'], {
                letter: letterOf(prompt.optionId),
                text: plainText(rightTextOf(question, prompt)),
              })}
            </span>
          </li>
        ))}
      </ul>
    </KeyFields>
  )
}

/** The pairs after a prompt got an option: where options are used once, the prompt that had it gets the former option of this one. */
export function exchanged(
  { isReusable }: Pick<MatchingQuestion, 'isReusable'>,
  pairs: readonly Pair[],
  promptId: string,
  optionId: string,
): Pair[] {
  const former = optionFor(pairs, promptId)
  return pairs.map((pair) => {
    if (pair.promptId === promptId) return { ...pair, optionId }
    return !isReusable && former !== undefined && pair.optionId === optionId ? { ...pair, optionId: former } : pair
  })
}
