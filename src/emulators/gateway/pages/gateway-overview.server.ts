import { html } from 'hono/html'
import { emulatorTable, formatMoney, type Markup } from '../../emulator-layout.server.ts'
import { switchForm } from './gateway-switch-form.server.ts'
import type { Switches } from './gateway-switches.server.ts'
import type { EventRow } from '../gateway-events.server.ts'
import { Payment, refundedCents, totalCents } from '../card-payment.server.ts'
import { frame } from './gateway-markup.server.ts'

/** Everything the gateway knows, newest first, and its switches. */
export function overviewPage(page: {
  base: string
  switches: Switches
  payments: readonly { payment: unknown }[]
  events: readonly EventRow[]
}): Markup {
  const { base } = page
  const payments = page.payments.map((row) => Payment.parse(row.payment))
  return frame(
    'Test gateway',
    base,
    html`<div class="wide">
      <h1>Test gateway</h1>
      <h2>What the gateway does next</h2>
      ${switchForm({ switches: page.switches, base, back: '/gateway' })}
      <h2>Payments</h2>
      ${paymentTable(payments, base)}
      <h2>Events</h2>
      <form method="post" action="${base}/gateway/deliver">
        <input type="hidden" name="back" value="/gateway" />
        <button class="plain">Deliver all waiting events</button>
      </form>
      ${eventTable(page.events)}
    </div>`,
  )
}

function paymentTable(payments: readonly Payment[], base: string): Markup {
  if (payments.length === 0) return html`<p class="quiet">Nobody has checked out yet.</p>`
  return emulatorTable(
    'Payments',
    [{ name: 'Session' }, { name: 'State' }, { name: 'Total', isNumber: true }],
    payments.map(
      (payment) =>
        html`<tr>
          <td><a href="${base}/pay/${payment.id}">${payment.id.slice(0, 20)}…</a></td>
          <td>${stateOf(payment)} ${moveForms(payment, base)}</td>
          <td class="sum">${formatMoney(totalCents(payment), payment.currency)}</td>
        </tr>`,
    ),
  )
}

function eventTable(events: readonly EventRow[]): Markup {
  if (events.length === 0) return html`<p class="quiet">No event yet.</p>`
  return emulatorTable(
    'Events',
    [{ name: 'Event' }, { name: 'Delivery' }, { name: 'Last answer' }],
    events.map(
      (event) =>
        html`<tr>
          <td>${event.type}<br /><span class="quiet">${event.sessionId.slice(0, 20)}…</span></td>
          <td>${event.state}, ${event.attempts} tried</td>
          <td>${event.lastAnswer ?? 'none yet'}</td>
        </tr>`,
    ),
  )
}

function stateOf(payment: Payment): string {
  const refunded = refundedCents(payment)
  const extra = [
    ...(refunded > 0 ? [`${formatMoney(refunded, payment.currency)} refunded`] : []),
    ...(payment.dispute === null ? [] : [`dispute: ${payment.dispute.status.replaceAll('_', ' ')}`]),
  ]
  const state =
    payment.status !== 'complete'
      ? payment.status
      : payment.isPaid
        ? 'paid'
        : payment.charge?.status === 'failed'
          ? 'bank debit failed'
          : 'waiting for the bank'
  return [state, ...extra].join(', ')
}

function moveForms(payment: Payment, base: string): Markup | string {
  if (payment.intent?.status === 'processing') {
    return moveForm(payment, `${base}/gateway/settle`, { settles: 'Settle', fails: 'Fail' })
  }
  if (!payment.isPaid) return ''
  if (payment.dispute === null) return moveForm(payment, `${base}/gateway/dispute`, { opened: 'Dispute' })
  if (payment.dispute.status !== 'needs_response') return ''
  return moveForm(payment, `${base}/gateway/dispute`, { won: 'Shop wins', lost: 'Shop loses' })
}

function moveForm(payment: Payment, action: string, outcomes: Record<string, string>): Markup {
  return html`<form method="post" action="${action}" class="row">
    <input type="hidden" name="back" value="/gateway" />
    <input type="hidden" name="sessionId" value="${payment.id}" />
    ${Object.entries(outcomes).map(
      ([value, text]) => html`<button class="plain" name="outcome" value="${value}">${text}</button>`,
    )}
  </form>`
}
