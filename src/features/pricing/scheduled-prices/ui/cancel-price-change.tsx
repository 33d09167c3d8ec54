import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { cancelScheduledPrice } from '../scheduled-prices-client.ts'
import { copy } from '../scheduled-prices.copy.ts'
import type { ScheduledPriceView } from '../scheduled-prices.schema.ts'

/** Cancels a scheduled price, or ends a running sale. */
export function CancelScheduledPrice({
  scheduledPrice,
  title,
  what,
}: {
  scheduledPrice: ScheduledPriceView
  title: string
  what: string
}) {
  const { revalidate } = useRevalidator()
  const isRunning = scheduledPrice.state === 'running'
  const cancel = useMutation(() => cancelScheduledPrice(scheduledPrice.id), {
    revalidates: true,
    onSuccess: () => void toast('success', copy[isRunning ? 'price.ended' : 'price.cancelled'], title),
    onFailure(error) {
      toast(...toastOf(error))
      // It may be over already: then the page is outdated.
      void revalidate()
    },
  })
  return (
    <button
      type="button"
      {...cancel.button}
      className="min-h-8 text-sm font-semibold text-accent underline underline-offset-2"
      aria-label={fill(copy[isRunning ? 'price.cancel.sale.of' : 'price.cancel.of'], { title, what })}
      onClick={() => cancel.run()}
    >
      {copy[isRunning ? 'price.cancel.sale' : 'price.cancel']}
    </button>
  )
}
