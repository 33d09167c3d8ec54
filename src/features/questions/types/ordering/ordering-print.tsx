import { fill } from '../../../../lib/failure.ts'
import { lettersOfParts } from '../parts/part-letters.ts'
import { PrintedItems } from '../parts/printed-items.tsx'
import type { TypePrint } from '../print-registry.tsx'
import { copy } from './ordering-edit.copy.ts'
import type { OrderingQuestion } from './ordering.schema.ts'

export const orderingPrint: TypePrint<'ordering'> = {
  PrintedParts: PrintedSteps,
  printedKey: (question) => lettersOfParts(printedItems(question), question.orderedIds),
}

/** The items by their texts: their stored order is the right one. */
function printedItems({ items }: OrderingQuestion): OrderingQuestion['items'] {
  return items.toSorted((one, other) => one.text.localeCompare(other.text))
}

function PrintedSteps({ question }: { question: OrderingQuestion }) {
  const count = question.orderedIds.length
  return (
    <>
      <p className="nums mt-2 text-sm font-semibold">
        {fill(copy[count === question.items.length ? 'print.order' : 'print.select'], { n: count })}
      </p>
      <PrintedItems items={printedItems(question)} look="line" />
    </>
  )
}
