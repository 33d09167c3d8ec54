import { KeyFields, KeyOption } from '../parts/key-fields.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import type { KeyFormProps } from '../type-editor.tsx'
import { AreaOverlay } from './area-overlay.tsx'
import { copy } from './hot-spot-edit.copy.ts'
import { answerWithArea, rightAreaIds } from './hot-spot-grading.ts'

/** The areas of a question, to select those that become the right ones. */
export function HotSpotKeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'hot-spot'>) {
  const choiceCount = rightAreaIds(question).length
  const choose = (id: string) =>
    onChange(answerWithArea({ choiceCount }, answerKey, id) ?? { type: 'hot-spot', areaIds: [] })
  return (
    <KeyFields legend={copy['key.right']} problem={problem}>
      <AreaOverlay
        image={question.image}
        width={question.width}
        height={question.height}
        areas={question.areas.map((area, place) => ({
          ...area,
          letter: letterOfPart(place),
          look: answerKey.areaIds.includes(area.id) ? 'right' : 'open',
        }))}
        onChoose={choose}
      />
      <div className="mt-2 space-y-2">
        {question.areas.map(({ id, text, isRight }, place) => (
          <KeyOption
            key={id}
            text={text}
            letter={letterOfPart(place)}
            isMultiple={choiceCount > 1}
            isSelected={answerKey.areaIds.includes(id)}
            former={isRight ? copy['key.now'] : null}
            onSelect={() => choose(id)}
          />
        ))}
      </div>
    </KeyFields>
  )
}
