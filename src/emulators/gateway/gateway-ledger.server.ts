import type { Clock } from '../../platform/clock.server.ts'
import type { Db } from '../emulator-storage.server.ts'
import { readSwitches, toSwitches, type Switches } from './pages/gateway-switches.server.ts'
import { storeEvent, type RequestCause, type EventType } from './gateway-events.server.ts'
import { chargeObject, disputeObject, intentObject, refundObject, sessionObject } from './stripe-objects.server.ts'
import { newId, Payment, refundedCents, totalCents, type PaymentRefund } from './card-payment.server.ts'
import { GatewayError } from './gateway-error.server.ts'
import type { Card } from './payment-cards.server.ts'

/** A transaction of the gateway: stores each change together with its events. */
export type Ledger = { tx: Db; clock: Clock; cause: RequestCause }

type Change = {
  payment: Payment
  now: number
  switches: Switches
  /** Adds an event; `object` is called after the payment has its new state. */
  addEvent(type: EventType, object: () => object): void
  /** Schedules the decision of a delayed payment in milliseconds; null cancels it. */
  settleAfter(ms: number | null): void
}

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}

export async function addPayment(ledger: Ledger, payment: Payment): Promise<void> {
  await ledger.tx.query(
    `insert into demo.gateway_session (id, status, created_at, expires_at, payment) values ($1, $2, $3, $4, $5)`,
    [payment.id, payment.status, payment.createdAt, payment.expiresAt, JSON.stringify(payment)],
  )
}

export async function findPayment(db: Db, sessionId: string): Promise<Payment | null> {
  const { rows } = await db.query<{ payment: unknown }>({
    name: 'gateway-session',
    text: 'select payment from demo.gateway_session where id = $1',
    values: [sessionId],
  })
  return rows[0] ? Payment.parse(rows[0].payment) : null
}

/** The switches, which every request needs, and the payment that it asks for, in one statement. */
export async function readBoard(
  db: Db,
  sessionId: string | undefined,
): Promise<{ switches: Switches; payment: Payment | null }> {
  const { rows } = await db.query<{ settings: unknown; payment: unknown }>({
    name: 'gateway-board',
    text: `select (select settings from demo.switch_board where id = 1) as settings,
      (select payment from demo.gateway_session where id = $1) as payment`,
    values: [sessionId ?? null],
  })
  const { settings, payment } = rows[0] ?? {}
  return { switches: toSwitches(settings), payment: payment == null ? null : Payment.parse(payment) }
}

/** The payment that contains the payment intent, charge, refund or dispute with this id. */
export async function findPaymentOf(
  db: Db,
  part: { intent: string } | { charge: string } | { refund: string } | { dispute: string },
): Promise<Payment | null> {
  const shape =
    'intent' in part
      ? { intent: { id: part.intent } }
      : 'charge' in part
        ? { charge: { id: part.charge } }
        : 'refund' in part
          ? { refunds: [{ id: part.refund }] }
          : { dispute: { id: part.dispute } }
  const { rows } = await db.query<{ payment: unknown }>(
    'select payment from demo.gateway_session where payment @> $1::jsonb',
    [JSON.stringify(shape)],
  )
  return rows[0] ? Payment.parse(rows[0].payment) : null
}

/** Expires the sessions that were not paid in time. Call it before reading a session, so that its status is current. */
export async function expireDue(ledger: Ledger): Promise<void> {
  const { rows } = await ledger.tx.query<{ id: string }>(
    `select id from demo.gateway_session where status = 'open' and expires_at <= $1 order by seq for update skip locked`,
    [unixSeconds(ledger.clock)],
  )
  for (const { id } of rows) await changePayment(ledger, id, expire)
}

export async function expireSession(ledger: Ledger, sessionId: string): Promise<Payment | null> {
  return changePayment(ledger, sessionId, (change) => {
    if (change.payment.status !== 'open') {
      throw new GatewayError(
        400,
        'invalid_request_error',
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${change.payment.status}\`.`,
      )
    }
    expire(change)
    return change.payment
  })
}

export type PayOutcome =
  | { kind: 'paid' }
  | { kind: 'confirm' }
  | { kind: 'declined'; message: string }
  | { kind: 'closed'; status: 'complete' | 'expired' }

/** Pays a session by card, at most once. Null when there is no such session. */
export async function payByCard(
  ledger: Ledger,
  sessionId: string,
  paying: { card: Card; email: string | null },
): Promise<PayOutcome | null> {
  return changePayment(ledger, sessionId, (change): PayOutcome => {
    const { payment } = change
    const { card } = paying
    if (payment.status !== 'open') return { kind: 'closed', status: payment.status }
    begin(change, paying.email)
    payment.method = {
      id: newId('pm'),
      kind: 'card',
      holder: card.holder,
      brand: card.brand,
      last4: card.last4,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
    }
    if (card.behaviour.kind === 'declines') {
      decline(change, card.behaviour)
      return { kind: 'declined', message: card.behaviour.message }
    }
    if (card.behaviour.kind === 'confirms') {
      payment.intent = { ...intentOf(change), status: 'requires_action', failing: null }
      return { kind: 'confirm' }
    }
    complete(change)
    if (card.behaviour.kind === 'disputed') openDispute(change)
    return { kind: 'paid' }
  })
}

