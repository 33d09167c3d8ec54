import type { QuestionForReview } from '../../../questions/types/question-types.schema.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { copy } from '../../attempts.copy.ts'

/** The explanation of the right answer, and a link to the provider's page about it. */
export function Explanation({ question, level }: { question: QuestionForReview; level: 3 | 4 }) {
  const Title = level === 3 ? 'h3' : 'h4'
  return (
    <div>
      <Title className="text-sm font-semibold text-soft">{copy.explanation}</Title>
      {question.explanation === '' ? (
        <p className="mt-1 text-soft">{copy['explanation.none']}</p>
      ) : (
        <Markdown text={question.explanation} className="mt-1" />
      )}
      {/^https?:\/\//.test(question.url) ? (
        <p className="mt-2 text-sm">
          <a href={question.url} target="_blank" rel="noreferrer" className="text-accent underline">
            {copy['explanation.source']}
          </a>
        </p>
      ) : null}
    </div>
  )
}
