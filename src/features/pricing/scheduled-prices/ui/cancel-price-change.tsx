import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { toast } from '../../../../ui/toasts.tsx'
import { cancelScheduledPrice } from '../scheduled-prices-client.ts'
import { copy } from '../scheduled-prices.copy.ts'
import type { ScheduledPriceView } from '../scheduled-prices.schema.ts'

/** Calls off what is planned, or ends a sale that runs. */
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
  const [isBusy, setBusy] = useState(false)
  const isRunning = scheduledPrice.state === 'running'
  const handleCancel = async () => {
    setBusy(true)
    try {
      await cancelScheduledPrice(scheduledPrice.id)
      toast('success', copy[isRunning ? 'price.ended' : 'price.cancelled'], title)
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
      await revalidate()
    }
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      className="min-h-8 text-sm font-semibold text-accent underline underline-offset-2"
      aria-label={fill(copy[isRunning ? 'price.cancel.sale.of' : 'price.cancel.of'], { title, what })}
      onClick={() => void handleCancel()}
    >
      {copy[isRunning ? 'price.cancel.sale' : 'price.cancel']}
    </button>
  )
}
