import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
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
      <ol className="mt-3 space-y-2">
        {question.options.map(({ id, text }, place) => (
          <li key={id} className="grid grid-cols-[1.5rem_1.75rem_1fr] items-start">
            <span aria-hidden="true" className="mt-1 size-4 rounded-sm border border-line-strong" />
            <span className="font-semibold">{upperLetterAt(place)}</span>
            <div className="min-w-0">
              <Markdown text={text} as="phrasing" />
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-3 flex items-end gap-2 text-sm text-soft">
        {copy['print.answer']} <span className="inline-block h-6 w-32 border-b border-line-strong" />
      </p>
    </>
  )
}
