import { fill } from '../../../../lib/failure.ts'
import { PrintedItems } from '../parts/printed-items.tsx'
import type { TypePrint } from '../print-registry.tsx'
import { copy } from './choice-edit.copy.ts'
import { choiceCount } from './choice-grading.ts'
import { upperLetterAt } from './choice-letters.ts'
import type { ChoiceQuestion } from './choice.schema.ts'

export const choicePrint: TypePrint<'choice'> = {
  PrintedParts: PrintedOptions,
  printedKey: ({ options }) =>
    options.flatMap(({ isRight }, place) => (isRight ? [upperLetterAt(place)] : [])).join(', '),
}

function PrintedOptions({ question }: { question: ChoiceQuestion }) {
  const rightCount = choiceCount(question)
  return (
    <>
      {rightCount > 1 ? (
        <p className="nums mt-2 text-sm font-semibold">{fill(copy['print.choose'], { n: rightCount })}</p>
      ) : null}
      <PrintedItems items={question.options} look="box" />
      <p className="mt-3 flex items-end gap-2 text-sm text-soft">
        {copy['print.answer']} <span className="inline-block h-6 w-32 border-b border-line-strong" />
      </p>
    </>
  )
}
