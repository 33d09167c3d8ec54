import type { AnswerFormProps } from '../type-form.ts'
import { WrittenAnswerForm } from '../written/written-answer-form.tsx'
import { WrittenVerdict } from '../written/written-review.tsx'
import { isAccepted } from './accepted-forms.ts'
import { acceptedTexts, formsHint } from './short-answer-texts.ts'
import type { TypeForm } from '../form-registry.tsx'
import { withoutKeys } from '../written/written-answer-form.tsx'

export const shortAnswerForm: TypeForm<'short-answer'> = { Form: ShortAnswerForm, ...withoutKeys }

/** A field for the text. */
export function ShortAnswerForm(props: AnswerFormProps<'short-answer'>) {
  const { question, answer, revealed, isDisabled, formId, onAnswer } = props
  const isRight = revealed === null ? null : answer !== null && isAccepted(answer.text, revealed)
  return (
    <WrittenAnswerForm
      stem={question.stem}
      text={answer?.text ?? ''}
      isFixed={revealed !== null || isDisabled}
      isRight={isRight}
      formId={formId}
      onText={(typed) => onAnswer(typed === null ? null : { type: 'short-answer', text: typed })}
    >
      {revealed === null ? null : (
        <WrittenVerdict
          given={answer?.text ?? null}
          isRight={isRight}
          right={acceptedTexts(revealed)}
          hint={formsHint(revealed)}
        />
      )}
    </WrittenAnswerForm>
  )
}
