import type { OrderState, PaymentIssue } from '../orders.ts'

export const copy = {
  'desk.title': 'Orders',
  'desk.search': 'Mail address or id',
  'desk.search.hint': 'Part of an address, an order id, or an id of the payment service.',
  'desk.state': 'Status',
  'desk.state.all': 'All',
  'desk.find': 'Search',
  'desk.reset': 'Show all',
  'desk.attention': 'Needs attention',
  'desk.attention.disputed': 'The buyer disputes the payment. Access pauses until the payment service has decided.',
  'desk.since': 'since {at}',
  'desk.list': 'All orders',
  'desk.list.found': 'Orders that match',
  'desk.older': 'Older orders',
  'desk.newest': 'Newest orders',
  'desk.none.title': 'No orders yet',
  'desk.none': 'Every order appears here from the moment somebody presses Checkout.',
  'desk.nothing.title': 'No order matches',
  'desk.nothing': 'Try a part of the mail address, or another status.',

  'desk.back': 'All orders',
  'desk.buyer': 'Buyer',
  'desk.ordered': 'Ordered',
  'desk.paid': 'Paid',
  'desk.unpaid': 'not yet',
  'desk.session': 'Session',
  'desk.payment': 'Payment',
  'desk.no-gateway': 'none: it never reached the payment service',
  'desk.mode': 'Mode',
  'desk.mode.live': 'Live',
  'desk.mode.test': 'Test: no real money',
  'desk.receipt': 'View receipt',
  'desk.lines': 'What it holds',
  'desk.history': 'What happened',
  'desk.grant': '{holder}: {from} to {to}',
  'desk.grant.revoked': '{holder}: ended on {at}',
  'desk.grant.none': 'No access given',
  'desk.seat.open': 'not redeemed',
  'desk.access.ended': 'An admin ended the access of this order on {at}.',

  'desk.refund': 'Refund',
  'desk.refund.title': 'Refund this order',
  'desk.refund.text': 'The payment service gives the money back to {email}. This cannot be undone.',
  'desk.refund.all': 'All that is left: {amount}',
  'desk.refund.some': 'An amount',
  'desk.refund.amount': 'Amount in dollars',
  'desk.refund.amount.bad': 'An amount is in dollars, such as 5 or 4.50.',
  'desk.refund.too-much': 'At most {left} is left to refund.',
  'desk.refund.whole': 'Access of this order and its seats ends with it.',
  'desk.refund.end': 'End access of this order and its seats too',
  'desk.refund.do': 'Refund {amount}',
  'desk.refund.busy': 'Refunding...',
  'desk.refund.done': 'Refunded',
  'desk.refund.done.text': 'The payment service gives {amount} back.',
  'desk.refund.refused': 'The payment service gives nothing back: {reason}',
  'desk.not-refundable': 'There is no payment of this order that could be refunded now.',

  'desk.end': 'End access',
  'desk.end.title': 'End the access of this order',
  'desk.end.text':
    'What this order opened closes at once, for its buyer and for everybody who redeemed one of its seats. Results stay readable.',
  'desk.end.do': 'End access',
  'desk.end.done': 'Access ended',
  'desk.end.done.text': 'What this order opened is closed.',
  'desk.no-access': 'This order gives no access that could be ended.',

  'desk.resend': 'Resend receipt',
  'desk.resend.done': 'Receipt sent',
  'desk.resend.done.text': 'It is on its way to {email}.',
  'desk.no-receipt': 'An order that was never paid has no receipt.',

  'desk.check': 'Check with the gateway',
  'desk.check.done': 'Checked',
  'desk.check.order': 'The payment service was asked. The order is: {state}.',
  'desk.check.mismatch': 'The payment does not fit this order: {why}',
  'desk.check.unknown': 'The payment service does not know this session.',
  'desk.check.no-session': 'This order never reached the payment service.',

  'desk.over': 'Mark as settled',
  'desk.over.done': 'Settled',
  'desk.over.done.text': 'The order needs no more attention.',

  'desk.other-mode.live':
    'This order was made with a live key, and the shop runs with a test key. Start it with the live key to change this order.',
  'desk.other-mode.test':
    'This order was made with a test key, and the shop runs with a live key. It cannot be changed here.',

  'desk.happened.move': '{from} → {to}',
  'desk.happened.event': 'Event {kind}',
  'desk.happened.by': 'by {email}',
} as const

export const paymentIssueText = {
  'another order': 'A payment names another order.',
  'test and live mode mixed': 'The order is live, and the shop runs with a test key: its payment cannot be looked at.',
  'another currency': 'A payment came in another currency than the order has. Nothing was handed over.',
  'another amount': 'A payment came with another amount than the order has. Nothing was handed over.',
  'a second payment of the same order':
    'The order was paid twice. Refund the second payment in the dashboard of the payment service, then mark this as settled.',
  'paid and not handed over': 'It is paid, and handing over failed. It is tried again every two minutes.',
} as const satisfies Record<PaymentIssue, string>

export const actionText: Readonly<Record<string, string>> = {
  'order.refund': 'Refund asked for',
  'order.end-access': 'Access ended',
  'order.resend-receipt': 'Receipt sent again',
  'order.check': 'Checked with the gateway',
  'order.trouble-over': 'Marked as settled',
}

/** What is noted with a move or an action, in words. */
export const factText: Readonly<Record<string, string>> = {
  endAccess: 'ending access',
  dispute: 'dispute',
  ended: 'which was',
  paymentIssue: 'it was:',
}

/** The states in the order in which the list offers them. */
export const stateOrder = [
  'pending',
  'paid',
  'partly_refunded',
  'refunded',
  'disputed',
  'failed',
  'expired',
] as const satisfies readonly OrderState[]