const CONFIRMATION_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

/** Completes or declines a payment after the card holder's authentication. */
export async function answerConfirmation(
  ledger: Ledger,
  sessionId: string,
  isConfirmed: boolean,
): Promise<PayOutcome | null> {
  return changePayment(ledger, sessionId, (change): PayOutcome => {
    const { payment } = change
    if (payment.status !== 'open') return { kind: 'closed', status: payment.status }
    if (payment.intent?.status !== 'requires_action') return { kind: 'declined', message: CONFIRMATION_FAILED }
    if (!isConfirmed) {
      decline(change, {
        code: 'payment_intent_authentication_failure',
        declineCode: null,
        message: CONFIRMATION_FAILED,
      })
      return { kind: 'declined', message: CONFIRMATION_FAILED }
    }
    complete(change)
    return { kind: 'paid' }
  })
}

/** Completes the session at once. The current switch decides whether and when the payment succeeds. */
export async function payByBankDebit(
  ledger: Ledger,
  sessionId: string,
  paying: { email: string | null },
): Promise<PayOutcome | null> {
  return changePayment(ledger, sessionId, (change): PayOutcome => {
    const { payment, now, switches } = change
    if (payment.status !== 'open') return { kind: 'closed', status: payment.status }
    begin(change, paying.email)
    payment.method = {
      id: newId('pm'),
      kind: 'us_bank_account',
      holder: null,
      brand: 'bank',
      last4: '6789',
      expiryMonth: 0,
      expiryYear: 0,
    }
    payment.intent = { ...intentOf(change), status: 'processing', failing: null }
    payment.charge = { id: newId('ch'), createdAt: now, status: 'pending' }
    payment.status = 'complete'
    change.addEvent('checkout.session.completed', () => sessionObject(payment))
    change.settleAfter(switches.bankDebit === 'waits' ? null : switches.settleMs)
    return { kind: 'paid' }
  })
}

type Settlement = 'settles' | 'fails'

/** Decides a delayed payment. False when it is decided already, null when there is no such session. */
export async function settle(ledger: Ledger, sessionId: string, outcome: Settlement): Promise<boolean | null> {
  return changePayment(ledger, sessionId, (change) => {
    const { payment } = change
    if (payment.intent?.status !== 'processing' || payment.charge === null) return false
    change.settleAfter(null)
    if (outcome === 'settles') {
      payment.intent = { ...payment.intent, status: 'succeeded' }
      payment.charge = { ...payment.charge, status: 'succeeded' }
      payment.isPaid = true
      change.addEvent('payment_intent.succeeded', () => intentObject(payment))
      change.addEvent('checkout.session.async_payment_succeeded', () => sessionObject(payment))
    } else {
      const message = 'The bank returned the debit: the account has insufficient funds.'
      payment.charge = { ...payment.charge, status: 'failed' }
      payment.intent = {
        ...payment.intent,
        status: 'requires_payment_method',
        failing: { code: 'payment_intent_payment_attempt_failed', declineCode: 'insufficient_funds', message },
      }
      change.addEvent('payment_intent.payment_failed', () => intentObject(payment))
      change.addEvent('checkout.session.async_payment_failed', () => sessionObject(payment))
    }
    return true
  })
}

/** Decides the delayed payments that are due. */
export async function settleDue(ledger: Ledger): Promise<void> {
  const { rows } = await ledger.tx.query<{ id: string; outcome: Settlement }>(
    `select id, settle_as as outcome from demo.gateway_session
     where settle_at <= clock_timestamp() order by seq for update skip locked`,
  )
  for (const { id, outcome } of rows) await settle(ledger, id, outcome)
}

/** Opens or closes a dispute. False when the payment's state does not allow it, null when there is no such session. */
export async function changeDispute(
  ledger: Ledger,
  sessionId: string,
  to: 'opened' | 'won' | 'lost',
): Promise<boolean | null> {
  return changePayment(ledger, sessionId, (change) => {
    const { payment } = change
    if (to === 'opened') {
      if (payment.charge?.status !== 'succeeded' || payment.dispute !== null) return false
      openDispute(change)
      return true
    }
    if (payment.dispute?.status !== 'needs_response') return false
    const dispute = { ...payment.dispute, status: to }
    payment.dispute = dispute
    change.addEvent('charge.dispute.closed', () => disputeObject(payment, dispute))
    return true
  })
}

