import { useId } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { AnswerOption } from '../parts/answer-option.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import type { AnswerFormProps } from '../type-form.ts'
import { copy } from './choice.copy.ts'
import { OPTION_FIELD } from './choice-grading.ts'
import type { TypeForm } from '../form-registry.tsx'
import { answerWithOption } from './choice-answering.ts'

export const choiceForm: TypeForm<'choice'> = {
  Form: ChoiceAnswerForm,
  answerByKey(question, answer, place) {
    const option = question.options[place]
    return option === undefined ? undefined : answerWithOption(question, answer, option.id)
  },
  struckByKey: ({ options }, place) => options[place]?.id ?? null,
}

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
          <AnswerOption
            key={option.id}
            part={option}
            letter={letterOfPart(place)}
            name={formId === undefined ? id : OPTION_FIELD}
            formId={formId}
            isMultiple={question.isMultiple}
            isSelected={selected.includes(option.id)}
            isStruck={struck.includes(option.id)}
            isFixed={revealed !== null || isDisabled}
            isRight={revealed === null ? null : revealed.rightOptionIds.includes(option.id)}
            strikeLabel={fill(copy['exam.strike'], { letter: letterOfPart(place) })}
            onSelect={(optionId) => onAnswer(answerWithOption(question, answer, optionId))}
            onStrike={onStrike}
          />
        ))}
      </div>
    </fieldset>
  )
}
