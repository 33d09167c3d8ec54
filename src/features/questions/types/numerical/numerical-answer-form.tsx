import { fill } from '../../../../lib/failure.ts'
import type { AnswerFormProps } from '../type-form.ts'
import { usualSigns } from '../written/usual-signs.ts'
import { WrittenAnswerForm } from '../written/written-answer-form.tsx'
import { WrittenVerdict } from '../written/written-review.tsx'
import { printDecimal, readQuantity } from './decimal-numbers.ts'
import { isRightNumber, keyLine } from './numerical-grading.ts'
import { copy } from './numerical.copy.ts'
import type { TypeForm } from '../form-registry.tsx'
import { withoutKeys } from '../written/written-answer-form.tsx'

export const numericalForm: TypeForm<'numerical'> = { Form: NumericalAnswerForm, ...withoutKeys }

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
      note={noteOf(text, question.unit)}
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

/** That the text is no number, or as which one it is read where that is not plain: `1,500` and `1.500` are one number to some, and another to others. */
function noteOf(text: string, unit: string): string | null {
  if (text === '') return null
  const number = readQuantity(text, unit)
  if (number === null) return unit === '' ? copy['exam.no-number'] : fill(copy['exam.no-number.unit'], { unit })
  const read = printDecimal(number)
  const grouped = /^[+-]?([1-9]\d{0,2})\.(\d{3})(?![\d.,])/.exec(usualSigns(text))
  if (grouped !== null) return fill(copy['exam.point'], { thousands: `${grouped[1]}${grouped[2]}` })
  return usualSigns(text).includes(read) ? null : fill(copy['exam.read-as'], { number: read })
}
