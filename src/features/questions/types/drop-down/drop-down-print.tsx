import { fill } from '../../../../lib/failure.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import type { TypePrint } from '../print-registry.tsx'
import { copy } from './drop-down-edit.copy.ts'
import { OptionText } from './drop-down-review.tsx'
import type { DropDownQuestion } from './drop-down.schema.ts'

export const dropDownPrint: TypePrint<'drop-down'> = {
  PrintedParts: PrintedGaps,
  printedKey: ({ gaps }) =>
    gaps.map(({ options }, at) => `${at + 1}: ${letterOfPart(options.findIndex(({ isRight }) => isRight))}`).join(', '),
}

/** For each gap a line to write on and its lettered choices. */
function PrintedGaps({ question }: { question: DropDownQuestion }) {
  return (
    <>
      <p className="mt-2 text-sm font-semibold">{copy['print.task']}</p>
      <ol className="mt-3 space-y-4">
        {question.gaps.map(({ id, options }, at) => (
          <li key={id} className="break-inside-avoid">
            <p className="nums flex items-end gap-3 font-semibold">
              {fill(copy['print.gap'], { n: at + 1 })}
              <span aria-hidden="true" className="h-6 w-10 border-b border-line-strong" />
            </p>
            <ul className="mt-1 space-y-1">
              {options.map((option, place) => (
                <li key={option.id} className="grid grid-cols-[1.75rem_1fr]">
                  <span className="font-semibold">{letterOfPart(place)}</span>
                  <div className="min-w-0">
                    <OptionText text={option.text} />
                  </div>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </>
  )
}
