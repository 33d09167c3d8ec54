import { Link } from 'react-router'
import { Notice } from '../../../../ui/notice.tsx'
import { copy } from '../drafts.copy.ts'

/** What was published just now, and the page where learners see it; null when no learner sees it yet. */
export function Published({ text, seenAt, className }: { text: string; seenAt: string | null; className?: string }) {
  return (
    <Notice tone="good" title={copy['exam.published']} className={className ?? ''}>
      <p>{text}</p>
      {seenAt === null ? null : (
        <Link
          to={seenAt}
          className="inline-flex min-h-8 items-center font-semibold text-accent underline underline-offset-2"
        >
          {copy['exam.published.see']}
        </Link>
      )}
    </Notice>
  )
}
