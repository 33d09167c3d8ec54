import { useId, useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { plainText } from '../../../../lib/markdown.ts'
import { GripIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { Select } from '../../../../ui/select-field.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import { PartText } from '../parts/part-text.tsx'
import { StrikeButton } from '../parts/strike-button.tsx'
import type { AnswerFormProps } from '../type-form.ts'
import { usePartDrag } from '../parts/use-part-drag.ts'
import { answerWithPair, matchField, optionFor, repeatedOptions } from './matching-grading.ts'
import { PairVerdict } from './matching-review.tsx'
import { copy } from './matching.copy.ts'
import type { MatchingForTaking, Pair } from './matching.schema.ts'
import type { TypeForm } from '../form-registry.tsx'
import { answerWithKeyedOption } from './matching-grading.ts'

export const matchingForm: TypeForm<'matching'> = {
  Form: MatchingAnswerForm,
  answerByKey: answerWithKeyedOption,
  struckByKey: ({ options }, place) => options[place]?.id ?? null,
}

type Props = AnswerFormProps<'matching'>
type Part = MatchingForTaking['prompts'][number]

/**
 * The options with their letters, and the prompts with a list of them each. An option is chosen in the list, by its letter, or by
 * dragging it onto a prompt. Once the answer key is shown, nothing can be changed.
 */
export function MatchingAnswerForm(props: Props) {
  const { question, answer, revealed, isDisabled, onAnswer } = props
  const id = useId()
  const [announcement, setAnnouncement] = useState('')
  const pairs = answer?.pairs ?? []
  const choose = (promptId: string, optionId: string | null, isDragged = false) => {
    const next = answerWithPair(question, answer, promptId, optionId)
    setAnnouncement(sentenceOf(question, { pairs, next: next?.pairs ?? [], promptId, isDragged }))
    onAnswer(next)
  }
  const drag = usePartDrag((optionId, promptId) => choose(promptId, optionId, true))
  const isFixed = revealed !== null || isDisabled
  const shared = { ...props, id, pairs, isFixed, drag, onChoose: choose }
  return (
    <fieldset aria-describedby={`${id}-task`} className="@container min-w-0">
      <legend className="w-full max-w-read text-lg">
        <Markdown text={question.stem} as="phrasing" />
      </legend>
      <p id={`${id}-task`} className="nums mt-3 text-sm font-semibold text-accent">
        {fill(copy[question.isReusable ? 'exam.often' : 'exam.once'], { n: question.prompts.length })}
        <Progress question={question} pairs={pairs} />
      </p>
      <div className="mt-5 grid gap-6 @min-[40rem]:grid-cols-[2fr_3fr]">
        <section aria-label={copy['exam.options']} className="min-w-0">
          <h3 className="mb-2 text-sm font-semibold text-soft">{copy['exam.options']}</h3>
          <ol className="space-y-2.5">
            {question.options.map((option, place) => (
              <OptionRow key={option.id} {...shared} option={option} letter={letterOfPart(place)} />
            ))}
          </ol>
        </section>
        <section aria-label={copy['exam.prompts']} className="min-w-0">
          <h3 className="mb-2 text-sm font-semibold text-soft">{copy['exam.prompts']}</h3>
          <ol className="space-y-2.5">
            {question.prompts.map((prompt, place) => (
              <PromptRow key={prompt.id} {...shared} prompt={prompt} number={place + 1} />
            ))}
          </ol>
        </section>
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  )
}

/** How many prompts have an option, and whether an option has been chosen too often, which can only happen without scripts. */
function Progress({ question, pairs }: { question: MatchingForTaking; pairs: readonly Pair[] }) {
  const [twice] = question.isReusable ? [] : repeatedOptions(pairs)
  return (
    <span aria-live="polite" className={twice === undefined ? 'font-normal text-soft' : 'text-flag'}>
      {', '}
      {twice === undefined
        ? fill(copy['exam.matched'], { n: pairs.length })
        : fill(copy['exam.twice'], { option: letterIn(question.options, twice) })}
    </span>
  )
}

function letterIn(options: readonly Part[], optionId: string): string {
  return letterOfPart(options.findIndex(({ id }) => id === optionId))
}

/**
 * What a screen reader says after a choice that moved an option, or that was made by dragging; nothing after another one, because the
 * list has said its new value.
 */
export function sentenceOf(
  { prompts, options }: MatchingForTaking,
  given: { pairs: readonly Pair[]; next: readonly Pair[]; promptId: string; isDragged: boolean },
): string {
  const { pairs, next, promptId, isDragged } = given
  const numberOf = (id: string) => prompts.findIndex((prompt) => prompt.id === id) + 1
  const n = numberOf(promptId)
  const letter = letterIn(options, optionFor(next, promptId) ?? '')
  const from = pairs.find((pair) => pair.promptId !== promptId && optionFor(next, pair.promptId) === undefined)
  if (from !== undefined) return fill(copy['exam.moved'], { n, letter, from: numberOf(from.promptId) })
  return isDragged ? fill(copy['exam.set'], { n, letter }) : ''
}

type RowProps = Props & {
  readonly id: string
  readonly pairs: readonly Pair[]
  readonly isFixed: boolean
  readonly drag: ReturnType<typeof usePartDrag>
  readonly onChoose: (promptId: string, optionId: string | null) => void
}

function OptionRow(props: RowProps & { readonly option: Part; readonly letter: string }) {
  const { question, struck, isFixed, drag, onStrike, option, letter, pairs } = props
  const isStruck = struck.includes(option.id)
  const used = question.prompts.flatMap(({ id }, place) => (optionFor(pairs, id) === option.id ? [place + 1] : []))
  const isDragged = drag.draggedId === option.id
  return (
    <li
      className={`flex min-h-14 items-stretch rounded-md border border-line-strong bg-surface transition-colors duration-150 ${isDragged ? 'border-accent opacity-60' : ''}`}
    >
      {isFixed ? null : (
        <span {...drag.handleOf(option.id)}>
          <GripIcon />
        </span>
      )}
      <div className="flex min-w-0 flex-1 items-start gap-3 px-2 py-3.5">
        <span aria-hidden="true" className="nums w-4 shrink-0 font-semibold text-soft">
          {letter}
        </span>
        <div className="min-w-0 flex-1">
          <span className="sr-only">{letter}. </span>
          <PartText text={option.text} isStruck={isStruck} />
          {used.length === 0 ? null : (
            <span className="nums mt-1 block text-sm text-soft">
              {fill(copy['exam.used'], { prompts: used.join(', ') })}
            </span>
          )}
        </div>
      </div>
      {isFixed || onStrike === null ? null : (
        <StrikeButton
          isPressed={isStruck}
          label={fill(copy['exam.strike'], { letter })}
          onClick={() => onStrike(option.id)}
        />
      )}
    </li>
  )
}

function PromptRow(props: RowProps & { readonly prompt: Part; readonly number: number }) {
  const { id, revealed, pairs, prompt, number } = props
  const textId = `${id}-prompt-${number}`
  return (
    <li
      data-drop={props.isFixed ? undefined : prompt.id}
      className={`rounded-md border px-4 py-3.5 transition-colors duration-150 ${frameOf(props)}`}
    >
      <div className="flex items-start gap-3">
        <span aria-hidden="true" className="nums w-4 shrink-0 font-semibold text-soft">
          {number}
        </span>
        <div id={textId} className="min-w-0 flex-1">
          <Markdown text={prompt.text} as="phrasing" />
        </div>
      </div>
      <OptionSelect {...props} textId={textId} />
      {revealed === null ? null : (
        <PairVerdict question={revealed} promptId={prompt.id} optionId={optionFor(pairs, prompt.id)} />
      )}
    </li>
  )
}

/** The list of options for a prompt; also what is posted where no script runs. */
function OptionSelect(props: RowProps & { readonly prompt: Part; readonly number: number; readonly textId: string }) {
  const { question, struck, formId, isFixed, id, pairs, prompt, number, textId, onChoose } = props
  const labelId = `${id}-label-${number}`
  return (
    <div className="mt-2.5">
      <span id={labelId} className="sr-only">
        {fill(copy['exam.option'], { n: number })}
      </span>
      <Select
        aria-labelledby={`${labelId} ${textId}`}
        name={formId === undefined ? undefined : matchField(prompt.id)}
        form={formId}
        value={optionFor(pairs, prompt.id) ?? ''}
        disabled={isFixed}
        onChange={({ target }) => onChoose(prompt.id, target.value === '' ? null : target.value)}
      >
        <option value="">{copy['exam.option.none']}</option>
        {question.options.map((option, place) => (
          <option key={option.id} value={option.id}>
            {fill(copy[struck.includes(option.id) ? 'exam.option.struck' : 'exam.option.letter'], {
              letter: letterOfPart(place),
              text: plainText(option.text),
            })}
          </option>
        ))}
      </Select>
    </div>
  )
}

function frameOf({ revealed, drag, pairs, prompt }: RowProps & { readonly prompt: Part }): string {
  const chosen = optionFor(pairs, prompt.id)
  if (revealed !== null)
    return optionFor(revealed.rightPairs, prompt.id) === chosen ? 'border-good bg-good-soft' : 'border-bad bg-bad-soft'
  if (drag.over === prompt.id) return 'border-accent bg-accent-soft outline-2 outline-accent'
  return chosen === undefined ? 'border-line-strong bg-surface' : 'border-accent bg-accent-soft'
}
