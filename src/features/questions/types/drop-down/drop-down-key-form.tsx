import { fill } from '../../../../lib/failure.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { KeyFields } from '../parts/key-fields.tsx'
import type { KeyFormProps } from '../type-editor.tsx'
import { copy } from './drop-down-edit.copy.ts'
import { answerWithPick, pickOf, rightOf } from './drop-down-grading.ts'
import { labelOfOption } from './drop-down-review.tsx'

/** A select for each gap, with what was right until now below it. */
export function DropDownKeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'drop-down'>) {
  return (
    <KeyFields legend={copy['key.right']} problem={problem}>
      <div className="mt-2 space-y-3">
        {question.gaps.map((gap, at) => (
          <div key={gap.id} className="max-w-sm">
            <SelectField
              label={fill(copy['editor.gap'], { n: at + 1 })}
              value={pickOf(answerKey, gap.id) ?? ''}
              onChange={({ target }) => {
                const next = answerWithPick(question, answerKey, gap.id, target.value)
                if (next !== null) onChange(next)
              }}
            >
              {gap.options.map(({ id, text }) => (
                <option key={id} value={id}>
                  {labelOfOption(text)}
                </option>
              ))}
            </SelectField>
            <p className="mt-1 text-sm text-soft">
              {fill(copy['key.now'], { text: labelOfOption(rightOf(gap).text) })}
            </p>
          </div>
        ))}
      </div>
    </KeyFields>
  )
}
