import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Skeleton } from '../../../../ui/page-parts.tsx'
import { copy } from '../../attempts.copy.ts'

/** In the place of a question that has not arrived. */
export function QuestionLoading() {
  return (
    <div>
      <p className="sr-only">{copy['exam.loading']}</p>
      <Skeleton className="h-5 w-32" />
      <Skeleton className="mt-5 h-20 w-full" />
      {[1, 2, 3, 4].map((line) => (
        <Skeleton key={line} className="mt-3 h-14 w-full" />
      ))}
    </div>
  )
}

/** Without `onRetry` the page tries again by itself. */
export function OpeningFailed({ problem, onRetry }: { problem: string; onRetry?: () => void }) {
  return (
    <Notice tone="bad" title={copy['exam.loading.failed']}>
      <p>{problem}</p>
      {onRetry === undefined ? null : (
        <p className="mt-3">
          <Button look="secondary" onClick={onRetry}>
            {copy['exam.retry']}
          </Button>
        </p>
      )}
    </Notice>
  )
}
