import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { copy } from '../drafts.copy.ts'
import type { KeptForm } from './use-kept-form.ts'

/** Offers what was typed into the form before and not saved. */
export function KeptFormNotice({
  kept,
  isOlder,
  older = copy['form.kept.older'],
  takeUp,
  discard,
}: Omit<KeptForm, 'kept'> & {
  kept: { readonly at: string | number } | null
  /** What saving does when the stored text has been changed since. */
  older?: string
}) {
  if (kept === null) return null
  return (
    <Notice tone="flag" title={fill(copy['editor.kept'], { at: formatInstant(new Date(kept.at)) })}>
      {isOlder ? <p>{older}</p> : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="secondary" onClick={takeUp}>
          {copy['editor.kept.take']}
        </Button>
        <Button look="secondary" onClick={discard}>
          {copy['editor.kept.discard']}
        </Button>
      </div>
    </Notice>
  )
}
