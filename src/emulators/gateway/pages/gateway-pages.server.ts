import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.server.ts'
import { mountOf, replyPage, serveStylesheet } from '../../emulator-layout.server.ts'
import { inTransaction } from '../../emulator-storage.server.ts'
import { readSwitches, SwitchChange, changeSwitches } from './gateway-switches.server.ts'
import {
  answerConfirmation,
  expireDue,
  expireSession,
  findPayment,
  changeDispute,
  payByBankDebit,
  payByCard,
  settle,
  type Ledger,
  type PayOutcome,
} from '../gateway-ledger.server.ts'
import { readCard, type CardForm } from '../payment-cards.server.ts'
import type { Delivery, EventRow } from '../gateway-events.server.ts'
import { closedPage, confirmPage, payPage, unknownPage, type PayForm } from './gateway-markup.server.ts'
import { overviewPage } from './gateway-overview.server.ts'
import { offeredMethods, type Payment } from '../card-payment.server.ts'

const MAX_BODY_BYTES = 32 * 1024

type PagesOptions = { pool: Pool; clock: Clock; merchant: string; delivery: Delivery; onChange: () => void }

/** The hosted payment page, the switches, and the commands by which tests control the gateway. */
export function createGatewayPages(options: PagesOptions): Hono {
  const pages = new Hono()
  serveStylesheet(pages)
  const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json({ error: 'The body is too large.' }, 413) })
  pages.use('/pay/*', limit)
  pages.use('/gateway/*', limit)
  addPayRoutes(pages, options)
  addControlRoutes(pages, options)
  return pages
}

function addPayRoutes(pages: Hono, options: PagesOptions): void {
  const { showForm, showClosed, replyTo, withSession } = createPayReplies(options)

  pages.get('/pay/:sessionId', (c) =>
    withSession(c, (payment) =>
      payment.status === 'open' ? showForm(c, payment, emptyForm(payment)) : showClosed(c, payment),
    ),
  )

  pages.post('/pay/:sessionId', (c) =>
    withSession(c, async (payment) => {
      if (payment.status !== 'open') return showClosed(c, payment)
      const form = await readPayForm(c, payment)
      const email = form.email.trim() === '' ? null : form.email.trim()
      if (form.method === 'bank') {
        const outcome = await inLedger(options, (ledger) => payByBankDebit(ledger, payment.id, { email }))
        return replyTo(c, outcome, payment, form)
      }
      const read = readCard(form.card, options.clock.now())
      if ('problems' in read) return showForm(c, payment, { ...form, problems: read.problems })
      const outcome = await inLedger(options, (ledger) => payByCard(ledger, payment.id, { card: read.card, email }))
      return replyTo(c, outcome, payment, form)
    }),
  )

  pages.get('/pay/:sessionId/confirm', (c) =>
    withSession(c, (payment) => {
      if (payment.status !== 'open') return showClosed(c, payment)
      const base = mountOf(c, '/pay/')
      if (payment.intent?.status !== 'requires_action') return c.redirect(`${base}/pay/${payment.id}`, 303)
      return replyPage(c, confirmPage({ payment, merchant: options.merchant, base }), {
        formTargets: returnTargets(payment),
      })
    }),
  )

  pages.post('/pay/:sessionId/confirm', (c) =>
    withSession(c, async (payment) => {
      const body = await c.req.parseBody()
      const isConfirmed = textOf(body['answer']) === 'complete'
      const outcome = await inLedger(options, (ledger) => answerConfirmation(ledger, payment.id, isConfirmed))
      return replyTo(c, outcome, payment, emptyForm(payment))
    }),
  )
}

function createPayReplies(options: PagesOptions) {
  const { pool, merchant } = options

  async function showForm(c: Context, payment: Payment, form: PayForm): Promise<Response> {
    const base = mountOf(c, '/pay/')
    const switches = await readSwitches(pool)
    return replyPage(c, payPage({ payment, merchant, base, switches, form }), { formTargets: returnTargets(payment) })
  }

  function showClosed(c: Context, payment: Payment): Promise<Response> {
    return replyPage(c, closedPage({ payment, merchant, base: mountOf(c, '/pay/') }))
  }

  /** The reply to a payment attempt: back to the shop, the confirmation, the form with its problem, or the closed page. */
  async function replyTo(c: Context, outcome: PayOutcome | null, payment: Payment, form: PayForm): Promise<Response> {
    if (outcome?.kind === 'paid') return c.redirect(successAddress(payment), 303)
    if (outcome?.kind === 'confirm') return c.redirect(`${mountOf(c, '/pay/')}/pay/${payment.id}/confirm`, 303)
    if (outcome?.kind === 'declined') return showForm(c, payment, { ...form, decline: outcome.message })
    return showClosed(c, payment)
  }

  async function withSession(c: Context, work: (payment: Payment) => Response | Promise<Response>): Promise<Response> {
    const id = c.req.param('sessionId') ?? ''
    const payment = await inLedger(options, (ledger) => findPayment(ledger.tx, id))
    if (payment === null) return replyPage(c, unknownPage(mountOf(c, '/pay/')), { status: 404 })
    return work(payment)
  }

  return { showForm, showClosed, replyTo, withSession }
}

