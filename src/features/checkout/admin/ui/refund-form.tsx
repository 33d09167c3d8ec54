import { useState, type FormEvent } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { formatDollars, parseDollars, toDollars, type Cents } from '../../../../lib/money.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Choice } from '../../../../ui/choice.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Field } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { refundOrder } from '../order-admin-client.ts'
import { copy } from '../order-admin.copy.ts'
import type { OrderRecord } from '../order-admin.schema.ts'

type Refund = { readonly amount: Cents; readonly isRest: boolean; readonly endAccess: boolean }

type RefundFormProps = {
  refundKey: string
  order: OrderRecord
  leftCents: Cents
  onDone: () => void
  onCancel: () => void
}

/** Refunds the rest of an order or a part of it. A partial refund may end access, too. */
export function RefundForm(props: RefundFormProps) {
  const { order, leftCents, onCancel } = props
  const { isWhole, setWhole, text, setText, isEnding, setEnding, ...form } = useRefundForm(props)
  return (
    <form onSubmit={form.handleSubmit} noValidate className="flex min-h-0 flex-col">
      <DialogBody>
        <p className="break-words">{fill(copy['desk.refund.text'], { email: order.buyer.email })}</p>
        <AmountChoice isWhole={isWhole} leftCents={leftCents} onChoose={setWhole} />
        {isWhole ? null : (
          <Field
            label={copy['desk.refund.amount']}
            className="mt-2 max-w-60"
            inputMode="decimal"
            autoComplete="off"
            value={text}
            problem={form.amountProblem}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {form.isRest ? (
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
      </DialogBody>
      <DialogFooter problem={form.failure === null ? null : messageOf(form.failure)} onCancel={onCancel}>
        <Button type="submit" look="danger" {...form.button}>
          {form.isBusy
            ? copy['desk.refund.busy']
            : fill(copy['desk.refund.do'], { amount: form.amount === null ? '' : formatDollars(form.amount) })}
        </Button>
      </DialogFooter>
    </form>
  )
}

function useRefundForm({ refundKey, order, leftCents, onDone }: RefundFormProps) {
  const [isWhole, setWhole] = useState(true)
  const [text, setText] = useState('')
  const [isEnding, setEnding] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const { run, reset, failure, isBusy, button } = useMutation(
    ({ amount, isRest, endAccess }: Refund) =>
      refundOrder(order.id, { amount: isRest ? null : toDollars(amount), endAccess, key: refundKey }),
    {
      onSuccess(_reply, { amount }) {
        const money = formatDollars(amount)
        toast('success', copy['desk.refund.done'], fill(copy['desk.refund.done.text'], { amount: money }))
        onDone()
      },
    },
  )
  const entered = isWhole ? leftCents : parseDollars(text)
  const amount = entered !== null && entered > 0 ? entered : null
  const isRest = isWhole || amount === leftCents
  const fieldProblem = failure instanceof CallFailed ? failure.problemOf('amount') : undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setRefused(amount === null)
    if (amount === null) reset()
    else run({ amount, isRest, endAccess: !isRest && isEnding })
  }
  return {
    isWhole,
    setWhole,
    text,
    setText,
    isEnding,
    setEnding,
    amount,
    isRest,
    amountProblem: isRefused ? copy['desk.refund.amount.bad'] : fieldProblem,
    failure: fieldProblem === undefined ? failure : null,
    isBusy,
    button,
    handleSubmit,
  }
}

function AmountChoice({
  isWhole,
  leftCents,
  onChoose,
}: {
  isWhole: boolean
  leftCents: Cents
  onChoose: (isWhole: boolean) => void
}) {
  return (
    <fieldset className="mt-4 space-y-2">
      <legend className="sr-only">{copy['desk.refund.amount']}</legend>
      <Choice type="radio" name="how-much" checked={isWhole} onChange={() => onChoose(true)}>
        <span className="nums">{fill(copy['desk.refund.all'], { amount: formatDollars(leftCents) })}</span>
      </Choice>
      <Choice type="radio" name="how-much" checked={!isWhole} onChange={() => onChoose(false)}>
        {copy['desk.refund.some']}
      </Choice>
    </fieldset>
  )
}
