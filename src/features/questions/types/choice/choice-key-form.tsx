import { Markdown } from '../../../../ui/markdown-text.tsx'
import type { KeyFormProps } from '../type-editor.tsx'
import { copy } from './choice-edit.copy.ts'
import { isMultiple } from './choice-grading.ts'

/** The options of a question, to select those that become the right ones. */
export function ChoiceKeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'choice'>) {
  const { optionIds } = answerKey
  const isMany = isMultiple(question)
  const handleSelect = (id: string, isSelected: boolean) => {
    const others = isMany ? optionIds.filter((one) => one !== id) : []
    // Sorted as in every answer, so that equal keys are equal arrays.
    onChange({ type: 'choice', optionIds: isSelected ? [...others, id].sort() : others })
  }
  return (
    <fieldset>
      <legend className="text-sm font-medium">{copy['key.right']}</legend>
      <div className="mt-2 space-y-2">
        {question.options.map(({ id, text, isRight }) => (
          <label
            key={id}
            className="flex gap-3 rounded-md border border-line px-4 py-2.5 has-checked:border-good has-checked:bg-good-soft"
          >
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name="right"
              checked={optionIds.includes(id)}
              onChange={(event) => handleSelect(id, event.target.checked)}
              className="mt-0.5 size-5 shrink-0 checked:border-good checked:before:bg-good"
            />
            <span className="min-w-0">
              <Markdown text={text} as="phrasing" />
              {isRight ? <span className="mt-1 block text-sm font-semibold text-soft">{copy['key.now']}</span> : null}
            </span>
          </label>
        ))}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
