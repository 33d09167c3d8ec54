import { KeyFields, KeyOption } from '../parts/key-fields.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import type { KeyFormProps } from '../type-editor.tsx'
import { answerWithOption } from './choice-answering.ts'
import { copy } from './choice-edit.copy.ts'
import { isMultiple } from './choice-grading.ts'

/** The options of a question, to select those that become the right ones. */
export function ChoiceKeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'choice'>) {
  const kind = { isMultiple: isMultiple(question) }
  return (
    <KeyFields legend={copy['key.right']} problem={problem}>
      <div className="mt-2 space-y-2">
        {question.options.map(({ id, text, isRight }, place) => (
          <KeyOption
            key={id}
            {...kind}
            text={text}
            letter={letterOfPart(place)}
            isSelected={answerKey.optionIds.includes(id)}
            former={isRight ? copy['key.now'] : null}
            onSelect={() => onChange(answerWithOption(kind, answerKey, id) ?? { type: 'choice', optionIds: [] })}
          />
        ))}
      </div>
    </KeyFields>
  )
}
