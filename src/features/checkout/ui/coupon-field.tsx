import { useEffect, useRef, useState, type FormEvent } from 'react'
import { fill } from '../../../lib/failure.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import type { CartItem } from '../../cart/cart.schema.ts'
import { describeDiscount, touchesAny } from '../../pricing/quote.ts'
import { storeCoupon, storedCoupon, quoteCart } from '../checkout-client.ts'
import { copy } from '../checkout.copy.ts'
import type { AppliedCoupon } from '../checkout.schema.ts'

export type CouponState = {
  readonly applied: AppliedCoupon | null
  readonly text: string
  readonly problem: string | null
  readonly isBusy: boolean
  write(text: string): void
  /** Returns whether the coupon is applied. */
  apply(): Promise<boolean>
  /** Removes a coupon that the checkout refused, and shows the problem. */
  refuse(problem: string): void
  remove(): void
}

/** The cart's coupon as the server last accepted it. A coupon stored in this browser is checked again. */
export function useCoupon(items: readonly CartItem[]): CouponState {
  const [applied, setApplied] = useState<AppliedCoupon | null>(null)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const refuse = (sentence: string) => {
    setApplied(null)
    setText((now) => now || (applied?.code ?? ''))
    setProblem(sentence)
    storeCoupon(null)
  }
  /** Returns whether the server accepts this code for this cart. */
  const check = (code: string): Promise<boolean> =>
    quoteCart(items, code).then(
      ({ coupon }) => {
        setApplied(coupon)
        setText('')
        storeCoupon(coupon?.code ?? null)
        return coupon !== null
      },
      (error: unknown) => {
        setText(code)
        const refusal = error instanceof CallFailed ? error.problemOf('coupon') : undefined
        if (refusal !== undefined) refuse(refusal)
        // The shop has not said anything about the coupon, which stays stored.
        else setProblem(messageOf(error))
        return false
      },
    )
  const apply = async (): Promise<boolean> => {
    if (text.trim() === '') {
      setProblem(copy['coupon.type'])
      return false
    }
    setBusy(true)
    setProblem(null)
    const isApplied = await check(text)
    setBusy(false)
    return isApplied
  }
  useStoredCoupon(items.length > 0, applied?.code ?? null, check)

  return {
    applied,
    text,
    problem,
    isBusy,
    write: setText,
    apply,
    refuse,
    remove() {
      setApplied(null)
      setProblem(null)
      storeCoupon(null)
    },
  }
}

/** Checks the coupon stored in this browser, once the cart has items; another one is stored when an order refills the cart. */
function useStoredCoupon(isFilled: boolean, applied: string | null, check: (code: string) => Promise<boolean>) {
  const checked = useRef<string | null>(null)
  useEffect(() => {
    if (!isFilled) return
    const stored = storedCoupon()
    if (stored === null || stored === applied || stored === checked.current) return
    checked.current = stored
    void check(stored)
  })
}

/** The field for a coupon code, or the applied coupon with its discount. */
export function CouponField({ coupon, items }: { coupon: CouponState; items: readonly CartItem[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const { applied } = coupon
  // The pressed control disappears, so the focus moves to the frame that shows the result.
  const keepFocus = () => frame.current?.focus()
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (coupon.isBusy) return
    if (await coupon.apply()) keepFocus()
  }
  return (
    <div ref={frame} tabIndex={-1} className="border-t border-line py-4 focus:outline-none">
      {applied === null ? (
        <form onSubmit={(event) => void handleSubmit(event)} noValidate className="flex items-start gap-2">
          <Field
            label={copy['coupon.field']}
            className="min-w-0 flex-1"
            name="coupon"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={coupon.text}
            problem={coupon.problem}
            onChange={(event) => coupon.write(event.target.value)}
          />
          <Button type="submit" look="secondary" className="mt-6" aria-busy={coupon.isBusy}>
            {coupon.isBusy ? copy['coupon.busy'] : copy['coupon.apply']}
          </Button>
        </form>
      ) : (
        <div className="flex items-center justify-between gap-3">
          <output className="min-w-0">
            <span className="block text-sm font-medium break-words">
              {fill(copy['coupon.applied'], { code: applied.code, off: describeDiscount(applied.discount) })}
            </span>
            <CouponReach applied={applied} items={items} />
          </output>
          <Button
            look="quiet"
            className="-mr-4 shrink-0"
            aria-label={fill(copy['coupon.remove.name'], { code: applied.code })}
            onClick={() => (coupon.remove(), keepFocus())}
          >
            {copy['coupon.remove']}
          </Button>
        </div>
      )}
    </div>
  )
}

function CouponReach({ applied, items }: { applied: AppliedCoupon; items: readonly CartItem[] }) {
  const lines = items.map(({ id }) => ({ courseId: id }))
  if (!touchesAny(lines, applied.discount))
    return <span className="block text-sm text-flag">{copy['coupon.applied.none']}</span>
  const isSome = lines.some((line) => !touchesAny([line], applied.discount))
  return isSome ? <span className="block text-sm text-soft">{copy['coupon.applied.some']}</span> : null
}