/**
 * Refunds a payment, in full when `amountCents` is null. Null when there is no such session.
 * @throws GatewayError when the payment has no money left to refund, or is disputed
 */
export async function refund(
  ledger: Ledger,
  sessionId: string,
  request: { amountCents: number | null; reason: string | null; metadata: Record<string, string> },
): Promise<{ payment: Payment; refund: PaymentRefund } | null> {
  return changePayment(ledger, sessionId, (change) => {
    const { payment, now } = change
    const charge = payment.charge
    if (charge?.status !== 'succeeded') {
      throw new GatewayError(
        400,
        'invalid_request_error',
        `This PaymentIntent (${payment.intent?.id ?? 'none'}) does not have a successful charge to refund.`,
      )
    }
    if (payment.dispute !== null && payment.dispute.status !== 'won') {
      const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`
      throw new GatewayError(400, 'invalid_request_error', message, { code: 'charge_disputed' })
    }
    const left = totalCents(payment) - refundedCents(payment)
    if (left === 0) {
      const message = `Charge ${charge.id} has already been refunded.`
      throw new GatewayError(400, 'invalid_request_error', message, { code: 'charge_already_refunded' })
    }
    const amountCents = request.amountCents ?? left
    if (amountCents > left) {
      const message = `Refund amount (${amountCents}) is greater than unrefunded amount on charge (${left})`
      throw new GatewayError(400, 'invalid_request_error', message, { param: 'amount' })
    }
    const made = { id: newId('re'), createdAt: now, amountCents, reason: request.reason, metadata: request.metadata }
    payment.refunds.push(made)
    change.addEvent('refund.created', () => refundObject(payment, made))
    change.addEvent('charge.refunded', () => chargeObject(payment))
    return { payment, refund: made }
  })
}

function expire({ payment, addEvent }: Change): void {
  payment.status = 'expired'
  addEvent('checkout.session.expired', () => sessionObject(payment))
}

function begin(change: Change, email: string | null): void {
  const { payment } = change
  payment.payerEmail = payment.customerEmail ?? email
  payment.intent = intentOf(change)
}

function intentOf({ payment, now }: Change): NonNullable<Payment['intent']> {
  return payment.intent ?? { id: newId('pi'), createdAt: now, status: 'requires_payment_method', failing: null }
}

function complete(change: Change): void {
  const { payment, now } = change
  payment.intent = { ...intentOf(change), status: 'succeeded', failing: null }
  payment.charge = { id: newId('ch'), createdAt: now, status: 'succeeded' }
  payment.status = 'complete'
  payment.isPaid = true
  change.addEvent('payment_intent.succeeded', () => intentObject(payment))
  change.addEvent('checkout.session.completed', () => sessionObject(payment))
}

function decline(change: Change, failing: { code: string; declineCode: string | null; message: string }): void {
  const { payment, now } = change
  payment.charge = { id: newId('ch'), createdAt: now, status: 'failed' }
  payment.intent = {
    ...intentOf(change),
    status: 'requires_payment_method',
    failing: { code: failing.code, declineCode: failing.declineCode, message: failing.message },
  }
  change.addEvent('payment_intent.payment_failed', () => intentObject(payment))
}

function openDispute(change: Change): void {
  const { payment, now } = change
  const dispute = { id: newId('dp'), createdAt: now, status: 'needs_response' as const }
  payment.dispute = dispute
  change.addEvent('charge.dispute.created', () => disputeObject(payment, dispute))
}

/** Locks a payment, runs `work` on it, and stores it with the new events. Null when there is no such session. */
async function changePayment<T>(ledger: Ledger, sessionId: string, work: (change: Change) => T): Promise<T | null> {
  const { tx, clock, cause } = ledger
  const { rows } = await tx.query<{ payment: unknown }>(
    'select payment from demo.gateway_session where id = $1 for update',
    [sessionId],
  )
  if (!rows[0]) return null
  const payment = Payment.parse(rows[0].payment)
  const switches = await readSwitches(tx)
  const now = unixSeconds(clock)
  const events: { type: EventType; object: () => object }[] = []
  let settling: { ms: number | null } | undefined
  const result = work({
    payment,
    now,
    switches,
    addEvent: (type, object) => void events.push({ type, object }),
    settleAfter: (ms) => void (settling = { ms }),
  })
  await tx.query(`update demo.gateway_session set status = $2, payment_intent = $3, payment = $4 where id = $1`, [
    sessionId,
    payment.status,
    payment.intent?.id ?? null,
    JSON.stringify(payment),
  ])
  if (settling) {
    await tx.query(
      `update demo.gateway_session
       set settle_at = clock_timestamp() + $2 * interval '1 millisecond', settle_as = $3 where id = $1`,
      [sessionId, settling.ms, switches.bankDebit],
    )
  }
  for (const { type, object } of events) {
    await storeEvent(tx, { sessionId, type, object: object(), cause, createdAt: now, switches })
  }
  return result
}
