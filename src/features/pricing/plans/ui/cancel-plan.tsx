import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/client.ts'
import { toast } from '../../../../ui/toasts.tsx'
import { cancelPlan } from '../client.ts'
import { copy } from '../copy.ts'
import type { PlanView } from '../schema.ts'

/** Calls off what is planned, or ends a sale that runs. */
export function CancelPlan({ plan, title, what }: { plan: PlanView; title: string; what: string }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const isRunning = plan.state === 'running'
  const handleCancel = async () => {
    setBusy(true)
    try {
      await cancelPlan(plan.id)
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
