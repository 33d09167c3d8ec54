import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart, lettersOfParts } from '../parts/part-letters.ts'
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
      <ol className="mt-3 space-y-2">
        {question.areas.map(({ id, text }, place) => (
          <li key={id} className="grid grid-cols-[1.5rem_1.75rem_1fr] items-start">
            <span aria-hidden="true" className="mt-1 size-4 rounded-sm border border-line-strong" />
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
