import { useEffect, useRef, useState, type ReactNode } from 'react'
import {
  useLoaderData,
  useLocation,
  useRouteLoaderData,
  useSearchParams,
  type MetaFunction,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CheckIcon, ClockIcon } from '../../../ui/icons.tsx'
import { Heading, Page } from '../../../ui/page-parts.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import type { UserView } from '../../accounts/accounts.schema.ts'
import { takeOutAfterPayment, whenCartIsRead } from '../../cart/cart-client.ts'
import { isNewPayment, storeCoupon, repairMyOrders, verifyPayment } from '../checkout-client.ts'
import { copy } from '../checkout.copy.ts'
import { nextCheckMs, paymentNamedBy } from '../orders.ts'
import type { PaymentResult } from '../checkout.schema.ts'
import { pluralOf } from '../../../lib/text.ts'

export { paymentLoader as loader } from './payment-page-endpoints.server.ts'

/** The page asks again itself while the payment is on its way. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search !== nextUrl.search

export const meta: MetaFunction = () => [{ title: copy['payment.title'] }, { name: 'robots', content: 'noindex' }]

export default function PaymentSuccessPage() {
  const root = useRouteLoaderData('root') as { user: UserView | null } | undefined
  const [search] = useSearchParams()
  const payment = paymentNamedBy(search)
  const verified = useLoaderData<PaymentResult | null>()
  const [round, setRound] = useState(0)
  return (
    <Page width="form">
      {payment === null ? (
        <StatusPage title={copy['payment.nothing.title']} text={copy['payment.nothing.text']} />
      ) : root?.user == null ? (
        <SignInFirst />
      ) : (
        <Payment
          key={`${Object.values(payment).join()} ${round}`}
          query={payment}
          verified={round === 0 ? verified : null}
          isCart={search.get('cart') === 'true'}
          onCheckAgain={() => setRound(round + 1)}
        />
      )}
    </Page>
  )
}

type PaymentQuery = NonNullable<ReturnType<typeof paymentNamedBy>>
type State =
  | { readonly kind: 'verifying' }
  | { readonly kind: 'known'; readonly result: PaymentResult; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly message: string }

function Payment({
  query,
  verified,
  isCart,
  onCheckAgain,
}: {
  query: PaymentQuery
  /** What the server knew when it sent the page. */
  verified: PaymentResult | null
  isCart: boolean
  onCheckAgain: () => void
}) {
  const state = useVerification(query, verified, isCart)
  if (state.kind === 'verifying') return <Verifying />
  if (state.kind === 'failed') return <NotVerified message={state.message} onCheckAgain={onCheckAgain} />
  const { result } = state
  if (result.success) return <Success result={result} />
  if (result.pending) return <Waiting isLast={state.isLast} onCheckAgain={onCheckAgain} />
  const isReturned = result.state === 'refunded' || result.state === 'disputed'
  return (
    <StatusPage
      title={isReturned ? copy['payment.ended.title'] : copy['payment.failed.title']}
      text={isReturned ? copy['payment.ended.text'] : copy['payment.failed.text']}
      action={
        <ButtonLink to={paths.order(result.orderId)} look={isReturned ? 'secondary' : 'primary'}>
          {copy[isReturned ? 'payment.receipt' : 'order.view']}
        </ButtonLink>
      }
    />
  )
}

/** The page's script verifies the payment. Without scripts the page says what it does not know. */
function Verifying() {
  return (
    <>
      <output className="block py-16 text-center text-lg text-soft scriptless:hidden">
        <span aria-hidden="true" className="mx-auto mb-6 block h-1 w-24 animate-pulse rounded-full bg-accent" />
        {copy['payment.verifying']}
      </output>
      <div className="hidden scriptless:block">
        <StatusPage
          title={copy['payment.unsure.title']}
          text={copy['payment.unsure.text']}
          action={<LookAgainLink className="inline-flex" />}
        />
      </div>
    </>
  )
}

/** Loads the page again where no script checks the payment. */
function LookAgainLink({ className }: { className: string }) {
  const { pathname, search } = useLocation()
  return (
    <ButtonLink to={pathname + search} reloadDocument className={className}>
      {copy['payment.look']}
    </ButtonLink>
  )
}

