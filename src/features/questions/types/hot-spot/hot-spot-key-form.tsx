import { Markdown } from '../../../../ui/markdown-text.tsx'
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
    <fieldset>
      <legend className="text-sm font-medium">{copy['key.right']}</legend>
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
          <label
            key={id}
            className="flex gap-3 rounded-md border border-line px-4 py-2.5 has-checked:border-good has-checked:bg-good-soft"
          >
            <input
              type={choiceCount > 1 ? 'checkbox' : 'radio'}
              name="right"
              checked={answerKey.areaIds.includes(id)}
              onChange={() => choose(id)}
              className="mt-0.5 size-5 shrink-0 checked:border-good checked:before:bg-good"
            />
            <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
              {letterOfPart(place)}
            </span>
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
