import { Button } from './button.tsx'
import { EmptyState } from './page-parts.tsx'

/** Replaces a list that could not be loaded, inside a page that stays. */
export function ListFailure({
  sentence,
  retry,
  isBusy,
  onRetry,
}: {
  sentence: string
  /** The words of the button. */
  retry: string
  isBusy: boolean
  onRetry: () => void
}) {
  return (
    <div role="alert">
      <EmptyState
        title={sentence}
        action={
          <Button aria-busy={isBusy} aria-disabled={isBusy} onClick={isBusy ? undefined : onRetry}>
            {retry}
          </Button>
        }
      />
    </div>
  )
}
