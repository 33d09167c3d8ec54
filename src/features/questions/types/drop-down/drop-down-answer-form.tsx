import { useId } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { Select } from '../../../../ui/select-field.tsx'
import type { AnswerFormProps } from '../type-form.ts'
import { answerWithPick, gapField, pickOf } from './drop-down-grading.ts'
import { GapLists, GapVerdict, labelOfOption } from './drop-down-review.tsx'
import { copy } from './drop-down.copy.ts'
import type { TypeForm } from '../form-registry.tsx'

/** A key would have to name a gap and a choice, and the arrows change the select that has the focus. */
export const dropDownForm: TypeForm<'drop-down'> = {
  Form: DropDownAnswerForm,
  answerByKey: () => undefined,
  struckByKey: () => null,
}

/** The text with a select in the place of each gap. Once the answer key is shown, nothing can be changed. */
export function DropDownAnswerForm(props: AnswerFormProps<'drop-down'>) {
  const { question, answer, revealed } = props
  const id = useId()
  const count = question.gaps.length
  return (
    <fieldset aria-describedby={`${id}-chosen`} className="min-w-0">
      <legend className="nums text-sm font-semibold text-accent">
        {count === 1 ? copy['exam.task.one'] : fill(copy['exam.task'], { n: count })}
        <span id={`${id}-chosen`} aria-live="polite" className="font-normal text-soft">
          , {fill(copy['exam.chosen'], { n: answer?.picks.length ?? 0 })}
        </span>
      </legend>
      <Markdown
        text={question.stem}
        className="mt-3 max-w-read text-lg"
        renderGap={(number) =>
          revealed === null ? (
            <GapSelect {...props} number={number} />
          ) : (
            <GapVerdict question={revealed} answer={answer} number={number} />
          )
        }
      />
      {revealed === null ? null : <GapLists question={revealed} answer={answer} />}
    </fieldset>
  )
}

/** The choices of a gap; also what is posted where no script runs. */
function GapSelect(props: AnswerFormProps<'drop-down'> & { readonly number: number }) {
  const { question, answer, formId, isDisabled, onAnswer, number } = props
  const gap = question.gaps[number - 1]
  if (gap === undefined) return null
  return (
    <span className="my-1 inline-flex max-w-full align-middle font-sans">
      <Select
        className="min-w-0 max-w-full"
        aria-label={fill(copy['exam.gap'], { n: number })}
        name={formId === undefined ? undefined : gapField(gap.id)}
        form={formId}
        value={pickOf(answer, gap.id) ?? ''}
        disabled={isDisabled}
        onChange={({ target }) =>
          onAnswer(answerWithPick(question, answer, gap.id, target.value === '' ? null : target.value))
        }
      >
        <option value="">{copy['exam.none']}</option>
        {gap.options.map(({ id, text }) => (
          <option key={id} value={id}>
            {labelOfOption(text)}
          </option>
        ))}
      </Select>
    </span>
  )
}
