import { fill } from '../../../../lib/failure.ts'
import { AnswerForm } from '../../../questions/types/form-registry.tsx'
import type { DrillQuestion } from '../../study.schema.ts'
import type { ExplanationSlot } from '../../ui/running-drill.tsx'
import { copy } from '../diagnostic.copy.ts'

/** The questions that were answered right, folded: whoever wants to read their explanations can. */
export function AnsweredRight({
  right,
  renderExplanation,
}: {
  right: readonly DrillQuestion[]
  renderExplanation: ExplanationSlot
}) {
  if (right.length === 0) return null
  return (
    <details className="mt-8">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold text-accent">
        {fill(copy['right.title'], { n: right.length })}
      </summary>
      <ol className="mt-3 divide-y divide-line border-y border-line">
        {right.map(({ place, question, answer, revealed }) => (
          <li key={place} className="py-6">
            <AnswerForm
              question={question}
              answer={answer.answer}
              struck={[]}
              revealed={revealed}
              isDisabled
              onAnswer={() => undefined}
              onStrike={() => undefined}
            />
            {revealed === null ? null : <div className="mt-5">{renderExplanation(revealed, 3)}</div>}
          </li>
        ))}
      </ol>
    </details>
  )
}
