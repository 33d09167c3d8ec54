import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart, lettersOfParts } from '../parts/part-letters.ts'
import type { TypePrint } from '../print-registry.tsx'
import { copy } from './ordering-edit.copy.ts'
import type { OrderingQuestion } from './ordering.schema.ts'

export const orderingPrint: TypePrint<'ordering'> = {
  PrintedParts: PrintedItems,
  printedKey: (question) => lettersOfParts(printedItems(question), question.orderedIds),
}

/** The items by their texts: their stored order is the right one. */
function printedItems({ items }: OrderingQuestion): OrderingQuestion['items'] {
  return items.toSorted((one, other) => one.text.localeCompare(other.text))
}

function PrintedItems({ question }: { question: OrderingQuestion }) {
  const count = question.orderedIds.length
  return (
    <>
      <p className="nums mt-2 text-sm font-semibold">
        {fill(copy[count === question.items.length ? 'print.order' : 'print.select'], { n: count })}
      </p>
      <ol className="mt-3 space-y-2">
        {printedItems(question).map(({ id, text }, place) => (
          <li key={id} className="grid grid-cols-[2.5rem_1.75rem_1fr] items-end">
            <span aria-hidden="true" className="mr-3 h-6 border-b border-line-strong" />
            <span className="font-semibold">{letterOfPart(place)}</span>
            <div className="min-w-0">
              <Markdown text={text} as="phrasing" />
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
