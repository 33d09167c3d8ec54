import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.server.ts'
import { mountOf, replyPage, serveStylesheet } from '../../emulator-layout.server.ts'
import { inTransaction } from '../../emulator-storage.server.ts'
import { readSwitches, SwitchChange, turnSwitches } from './gateway-switches.server.ts'
import {
  answerConfirmation,
  expireDue,
  findPayment,
  moveDispute,
  payByBankDebit,
  payByCard,
  settle,
  type Ledger,
  type PayOutcome,
} from '../gateway-ledger.server.ts'
import { readCard, type CardForm } from '../payment-cards.server.ts'
import type { Delivery, EventRow } from '../gateway-events.server.ts'
import { closedPage, confirmPage, overviewPage, payPage, unknownPage, type PayForm } from './gateway-markup.server.ts'
import { offeredMethods, type Payment } from '../card-payment.server.ts'

const MAX_BODY_BYTES = 32 * 1024

/** The hosted page, the switches and the ways in which a test moves the gateway. */
export function createGatewayPages(options: {
  pool: Pool
  clock: Clock
  merchant: string
  delivery: Delivery
  changed: () => void
}): Hono {
  const { pool, clock, merchant, delivery, changed } = options
  const pages = new Hono()
  serveStylesheet(pages)
  const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json({ error: 'The body is too large.' }, 413) })
  pages.use('/pay/*', limit)
  pages.use('/gateway/*', limit)

  async function inLedger<T>(work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const result = await inTransaction(pool, async (tx) => {
      const ledger = { tx, clock, cause: null }
      await expireDue(ledger)
      return work(ledger)
    })
    changed()
    return result
  }

  async function showPay(c: Context, payment: Payment, form: PayForm): Promise<Response> {
    const base = mountOf(c, '/pay/')
    const switches = await readSwitches(pool)
    return replyPage(c, payPage({ payment, merchant, base, switches, form }), { formTargets: returnTargets(payment) })
  }

  /** What the buyer sees next: the shop again, the extra step, the form with its problem, or that it is over. */
  async function follow(c: Context, outcome: PayOutcome, payment: Payment, form: PayForm): Promise<Response> {
    if (outcome.kind === 'paid') return c.redirect(successAddress(payment), 303)
    if (outcome.kind === 'confirm') return c.redirect(`${mountOf(c, '/pay/')}/pay/${payment.id}/confirm`, 303)
    if (outcome.kind === 'declined') return showPay(c, payment, { ...form, decline: outcome.message })
    return showClosed(c, payment)
  }

  function showClosed(c: Context, payment: Payment): Promise<Response> {
    return replyPage(c, closedPage({ payment, merchant, base: mountOf(c, '/pay/') }))
  }

  async function withSession(c: Context, work: (payment: Payment) => Response | Promise<Response>): Promise<Response> {
    const id = c.req.param('sessionId') ?? ''
    const payment = await inLedger((ledger) => findPayment(ledger.tx, id))
    if (payment === null) return replyPage(c, unknownPage(mountOf(c, '/pay/')), { status: 404 })
    return work(payment)
  }

  pages.get('/pay/:sessionId', (c) =>
    withSession(c, (payment) =>
      payment.status === 'open' ? showPay(c, payment, emptyForm(payment)) : showClosed(c, payment),
    ),
  )

  pages.post('/pay/:sessionId', (c) =>
    withSession(c, async (payment) => {
      if (payment.status !== 'open') return showClosed(c, payment)
      const body = await c.req.parseBody()
      const field = (name: string) => textOf(body[name]).slice(0, 500)
      const form: PayForm = {
        method: methodOf(payment, field('method')),
        email: field('email'),
        card: {
          number: field('card_number'),
          expiry: field('expiry'),
          cvc: field('cvc'),
          holder: field('name'),
        },
        problems: {},
        decline: null,
      }
      const email = form.email.trim() === '' ? null : form.email.trim()
      if (form.method === 'bank') {
        const outcome = await inLedger((ledger) => payByBankDebit(ledger, payment.id, { email }))
        return follow(c, outcome ?? { kind: 'closed', status: 'expired' }, payment, form)
      }
      const read = readCard(form.card, clock.now())
      if ('problems' in read) return showPay(c, payment, { ...form, problems: read.problems })
      const outcome = await inLedger((ledger) => payByCard(ledger, payment.id, { card: read.card, email }))
      return follow(c, outcome ?? { kind: 'closed', status: 'expired' }, payment, form)
    }),
  )

  pages.get('/pay/:sessionId/confirm', (c) =>
    withSession(c, (payment) => {
      if (payment.status !== 'open') return showClosed(c, payment)
      const base = mountOf(c, '/pay/')
      if (payment.intent?.status !== 'requires_action') return c.redirect(`${base}/pay/${payment.id}`, 303)
      return replyPage(c, confirmPage({ payment, merchant, base }), { formTargets: returnTargets(payment) })
    }),
  )

  pages.post('/pay/:sessionId/confirm', (c) =>
    withSession(c, async (payment) => {
      const body = await c.req.parseBody()
      const isConfirmed = textOf(body['answer']) === 'complete'
      const outcome = await inLedger((ledger) => answerConfirmation(ledger, payment.id, isConfirmed))
      return follow(c, outcome ?? { kind: 'closed', status: 'expired' }, payment, emptyForm(payment))
    }),
  )

  pages.get('/gateway', async (c) => {
    const base = mountOf(c, '/gateway')
    const sessions = await pool.query<{ payment: unknown }>(
      'select payment from demo.gateway_session order by seq desc limit 20',
    )
    const events = await pool.query<EventRow>(
      `select type, state, attempts, session_id as "sessionId", last_answer as "lastAnswer"
       from demo.gateway_event order by seq desc limit 40`,
    )
    const switches = await readSwitches(pool)
    return replyPage(c, overviewPage({ base, switches, payments: sessions.rows, events: events.rows }))
  })

  pages.get('/gateway/switches', async (c) => c.json(await readSwitches(pool)))

  pages.post('/gateway/switches', async (c) => {
    const { fields, back } = await readOrder(c)
    const change = SwitchChange.safeParse(fields)
    if (!change.success) return refuse(c, change.error)
    const switches = await turnSwitches(pool, change.data)
    changed()
    return back === null ? c.json(switches) : c.redirect(back, 303)
  })

  pages.post('/gateway/deliver', async (c) => {
    const { back } = await readOrder(c)
    const result = await delivery.deliverAll()
    return back === null ? c.json(result) : c.redirect(back, 303)
  })

  pages.post('/gateway/settle', async (c) => {
    const { fields, back } = await readOrder(c)
    const order = SettleOrder.safeParse(fields)
    if (!order.success) return refuse(c, order.error)
    const isSettled = await inLedger((ledger) => settle(ledger, order.data.sessionId, order.data.outcome))
    return moved(c, isSettled, 'This payment is not waiting for its money.', back)
  })

  pages.post('/gateway/dispute', async (c) => {
    const { fields, back } = await readOrder(c)
    const order = DisputeOrder.safeParse(fields)
    if (!order.success) return refuse(c, order.error)
    const isMoved = await inLedger((ledger) => moveDispute(ledger, order.data.sessionId, order.data.outcome))
    return moved(c, isMoved, 'The state of this payment does not allow that.', back)
  })

  return pages
}

