import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { cents } from '../../../../lib/money.ts'
import { messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { copy as checkoutCopy } from '../../checkout.copy.ts'
import { isSettled } from '../../orders.ts'
import { checkOrder, endAccess, endPaymentIssue, resendReceipt } from '../order-admin-client.ts'
import { copy, paymentIssueText } from '../order-admin.copy.ts'
import type { CheckResult, OrderRecord } from '../order-admin.schema.ts'
import { RefundForm } from './refund-form.tsx'

/** The actions that an admin can take on this order in its current state. */
export function OrderActions({ order }: { order: OrderRecord }) {
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<'refund' | 'end' | null>(null)
  /** A new key for each opening of the dialog, so that a repeated submission refunds once. */
  const [refundKey, setRefundKey] = useState('')
  const leftCents = cents(order.totalCents - order.refundedCents)
  const mayEnd = isSettled(order.state) && order.accessEndedAt === null
  const mayRefund = isSettled(order.state) && order.paymentIntent !== null && leftCents > 0
  const handleClose = () => setOpen(null)
  const handleDone = () => {
    setOpen(null)
    void revalidate()
  }
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {mayRefund ? (
        <Button look="secondary" onClick={() => (setRefundKey(crypto.randomUUID()), setOpen('refund'))}>
          {copy['desk.refund']}
        </Button>
      ) : null}
      {mayEnd ? (
        <Button look="secondary" onClick={() => setOpen('end')}>
          {copy['desk.end']}
        </Button>
      ) : null}
      <CallButtons order={order} />
      <Dialog title={copy['desk.refund.title']} isOpen={open === 'refund'} onClose={handleClose}>
        <RefundForm
          key={refundKey}
          refundKey={refundKey}
          order={order}
          leftCents={leftCents}
          onDone={handleDone}
          onCancel={handleClose}
        />
      </Dialog>
      <Dialog title={copy['desk.end.title']} isOpen={open === 'end'} onClose={handleClose}>
        <EndForm order={order} onDone={handleDone} onCancel={handleClose} />
      </Dialog>
    </div>
  )
}

type Call = () => Promise<readonly [title: string, text: string]>

/** The actions that need no dialog. Each shows its result as a toast. */
function CallButtons({ order }: { order: OrderRecord }) {
  const { revalidate } = useRevalidator()
  const { run, button } = useMutation((call: Call) => call(), {
    revalidates: true,
    onSuccess: (sentences) => void toast('success', ...sentences),
    onFailure(error) {
      toast(...toastOf(error))
      void revalidate()
    },
  })
  const handleResend = async () => {
    await resendReceipt(order.id)
    return [copy['desk.resend.done'], fill(copy['desk.resend.done.text'], { email: order.buyer.email })] as const
  }
  const handleCheck = async () => [copy['desk.check.done'], describeCheck(await checkOrder(order.id))] as const
  const handleSettled = async () => {
    await endPaymentIssue(order.id)
    return [copy['desk.over.done'], copy['desk.over.done.text']] as const
  }
  return (
    <>
      {order.paidAt === null ? null : (
        <Button look="secondary" {...button} onClick={() => run(handleResend)}>
          {copy['desk.resend']}
        </Button>
      )}
      <Button look="secondary" {...button} onClick={() => run(handleCheck)}>
        {copy['desk.check']}
      </Button>
      {order.paymentIssue === null ? null : (
        <Button look="secondary" {...button} onClick={() => run(handleSettled)}>
          {copy['desk.over']}
        </Button>
      )}
    </>
  )
}

function EndForm({ order, onDone, onCancel }: { order: OrderRecord; onDone: () => void; onCancel: () => void }) {
  const end = useMutation(() => endAccess(order.id), {
    onSuccess() {
      toast('success', copy['desk.end.done'], copy['desk.end.done.text'])
      onDone()
    },
  })
  return (
    <>
      <DialogBody>
        <p>{copy['desk.end.text']}</p>
      </DialogBody>
      <DialogFooter problem={end.failure === null ? null : messageOf(end.failure)} onCancel={onCancel}>
        <Button look="danger" {...end.button} onClick={() => end.run()}>
          {copy['desk.end.do']}
        </Button>
      </DialogFooter>
    </>
  )
}

function describeCheck({ kind, state, why }: CheckResult): string {
  if (kind === 'order' && state !== null)
    return fill(copy['desk.check.order'], { state: checkoutCopy[`order.state.${state}`] })
  if (kind === 'mismatch' && why !== null) return fill(copy['desk.check.mismatch'], { why: paymentIssueText[why] })
  return kind === 'no-session' ? copy['desk.check.no-session'] : copy['desk.check.unknown']
}
