import type { OrderState, PaymentIssue } from '../orders.ts'

export const copy = {
  'desk.title': 'Orders',
  'desk.search': 'Email address or id',
  'desk.search.hint': 'Part of an email address, an order id, or an id of the payment service.',
  'desk.state': 'Status',
  'desk.state.all': 'All',
  'desk.find': 'Search',
  'desk.reset': 'Show all',
  'desk.attention': 'Needs attention',
  'desk.attention.disputed': 'The buyer disputes the payment. Access is paused until the payment service has decided.',
  'desk.since': 'since {at}',
  'desk.list': 'All orders',
  'desk.list.found': 'Orders that match',
  'desk.older': 'Older orders',
  'desk.newest': 'Newest orders',
  'desk.none.title': 'No orders yet',
  'desk.none': 'An order appears here as soon as a buyer presses Checkout.',
  'desk.nothing.title': 'No order matches',
  'desk.nothing': 'Try part of the email address, or another status.',

  'desk.back': 'All orders',
  'desk.record': 'Order of {buyer}',
  'desk.buyer': 'Buyer',
  'desk.ordered': 'Ordered',
  'desk.paid': 'Paid',
  'desk.unpaid': 'not yet',
  'desk.provider': 'Provider',
  'desk.session': 'Session',
  'desk.payment': 'Payment',
  'desk.no-gateway': 'none: the order never reached the payment service',
  'desk.mode': 'Mode',
  'desk.mode.live': 'Live',
  'desk.mode.test': 'Test: no real money',
  'desk.receipt': 'View receipt',
  'desk.lines': 'Courses',
  'desk.history': 'History',
  'desk.grant': '{holder}: {from} to {to}',
  'desk.grant.revoked': '{holder}: ended on {at}',
  'desk.grant.none': 'No access given',
  'desk.seat.open': 'not redeemed',
  'desk.seat.ended': 'not redeemed, no longer valid',
  'desk.access.ended': 'An admin ended the access of this order on {at}.',

  'desk.refund': 'Refund',
  'desk.refund.title': 'Refund this order',
  'desk.refund.text': 'The money goes back the way {email} paid. This cannot be undone.',
  'desk.refund.all': 'The whole amount, or what is left of it: {amount}',
  'desk.refund.some': 'An amount',
  'desk.refund.amount': 'Amount in dollars',
  'desk.refund.amount.bad': 'Enter an amount in dollars, such as 5 or 4.50.',
  'desk.refund.too-much': 'At most {left} is left to refund.',
  'desk.refund.whole': 'This also ends the access of this order and its seats.',
  'desk.refund.end': 'Also end the access of this order and its seats',
  'desk.refund.access.ended': 'ended by the refund',
  'desk.refund.access.kept': 'kept',
  'desk.refund.do': 'Refund {amount}',
  'desk.refund.busy': 'Refunding...',
  'desk.refund.done': 'Refunded',
  'desk.refund.done.text': 'The payment service refunds {amount}.',
  'desk.refund.waits':
    'Another refund of this order waits for the payment service. Wait a minute, load this page again and see what is left.',
  'desk.refund.refused': 'The payment service refused the refund: {reason}',
  'desk.not-refundable': 'This order has no payment that can be refunded now.',

  'desk.end': 'End access',
  'desk.end.title': 'End the access of this order',
  'desk.end.text':
    'What this order opened closes at once, for its buyer and for everybody who redeemed one of its seats. Results stay readable.',
  'desk.end.do': 'End access',
  'desk.end.done': 'Access ended',
  'desk.end.done.text': 'The access of this order is closed.',
  'desk.no-access': 'This order grants no access that can be ended.',

  'desk.resend': 'Resend receipt',
  'desk.resend.done': 'Receipt sent',
  'desk.resend.done.text': 'The receipt is on its way to {email}.',
  'desk.no-receipt': 'An unpaid order has no receipt.',

  'desk.check': 'Check payment',
  'desk.check.done': 'Checked',
  'desk.check.order': 'The payment service replied. The order is: {state}.',
  'desk.check.mismatch': 'The payment does not match this order: {why}',
  'desk.check.unknown': 'The payment service does not know this session.',
  'desk.check.no-session': 'This order never reached the payment service.',

  'desk.over': 'Mark as settled',
  'desk.over.done': 'Settled',
  'desk.over.done.text': 'The order no longer needs attention.',

  'desk.other-mode.live':
    'This order was placed with a live key, and the shop runs with a test key. Start the shop with the live key to change this order.',
  'desk.other-mode.test':
    'This order was placed with a test key, and the shop runs with a live key. It cannot be changed here.',

  'desk.happened.move': '{from} → {to}',
  'desk.happened.event': 'Event {kind}',
} as const

export const paymentIssueText = {
  'another order': 'The payment belongs to another order.',
  'test and live mode mixed': 'The order is live, and the shop runs with a test key, so its payment cannot be checked.',
  'another currency': 'The payment has another currency than the order. No access was granted.',
  'another amount': 'The payment has another amount than the order. No access was granted.',
  'a second payment of the same order':
    'The order was paid twice. Refund the second payment in the dashboard of the payment service, then mark this as settled.',
  'paid and not handed over': 'The order is paid, but granting access failed. The shop tries again every two minutes.',
} as const satisfies Record<PaymentIssue, string>

export const providerText: Readonly<Record<string, string>> = { stripe: 'Stripe' }

export const actionText: Readonly<Record<string, string>> = {
  'order.refund': 'Refund requested',
  'order.end-access': 'Access ended',
  'order.refund-ended-access': 'Access ended by the refund',
  'order.resend-receipt': 'Receipt sent again',
  'order.check': 'Payment checked',
  'order.trouble-over': 'Marked as settled',
}

/** Labels for the details of a move or an action. */
export const factText: Readonly<Record<string, string>> = {
  endAccess: 'ending access',
  dispute: 'dispute',
  ended: 'result:',
  paymentIssue: 'issue:',
}

/** The states in the order of the list's filter. */
export const stateOrder = [
  'pending',
  'paid',
  'partly_refunded',
  'refunded',
  'disputed',
  'failed',
  'expired',
] as const satisfies readonly OrderState[]
