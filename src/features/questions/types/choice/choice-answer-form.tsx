import { useId } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import { PartMark } from '../parts/part-mark.tsx'
import { StrikeButton } from '../parts/strike-button.tsx'
import type { AnswerFormProps } from '../type-form.ts'
import { answerWithOption } from './choice-answering.ts'
import { copy } from './choice.copy.ts'
import { OPTION_FIELD } from './choice-grading.ts'
import type { ChoiceForTaking } from './choice.schema.ts'

/** A question with its options as radio buttons or checkboxes. Once its answer key is shown, nothing can be changed. */
export function ChoiceAnswerForm({
  question,
  answer,
  struck,
  revealed,
  isDisabled,
  formId,
  onAnswer,
  onStrike,
}: AnswerFormProps<'choice'>) {
  const id = useId()
  const selected = answer?.optionIds ?? []
  const isTooMany = selected.length > question.choiceCount
  return (
    <fieldset aria-describedby={question.isMultiple ? `${id}-choose` : undefined} className="min-w-0">
      <legend className="w-full max-w-read text-lg">
        <Markdown text={question.stem} as="phrasing" />
      </legend>
      {question.isMultiple ? (
        <p id={`${id}-choose`} className="nums mt-3 text-sm font-semibold text-accent">
          {fill(copy['exam.choose'], { n: question.choiceCount })}
          <span aria-live="polite" className={isTooMany ? 'text-flag' : 'font-normal text-soft'}>
            {', '}
            {fill(copy[isTooMany ? 'exam.chosen.too-many' : 'exam.chosen'], { n: selected.length })}
          </span>
        </p>
      ) : null}
      <div className="mt-5 space-y-2.5">
        {question.options.map((option, place) => (
          <OptionRow
            key={option.id}
            option={option}
            letter={letterOfPart(place)}
            name={formId === undefined ? id : OPTION_FIELD}
            formId={formId}
            isMultiple={question.isMultiple}
            isSelected={selected.includes(option.id)}
            isStruck={struck.includes(option.id)}
            isFixed={revealed !== null || isDisabled}
            isRight={revealed === null ? null : revealed.rightOptionIds.includes(option.id)}
            onSelect={() => onAnswer(answerWithOption(question, answer, option.id))}
            onStrike={onStrike === null ? null : () => onStrike(option.id)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function OptionRow({
  option,
  letter,
  name,
  formId,
  isMultiple,
  isSelected,
  isStruck,
  isFixed,
  isRight,
  onSelect,
  onStrike,
}: {
  option: ChoiceForTaking['options'][number]
  letter: string
  name: string
  formId: string | undefined
  isMultiple: boolean
  isSelected: boolean
  isStruck: boolean
  isFixed: boolean
  isRight: boolean | null
  onSelect: () => void
  onStrike: (() => void) | null
}) {
  return (
    <div
      className={`flex items-stretch rounded-md border transition-colors duration-150 ${frameOf(isSelected, isRight)}`}
    >
      <label
        className={`flex min-h-14 min-w-0 flex-1 items-start gap-3 px-4 py-3.5 ${isFixed ? '' : 'cursor-pointer'}`}
      >
        <input
          type={isMultiple ? 'checkbox' : 'radio'}
          name={name}
          form={formId}
          value={option.id}
          checked={isSelected}
          disabled={isFixed}
          onChange={onSelect}
          className="mt-1 size-[18px] shrink-0"
        />
        <span aria-hidden="true" className="nums w-4 shrink-0 font-semibold text-soft">
          {letter}
        </span>
        <span className="min-w-0 flex-1">
          <OptionText text={option.text} isStruck={isStruck} />
          {isRight === null ? null : <PartMark isGiven={isSelected} isRight={isRight} />}
        </span>
      </label>
      {isFixed || onStrike === null ? null : (
        <StrikeButton isPressed={isStruck} label={fill(copy['exam.strike'], { letter })} onClick={onStrike} />
      )}
    </div>
  )
}

function OptionText({ text, isStruck }: { text: string; isStruck: boolean }) {
  return (
    <>
      <span className={isStruck ? 'text-soft line-through' : ''}>
        <Markdown text={text} as="phrasing" />
      </span>
      {isStruck ? <span className="sr-only">(struck out)</span> : null}
    </>
  )
}

/** A chosen option is tinted by the style sheet, so that it is also where no script runs. */
const UNDECIDED =
  'border-line-strong bg-surface hover:border-accent has-checked:border-accent has-checked:bg-accent-soft'

function frameOf(isSelected: boolean, isRight: boolean | null): string {
  if (isRight === null) return UNDECIDED
  if (isRight) return 'border-good bg-good-soft'
  return isSelected ? 'border-bad bg-bad-soft' : 'border-line bg-surface'
}
