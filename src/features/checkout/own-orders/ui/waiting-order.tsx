import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { answerPress } from '../../../../ui/answer-press.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { dropOrder, payOrder } from '../../checkout-client.ts'
import { copy } from '../../checkout.copy.ts'

/** Pays or drops an order that waits for its payment. */
export function WaitingOrderActions({
  order: { id, titles },
  onDropped,
  isLarge = false,
}: {
  order: { readonly id: string; readonly titles: readonly string[] }
  onDropped: () => void
  isLarge?: boolean
}) {
  const { revalidate } = useRevalidator()
  const showFailure = (title: string, error: unknown) => {
    toast('error', title, messageOf(error))
    // The order may have been paid or closed meanwhile.
    void revalidate()
  }
  const pay = useMutation(() => payOrder(id), {
    onSuccess: ({ url }) => location.assign(url),
    onFailure: (error) => showFailure(copy['order.pay.failed'], error),
  })
  const drop = useMutation(() => dropOrder(id), {
    revalidates: true,
    onSuccess({ state }) {
      const isDropped = state === 'expired' || state === 'failed'
      if (isDropped) toast('success', copy['order.dropped'], copy['order.dropped.text'])
      else toast('warning', copy['order.dropped.paid'], copy['order.dropped.paid.text'])
      onDropped()
    },
    onFailure: (error) => showFailure(copy['order.drop.failed'], error),
  })
  const named = { titles: titles.join(', ') }
  return (
    <form method="post" action={paths.order(id)} className="flex flex-wrap gap-x-2 gap-y-2" data-print="off">
      <Button
        type="submit"
        name="do"
        value="pay"
        look={isLarge ? 'primary' : 'secondary'}
        {...pay.button}
        aria-label={fill(copy['order.pay.name'], named)}
        onClick={answerPress(() => pay.run())}
      >
        {copy['order.pay']}
      </Button>
      <Button
        type="submit"
        name="do"
        value="drop"
        look="quiet"
        {...drop.button}
        aria-label={fill(copy['order.drop.name'], named)}
        onClick={answerPress(() => drop.run())}
      >
        {copy['order.drop']}
      </Button>
    </form>
  )
}

/** Added to the wait, because the clocks of server and browser run at slightly different speeds. */
const MARGIN_MS = 1000

type Waiting = { readonly payableUntil: string | null; readonly isProcessing: boolean }

/** Loads the page's data again when the first order can no longer be paid, and when its buyer returns to this tab. */
export function useWaitingOrders(orders: readonly Waiting[], now: string | null): void {
  const { revalidate } = useRevalidator()
  const ends = orders.flatMap(({ payableUntil }) => (payableUntil === null ? [] : [Date.parse(payableUntil)]))
  const first = ends.length === 0 ? null : Math.min(...ends)
  const isWaiting = first !== null || orders.some(({ isProcessing }) => isProcessing)
  useEffect(() => {
    // The order ends by the server's clock, and may be paid in another tab.
    if (!isWaiting) return
    const timer =
      first === null || now === null
        ? undefined
        : setTimeout(() => void revalidate(), Math.max(0, first - Date.parse(now)) + MARGIN_MS)
    const handleReturn = () => {
      if (!document.hidden && navigator.onLine) void revalidate()
    }
    document.addEventListener('visibilitychange', handleReturn)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', handleReturn)
    }
  }, [isWaiting, first, now, revalidate])
}
