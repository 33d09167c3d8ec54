import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
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
      <ol className="mt-3 space-y-1.5">
        {byText(options).map(({ id, text }, place) => (
          <li key={id} className="grid grid-cols-[1.75rem_1fr] items-start">
            <span className="font-semibold">{letterOfPart(place)}</span>
            <div className="min-w-0">
              <Markdown text={text} as="phrasing" />
            </div>
          </li>
        ))}
      </ol>
      <ol className="mt-4 space-y-2">
        {prompts.map(({ id, text }, place) => (
          <li key={id} className="grid grid-cols-[2.5rem_1.75rem_1fr] items-end">
            <span aria-hidden="true" className="mr-3 h-6 border-b border-line-strong" />
            <span className="nums font-semibold">{place + 1}</span>
            <div className="min-w-0">
              <Markdown text={text} as="phrasing" />
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
