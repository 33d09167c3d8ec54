import { fill } from '../../../../lib/failure.ts'
import { letterOfPart, lettersOfParts } from '../parts/part-letters.ts'
import { PrintedItems } from '../parts/printed-items.tsx'
import type { TypePrint } from '../print-registry.tsx'
import { AreaOverlay } from './area-overlay.tsx'
import { copy } from './hot-spot-edit.copy.ts'
import { rightAreaIds } from './hot-spot-grading.ts'
import type { HotSpotQuestion } from './hot-spot.schema.ts'

export const hotSpotPrint: TypePrint<'hot-spot'> = {
  PrintedParts: PrintedAreas,
  printedKey: (question) => lettersOfParts(question.areas, rightAreaIds(question)),
}

function PrintedAreas({ question }: { question: HotSpotQuestion }) {
  return (
    <>
      <p className="nums mt-2 text-sm font-semibold">
        {fill(copy['print.mark'], { n: rightAreaIds(question).length })}
      </p>
      <AreaOverlay
        image={question.image}
        width={question.width}
        height={question.height}
        areas={question.areas.map((area, place) => ({ ...area, letter: letterOfPart(place), look: 'open' }))}
        onChoose={null}
      />
      <PrintedItems items={question.areas} look="box" />
    </>
  )
}
