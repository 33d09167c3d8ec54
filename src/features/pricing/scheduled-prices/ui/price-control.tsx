import { useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../../lib/money.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { typedKey } from '../../../../platform/unsaved-text-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { copy } from '../scheduled-prices.copy.ts'
import { PriceChangeForm } from './price-change-form.tsx'

/** Opens the change of one course's price where it is shown: now, from a date, or as a sale. */
export function PriceControl({
  courseId,
  title,
  adminId,
  priceCents,
  look,
}: {
  courseId: string
  title: string
  adminId: string
  /** The price on the button; without it the button names the other times. */
  priceCents?: number
  look: 'secondary' | 'quiet'
}) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        look={look}
        className="nums"
        aria-label={priceCents === undefined ? fill(copy['price.control.later.of'], { title }) : undefined}
        onClick={() => setOpen(true)}
      >
        {priceCents === undefined ? (
          copy['price.control.later']
        ) : (
          <>
            {formatDollars(priceCents as Cents)}
            <span className="text-accent underline underline-offset-2">{copy['price.control']}</span>
          </>
        )}
      </Button>
      {isOpen ? (
        <Dialog title={fill(copy['price.control.of'], { title })} isOpen onClose={close}>
          <PriceChangeForm
            which={{ kind: 'some', ids: [courseId] }}
            inDialog={{
              keptAs: typedKey(adminId, `price-change.${courseId}`),
              record: adminPaths.prices(courseId),
              priceCents,
            }}
            onDone={close}
          />
        </Dialog>
      ) : null}
    </>
  )
}
