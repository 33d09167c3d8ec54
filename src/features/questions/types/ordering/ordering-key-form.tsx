import { fill } from '../../../../lib/failure.ts'
import { Select } from '../../../../ui/select-field.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { KeyFields } from '../parts/key-fields.tsx'
import type { KeyFormProps } from '../type-editor.tsx'
import { copy } from './ordering-edit.copy.ts'

/** The items of a question, each with the place that it gets. Choosing a place moves the step that has it to the freed one. */
export function OrderingKeyForm({ question, answerKey, problem, onChange }: KeyFormProps<'ordering'>) {
  const { items, orderedIds } = question
  const handlePlace = (id: string, place: number | null) =>
    onChange({ type: 'ordering', itemIds: swapped(answerKey.itemIds, id, place) })
  return (
    <KeyFields legend={copy['key.right']} problem={problem}>
      <ul className="mt-2 space-y-2">
        {items.map(({ id, text }) => {
          const before = orderedIds.indexOf(id)
          const place = answerKey.itemIds.indexOf(id)
          return (
            <li key={id} className="flex items-start gap-3 rounded-md border border-line px-4 py-2.5">
              <Select
                className="w-20 shrink-0"
                aria-label={fill(copy['key.place'], { text })}
                value={place === -1 ? '' : place}
                onChange={(event) => handlePlace(id, event.target.value === '' ? null : Number(event.target.value))}
              >
                {orderedIds.length === items.length ? null : <option value="">{copy['key.out']}</option>}
                {orderedIds.map((_, at) => (
                  <option key={at} value={at}>
                    {at + 1}
                  </option>
                ))}
              </Select>
              <div className="min-w-0 flex-1 pt-2">
                <Markdown text={text} as="phrasing" />
                <span className="mt-1 block text-sm text-soft">
                  {before === -1 ? copy['key.now.out'] : fill(copy['key.now'], { n: before + 1 })}
                </span>
              </div>
            </li>
          )
        })}
      </ul>
    </KeyFields>
  )
}

/** The order after an item got a place: it changes places with the item that had it, so that every place stays taken. */
export function swapped(itemIds: readonly string[], id: string, place: number | null): string[] {
  const from = itemIds.indexOf(id)
  if (place === null) return itemIds.filter((one) => one !== id)
  const other = itemIds[place]
  if (other === undefined) return [...itemIds.filter((one) => one !== id), id]
  const next = itemIds.with(place, id)
  return from === -1 ? next : next.with(from, other)
}