function Success({ result }: { result: PaymentResult }) {
  const { seats } = result
  return (
    <section className="rounded-lg border border-line bg-surface px-6 py-10 text-center sm:px-10">
      <span className="mx-auto mb-5 grid size-14 place-items-center rounded-full bg-good-soft text-good">
        <span className="scale-150">
          <CheckIcon />
        </span>
      </span>
      <Heading className="text-2xl font-semibold">{copy['payment.success.title']}</Heading>
      <div className="mt-6 flex gap-3 border-y border-line py-4 text-left">
        <span className="mt-0.5 text-soft">
          <ClockIcon />
        </span>
        <div>
          <p className="font-semibold">{copy['payment.access']}</p>
          <p className="text-sm text-soft">{copy['payment.access.text']}</p>
        </div>
      </div>
      {seats === 0 ? null : (
        <p className="mt-4 text-left text-sm">
          {fill(copy[pluralOf(seats, 'payment.seats.one', 'payment.seats.many')], { n: seats })}
        </p>
      )}
      <div className="mt-6 flex flex-col gap-2">
        <ButtonLink to={paths.myCourses}>{copy['payment.courses']}</ButtonLink>
        {result.courseSlug === null ? null : (
          <ButtonLink to={paths.course(result.courseSlug)} look="secondary">
            {copy['payment.open']}
          </ButtonLink>
        )}
        <div className="mt-2 flex flex-wrap justify-center gap-x-2">
          <ButtonLink to={paths.order(result.orderId)} look="quiet">
            {copy['payment.receipt']}
          </ButtonLink>
          <ButtonLink to={paths.home} look="quiet">
            {copy['payment.home']}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}

function Waiting({ isLast, onCheckAgain }: { isLast: boolean; onCheckAgain: () => void }) {
  return (
    <StatusPage
      title={copy['payment.waiting.title']}
      text={isLast ? copy['payment.waiting.later'] : copy['payment.waiting.text']}
      action={
        <>
          {isLast ? <Button onClick={onCheckAgain}>{copy['payment.look']}</Button> : null}
          <LookAgainLink className="hidden scriptless:inline-flex" />
        </>
      }
    />
  )
}

function NotVerified({ message, onCheckAgain }: { message: string; onCheckAgain: () => void }) {
  const [result, setResult] = useState<string | null>(null)
  const repair = useMutation(repairMyOrders, {
    onSuccess: ({ fulfilled }) => setResult(copy[fulfilled > 0 ? 'payment.repaired' : 'payment.repaired.none']),
    onFailure: (error) => setResult(messageOf(error)),
  })
  return (
    <StatusPage
      title={copy['payment.unsure.title']}
      text={message}
      action={<Button onClick={onCheckAgain}>{copy['payment.look']}</Button>}
    >
      <div className="mt-6 border-t border-line pt-4">
        <output className="block text-sm text-soft">{result ?? copy['payment.repair.text']}</output>
        <Button look="secondary" {...repair.button} onClick={() => repair.run()} className="mt-3">
          {copy['payment.repair']}
        </Button>
      </div>
    </StatusPage>
  )
}

function SignInFirst() {
  const { pathname, search } = useLocation()
  return (
    <StatusPage
      title={copy['payment.signin.title']}
      text={copy['payment.signin.text']}
      action={
        <ButtonLink to={`${paths.login}?redirect=${encodeURIComponent(pathname + search)}`}>
          {copy['payment.signin']}
        </ButtonLink>
      }
    />
  )
}

/** Any state of the page except success: what happened, what to do next, and a link home. */
function StatusPage({
  title,
  text,
  action,
  children,
}: {
  title: string
  text: string
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <section>
      <Heading className="text-2xl font-semibold">{title}</Heading>
      <output className="mt-3 block">{text}</output>
      <div className="mt-6 flex flex-wrap gap-3">
        {action}
        <ButtonLink to={paths.home} look={action === undefined ? 'primary' : 'secondary'}>
          {copy['payment.home']}
        </ButtonLink>
      </div>
      {children}
    </section>
  )
}

/** Checks the payment until its outcome is known: at once, then with growing delays, then only when the buyer presses. */
function useVerification(query: PaymentQuery, verified: PaymentResult | null, isCart: boolean): State {
  const [state, setState] = useState<State>(
    verified === null ? { kind: 'verifying' } : { kind: 'known', result: verified, isLast: false },
  )
  const first = useRef({ query, verified, isCart })
  useEffect(() => {
    // The server asks the gateway. Leaving the page stops the checks.
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = async (checks: number) => {
      try {
        const known = checks === 0 ? first.current.verified : null
        const result = known ?? (await verifyPayment(first.current.query))
        if (isOver) return
        const pauseMs = result.pending ? nextCheckMs(checks) : null
        setState({ kind: 'known', result, isLast: pauseMs === null })
        if (result.success) void celebrate(result, first.current.isCart)
        if (pauseMs !== null) timer = setTimeout(() => void check(checks + 1), pauseMs)
      } catch (error) {
        if (isOver) return
        const isRefused = error instanceof CallFailed && error.code === 'payment.not-verified'
        setState({ kind: 'failed', message: isRefused ? copy['payment.unsure.text'] : messageOf(error) })
        toast('error', copy['payment.failure.title'], copy['payment.failure.text'])
      }
    }
    void check(0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])
  return state
}

/** Runs once per payment. What was put into the cart since the order was placed stays there. */
async function celebrate({ orderId, lines, isCart: isOfMany }: PaymentResult, isCart: boolean) {
  // The cart is emptied first: a page that is left in between would otherwise record the payment and keep the cart full for
  // good.
  await whenCartIsRead()
  if (!isNewPayment(orderId)) return
  if (isCart) {
    takeOutAfterPayment(lines)
    storeCoupon(null)
  }
  toast('success', copy['payment.success.title'], copy[isOfMany ? 'payment.success.cart' : 'payment.success.single'])
}
