import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { cents, formatDollars, parseDollars, toDollars, type Cents } from '../../../../lib/money.ts'
import { CallFailed, messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { copy as checkoutCopy } from '../../checkout.copy.ts'
import { isSettled } from '../../orders.ts'
import { checkOrder, endAccess, endPaymentIssue, refundOrder, resendReceipt } from '../order-admin-client.ts'
import { copy, paymentIssueText } from '../order-admin.copy.ts'
import type { Checked, OrderRecord } from '../order-admin.schema.ts'

/** What an admin can do with this order as it stands. */
export function OrderActions({ order }: { order: OrderRecord }) {
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<'refund' | 'end' | null>(null)
  /** Another one each time the dialog opens: a wish is asked for once. */
  const [wishKey, setWishKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const leftCents = cents(order.totalCents - order.refundedCents)
  const mayEnd = isSettled(order.state) && order.accessEndedAt === null
  const mayRefund = isSettled(order.state) && order.paymentIntent !== null && leftCents > 0

  const run = async (work: () => Promise<readonly [string, string]>) => {
    setBusy(true)
    try {
      toast('success', ...(await work()))
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
      await revalidate()
    }
  }
  const handleResend = () =>
    run(async () => {
      await resendReceipt(order.id)
      return [copy['desk.resend.done'], fill(copy['desk.resend.done.text'], { email: order.buyer.email })]
    })
  const handleCheck = () => run(async () => [copy['desk.check.done'], describeCheck(await checkOrder(order.id))])
  const handleOver = () =>
    run(async () => {
      await endPaymentIssue(order.id)
      return [copy['desk.over.done'], copy['desk.over.done.text']]
    })
  const handleClose = () => setOpen(null)
  const handleDone = async () => {
    setOpen(null)
    await revalidate()
  }
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {mayRefund ? (
        <Button look="secondary" disabled={isBusy} onClick={() => (setWishKey(crypto.randomUUID()), setOpen('refund'))}>
          {copy['desk.refund']}
        </Button>
      ) : null}
      {mayEnd ? (
        <Button look="secondary" disabled={isBusy} onClick={() => setOpen('end')}>
          {copy['desk.end']}
        </Button>
      ) : null}
      {order.paidAt === null ? null : (
        <Button look="secondary" disabled={isBusy} onClick={() => void handleResend()}>
          {copy['desk.resend']}
        </Button>
      )}
      <Button look="secondary" disabled={isBusy} onClick={() => void handleCheck()}>
        {copy['desk.check']}
      </Button>
      {order.paymentIssue === null ? null : (
        <Button look="secondary" disabled={isBusy} onClick={() => void handleOver()}>
          {copy['desk.over']}
        </Button>
      )}
      <Dialog title={copy['desk.refund.title']} isOpen={open === 'refund'} onClose={handleClose}>
        <RefundForm
          key={wishKey}
          wishKey={wishKey}
          order={order}
          leftCents={leftCents}
          onDone={() => void handleDone()}
        />
      </Dialog>
      <Dialog title={copy['desk.end.title']} isOpen={open === 'end'} onClose={handleClose}>
        <EndForm order={order} onDone={() => void handleDone()} />
      </Dialog>
    </div>
  )
}

function RefundForm({
  wishKey,
  order,
  leftCents,
  onDone,
}: {
  wishKey: string
  order: OrderRecord
  leftCents: Cents
  onDone: () => void
}) {
  const [isWhole, setWhole] = useState(true)
  const [text, setText] = useState('')
  const [isEnding, setEnding] = useState(false)
  const [problem, setProblem] = useState<{ field: string | null; form: string | null }>({ field: null, form: null })
  const [isBusy, setBusy] = useState(false)
  const amount = isWhole ? leftCents : parseDollars(text)
  const isAmount = amount !== null && amount > 0
  const isLast = isWhole || amount === leftCents

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (!isAmount) return setProblem({ field: copy['desk.refund.amount.bad'], form: null })
    setProblem({ field: null, form: null })
    setBusy(true)
    try {
      await refundOrder(order.id, {
        amount: isLast ? null : toDollars(amount),
        endAccess: !isLast && isEnding,
        key: wishKey,
      })
      toast('success', copy['desk.refund.done'], fill(copy['desk.refund.done.text'], { amount: formatDollars(amount) }))
      onDone()
    } catch (error) {
      const field = error instanceof CallFailed ? (error.problemOf('amount') ?? null) : null
      setProblem({ field, form: field === null ? messageOf(error) : null })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)} noValidate className="overflow-y-auto p-5">
      <p className="break-words">{fill(copy['desk.refund.text'], { email: order.buyer.email })}</p>
      <fieldset className="mt-4 space-y-2">
        <legend className="sr-only">{copy['desk.refund.amount']}</legend>
        <Choice type="radio" name="how-much" checked={isWhole} onChange={() => setWhole(true)}>
          <span className="nums">{fill(copy['desk.refund.all'], { amount: formatDollars(leftCents) })}</span>
        </Choice>
        <Choice type="radio" name="how-much" checked={!isWhole} onChange={() => setWhole(false)}>
          {copy['desk.refund.some']}
        </Choice>
      </fieldset>
      {isWhole ? null : (
        <Field
          label={copy['desk.refund.amount']}
          className="mt-2 max-w-60"
          inputMode="decimal"
          autoComplete="off"
          value={text}
          problem={problem.field}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {isLast ? (
        <p className="mt-4 text-sm text-soft">{copy['desk.refund.whole']}</p>
      ) : order.accessEndedAt === null ? (
        <Choice
          type="checkbox"
          className="mt-4"
          checked={isEnding}
          onChange={(event) => setEnding(event.target.checked)}
        >
          {copy['desk.refund.end']}
        </Choice>
      ) : null}
      {problem.form === null ? null : (
        <Notice tone="bad" className="mt-4">
          {problem.form}
        </Notice>
      )}
      <Button type="submit" look="danger" className="mt-6 w-full" aria-busy={isBusy}>
        {isBusy
          ? copy['desk.refund.busy']
          : fill(copy['desk.refund.do'], { amount: isAmount ? formatDollars(amount) : '' })}
      </Button>
    </form>
  )
}

function EndForm({ order, onDone }: { order: OrderRecord; onDone: () => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleEnd = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await endAccess(order.id)
      toast('success', copy['desk.end.done'], copy['desk.end.done.text'])
      onDone()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="p-5">
      <p>{copy['desk.end.text']}</p>
      {problem === null ? null : (
        <Notice tone="bad" className="mt-4">
          {problem}
        </Notice>
      )}
      <Button look="danger" className="mt-6 w-full" aria-busy={isBusy} onClick={() => void handleEnd()}>
        {copy['desk.end.do']}
      </Button>
    </div>
  )
}

function describeCheck({ kind, state, why }: Checked): string {
  if (kind === 'order' && state !== null)
    return fill(copy['desk.check.order'], { state: checkoutCopy[`order.state.${state}`] })
  if (kind === 'mismatch' && why !== null) return fill(copy['desk.check.mismatch'], { why: paymentIssueText[why] })
  return kind === 'no-session' ? copy['desk.check.no-session'] : copy['desk.check.unknown']
}
