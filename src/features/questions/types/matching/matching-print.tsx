import { fill } from '../../../../lib/failure.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import { PrintedItems } from '../parts/printed-items.tsx'
import type { TypePrint } from '../print-registry.tsx'
import { byText } from './matching-content.ts'
import { copy } from './matching-edit.copy.ts'
import { copy as learnerCopy } from './matching.copy.ts'
import type { MatchingQuestion } from './matching.schema.ts'

export const matchingPrint: TypePrint<'matching'> = {
  PrintedParts: PrintedPairs,
  printedKey({ prompts, options }) {
    const printed = byText(options)
    const letterOf = (optionId: string) => letterOfPart(printed.findIndex(({ id }) => id === optionId))
    return prompts
      .map(({ optionId }, place) => fill(learnerCopy['review.pair'], { n: place + 1, letter: letterOf(optionId) }))
      .join(', ')
  },
}

/** The options by their texts, because the order of the author may be that of the prompts. */
function PrintedPairs({ question }: { question: MatchingQuestion }) {
  const { prompts, options, isReusable } = question
  return (
    <>
      <p className="mt-2 text-sm font-semibold">{copy[isReusable ? 'print.often' : 'print.once']}</p>
      <PrintedItems items={byText(options)} look="none" />
      <PrintedItems items={prompts} look="line" labelOf={(place) => String(place + 1)} />
    </>
  )
}
