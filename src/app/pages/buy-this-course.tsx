import { useActionData } from 'react-router'
import { copy } from '../../features/catalogue/catalogue.copy.ts'
import { toDollars, type Cents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { courseAction } from '../page-loaders.server.ts'

/** Buys one course where no script fills a cart. It sends the price that is shown here, so that a change is noticed. */
export function BuyThisCourse({ priceCents, isOwned }: { priceCents: number; isOwned: boolean }) {
  const refused = useActionData<typeof courseAction>()
  return (
    <>
      {refused === undefined ? null : (
        <Notice tone="bad" className="mt-5">
          {refused.failure.message}
        </Notice>
      )}
      <form method="post" className="mt-5 hidden scriptless:block">
        <input type="hidden" name="price" value={toDollars(priceCents as Cents)} />
        <Button type="submit" className="w-full">
          {copy[isOwned ? 'card.extend' : 'course.buy']}
        </Button>
        <p className="mt-2 mb-4 text-sm text-soft">{copy['course.buy.hint']}</p>
      </form>
    </>
  )
}