function addControlRoutes(pages: Hono, options: PagesOptions): void {
  const { pool, delivery, onChange } = options
  pages.get('/gateway', (c) => showOverview(c, pool))

  pages.get('/gateway/switches', async (c) => c.json(await readSwitches(pool)))

  pages.post('/gateway/switches', async (c) => {
    const { fields, back } = await readCommand(c)
    const change = SwitchChange.safeParse(fields)
    if (!change.success) return refuse(c, change.error)
    const switches = await changeSwitches(pool, change.data)
    onChange()
    return back === null ? c.json(switches) : c.redirect(back, 303)
  })

  pages.post('/gateway/deliver', async (c) => {
    const { back } = await readCommand(c)
    const result = await delivery.deliverAll()
    return back === null ? c.json(result) : c.redirect(back, 303)
  })

  pages.post(
    '/gateway/settle',
    sessionCommand(options, {
      schema: SettleCommand,
      run: (ledger, { sessionId, outcome }) => settle(ledger, sessionId, outcome),
      whyNot: 'This payment is not waiting for its money.',
    }),
  )
  pages.post(
    '/gateway/expire',
    sessionCommand(options, {
      schema: ExpireCommand,
      async run(ledger, { sessionId }) {
        const payment = await findPayment(ledger.tx, sessionId)
        if (payment?.status !== 'open') return payment === null ? null : false
        await expireSession(ledger, sessionId)
        return true
      },
      whyNot: 'This session is not open.',
    }),
  )
  pages.post(
    '/gateway/dispute',
    sessionCommand(options, {
      schema: DisputeCommand,
      run: (ledger, { sessionId, outcome }) => changeDispute(ledger, sessionId, outcome),
      whyNot: 'The state of this payment does not allow that.',
    }),
  )
}

async function showOverview(c: Context, pool: Pool): Promise<Response> {
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
}

/** A command about one session. `run` returns null when there is no such session, and false when its state does not allow the command. */
function sessionCommand<Command>(
  options: PagesOptions,
  {
    schema,
    run,
    whyNot,
  }: {
    schema: z.ZodType<Command>
    run: (ledger: Ledger, command: Command) => Promise<boolean | null>
    whyNot: string
  },
) {
  return async (c: Context): Promise<Response> => {
    const { fields, back } = await readCommand(c)
    const command = schema.safeParse(fields)
    if (!command.success) return refuse(c, command.error)
    const isDone = await inLedger(options, (ledger) => run(ledger, command.data))
    if (back !== null) return c.redirect(back, 303)
    if (isDone === null) return c.json({ error: 'There is no such session.', field: 'sessionId' }, 404)
    return isDone ? c.json({ done: true }) : c.json({ error: whyNot, field: 'sessionId' }, 409)
  }
}

/** Runs `work` in a transaction, after it has closed expired sessions. */
async function inLedger<T>({ pool, clock, onChange }: PagesOptions, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const result = await inTransaction(pool, async (tx) => {
    const ledger = { tx, clock, cause: null }
    await expireDue(ledger)
    return work(ledger)
  })
  onChange()
  return result
}

async function readPayForm(c: Context, payment: Payment): Promise<PayForm> {
  const body = await c.req.parseBody()
  const field = (name: string) => textOf(body[name]).slice(0, 500)
  return {
    method: methodOf(payment, field('method')),
    email: field('email'),
    card: { number: field('card_number'), expiry: field('expiry'), cvc: field('cvc'), holder: field('name') },
    problems: {},
    decline: null,
  }
}

const SettleCommand = z.strictObject({ sessionId: z.string().min(1), outcome: z.enum(['settles', 'fails']) })
const ExpireCommand = z.strictObject({ sessionId: z.string().min(1) })
const DisputeCommand = z.strictObject({
  sessionId: z.string().min(1),
  outcome: z.enum(['opened', 'won', 'lost']).default('opened'),
})

/** A command to the gateway: JSON from a test, or a form from its page, which also names the page to return to. */
async function readCommand(c: Context): Promise<{ fields: unknown; back: string | null }> {
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
  return c.json({ error: issue?.message ?? 'This is not a command.', field }, 400)
}

/** The chosen method, or the only offered one. */
function methodOf(payment: Payment, chosen: string): PayForm['method'] {
  const offered = offeredMethods(payment)
  if (!offered.includes('us_bank_account')) return 'card'
  return chosen === 'bank' || !offered.includes('card') ? 'bank' : 'card'
}

function emptyForm(payment: Payment): PayForm {
  const card: CardForm = { number: '', expiry: '', cvc: '', holder: '' }
  // After a failed attempt the page shows the reason.
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
