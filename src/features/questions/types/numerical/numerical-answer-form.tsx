import { fill } from '../../../../lib/failure.ts'
import type { AnswerFormProps } from '../type-form.ts'
import { WrittenAnswerForm } from '../written/written-answer-form.tsx'
import { WrittenVerdict } from '../written/written-review.tsx'
import { readQuantity } from './decimal-numbers.ts'
import { isRightNumber, keyLine } from './numerical-grading.ts'
import { copy } from './numerical.copy.ts'

/** A field for the number, with the unit beside it. */
export function NumericalAnswerForm(props: AnswerFormProps<'numerical'>) {
  const { question, answer, revealed, isDisabled, formId, onAnswer } = props
  const text = answer?.text ?? ''
  const isRight = revealed === null ? null : answer !== null && isRightNumber(revealed, text)
  return (
    <WrittenAnswerForm
      stem={question.stem}
      text={text}
      unit={question.unit}
      isNumber
      problem={problemOf(text, question.unit)}
      isFixed={revealed !== null || isDisabled}
      isRight={isRight}
      formId={formId}
      onText={(typed) => onAnswer(typed === null ? null : { type: 'numerical', text: typed })}
    >
      {revealed === null ? null : (
        <WrittenVerdict given={answer?.text ?? null} isRight={isRight} right={[keyLine(revealed)]} />
      )}
    </WrittenAnswerForm>
  )
}

function problemOf(text: string, unit: string): string | null {
  if (text === '' || readQuantity(text, unit) !== null) return null
  return unit === '' ? copy['exam.no-number'] : fill(copy['exam.no-number.unit'], { unit })
}
