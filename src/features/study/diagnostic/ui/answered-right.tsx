import { fill } from '../../../../lib/failure.ts'
import type { DrillQuestion } from '../../study.schema.ts'
import { AnsweredQuestions } from '../../ui/drill-result.tsx'
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
      <AnsweredQuestions answered={right} renderExplanation={renderExplanation} />
    </details>
  )
}