const SettleOrder = z.strictObject({ sessionId: z.string().min(1), outcome: z.enum(['settles', 'fails']) })
const DisputeOrder = z.strictObject({
  sessionId: z.string().min(1),
  outcome: z.enum(['opened', 'won', 'lost']).default('opened'),
})

/** An order to the gateway, as JSON from a test or as a form from its page; a form also says where to go back to. */
async function readOrder(c: Context): Promise<{ fields: unknown; back: string | null }> {
  if (c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) {
    const { back, ...fields } = await c.req.parseBody()
    const base = mountOf(c, '/gateway')
    const isOurs = typeof back === 'string' && /^\/(pay|gateway|outbox)(\/\w+)*$/.test(back)
    return { fields, back: isOurs ? `${base}${back}` : `${base}/gateway` }
  }
  const text = await c.req.text()
  try {
    return { fields: text === '' ? {} : (JSON.parse(text) as unknown), back: null }
  } catch {
    return { fields: null, back: null }
  }
}

function refuse(c: Context, error: z.ZodError): Response {
  const [issue] = error.issues
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '')
  return c.json({ error: issue?.message ?? 'This is not an order.', field }, 400)
}

function moved(c: Context, isMoved: boolean | null, why: string, back: string | null): Response {
  if (back !== null) return c.redirect(back, 303)
  if (isMoved === null) return c.json({ error: 'There is no such session.', field: 'sessionId' }, 404)
  return isMoved ? c.json({ done: true }) : c.json({ error: why, field: 'sessionId' }, 409)
}

/** The chosen method, or the only one there is. */
function methodOf(payment: Payment, chosen: string): PayForm['method'] {
  const offered = offeredMethods(payment)
  if (!offered.includes('us_bank_account')) return 'card'
  return chosen === 'bank' || !offered.includes('card') ? 'bank' : 'card'
}

function emptyForm(payment: Payment): PayForm {
  const card: CardForm = { number: '', expiry: '', cvc: '', holder: '' }
  // A visitor who comes back after a failed attempt reads why it failed.
  const decline = payment.intent?.status === 'requires_payment_method' ? payment.intent.failing?.message : null
  return { method: 'card', email: '', card, problems: {}, decline: decline ?? null }
}

function successAddress(payment: Payment): string {
  return payment.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', payment.id)
}

function returnTargets(payment: Payment): string[] {
  return [payment.successUrl, ...(payment.cancelUrl === null ? [] : [payment.cancelUrl])]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
