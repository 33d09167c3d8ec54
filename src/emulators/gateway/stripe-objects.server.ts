import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import {
  offeredMethods,
  refundedCents,
  totalCents,
  type Payment,
  type PaymentDispute,
  type PaymentLine,
  type PaymentRefund,
} from './card-payment.server.ts'

/** The API version of these objects: the one that the installed stripe package pins. */
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive'

// In JSON decimals are strings; the SDK's types describe the values after its conversion.
type WirePrice = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string }
type WireLineItem = Omit<Stripe.LineItem, 'price'> & { price: WirePrice }
type WireSession = Omit<Stripe.Checkout.Session, 'line_items'> & { line_items?: Stripe.ApiList<WireLineItem> }

/** The fields that are equal in every session. */
const COMMON_SESSION = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: { enabled: false },
  mode: 'payment',
  origin_context: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
} satisfies Partial<WireSession>

export function sessionObject(payment: Payment): WireSession {
  const total = totalCents(payment)
  return {
    id: payment.id,
    object: 'checkout.session',
    ...COMMON_SESSION,
    allowed_payment_method_types: payment.methodTypes,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: payment.cancelUrl,
    client_reference_id: payment.clientReferenceId,
    created: payment.createdAt,
    currency: payment.currency,
    customer_creation: payment.customerCreation ?? 'if_required',
    customer_details: customerDetails(payment),
    customer_email: payment.customerEmail,
    expires_at: payment.expiresAt,
    locale: payment.locale,
    metadata: payment.metadata,
    payment_intent: payment.intent?.id ?? null,
    payment_method_types: [...offeredMethods(payment)],
    payment_status: payment.isPaid ? 'paid' : 'unpaid',
    status: payment.status,
    submit_type: payment.submitType,
    success_url: payment.successUrl,
    // Stripe removes the address when the session is no longer open.
    url: payment.status === 'open' && !asksForNoUrl(payment) ? payment.url : null,
  }
}

export function lineItemObject(payment: Payment, line: PaymentLine): WireLineItem {
  const amount = line.unitCents * line.quantity
  return {
    id: line.id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: payment.currency,
    description: line.name,
    metadata: {},
    price: {
      id: line.priceId,
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: payment.createdAt,
      currency: payment.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: line.productId,
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: line.unitCents,
      unit_amount_decimal: String(line.unitCents),
    },
    quantity: line.quantity,
  }
}

export function intentObject(payment: Payment): Stripe.PaymentIntent {
  const intent = present(payment.intent, 'payment intent')
  const total = totalCents(payment)
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: payment.methodTypes,
    amount: total,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.status === 'succeeded' ? total : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${intent.id}_secret_${derived('', intent.id)}`,
    confirmation_method: 'automatic',
    created: intent.createdAt,
    currency: payment.currency,
    customer: null,
    customer_account: null,
    description: payment.intentDescription,
    excluded_payment_method_types: null,
    last_payment_error: intent.failing
      ? {
          type: 'card_error',
          code: intent.failing.code,
          ...(intent.failing.declineCode ? { decline_code: intent.failing.declineCode } : {}),
          message: intent.failing.message,
        }
      : null,
    latest_charge: payment.charge?.id ?? null,
    livemode: false,
    managed_payments: null,
    metadata: payment.intentMetadata,
    next_action:
      intent.status === 'requires_action'
        ? { type: 'redirect_to_url', redirect_to_url: { return_url: payment.url, url: `${payment.url}/confirm` } }
        : null,
    on_behalf_of: null,
    payment_method: intent.status === 'requires_payment_method' ? null : (payment.method?.id ?? null),
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [...offeredMethods(payment)],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  }
}

export function chargeObject(payment: Payment): Stripe.Charge {
  const charge = present(payment.charge, 'charge')
  const total = totalCents(payment)
  const refunded = refundedCents(payment)
  const failing = charge.status === 'failed' ? payment.intent?.failing : null
  return {
    id: charge.id,
    object: 'charge',
    amount: total,
    amount_captured: charge.status === 'succeeded' ? total : 0,
    amount_refunded: refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: charge.status === 'succeeded' ? derived('txn_', charge.id) : null,
    billing_details: {
      address: null,
      email: payment.payerEmail,
      name: payment.method?.holder ?? null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: null,
    captured: charge.status === 'succeeded',
    created: charge.createdAt,
    currency: payment.currency,
    customer: null,
    description: payment.intentDescription,
    disputed: payment.dispute !== null,
    failure_balance_transaction: null,
    failure_code: failing?.code ?? null,
    failure_message: failing?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: payment.intentMetadata,
    on_behalf_of: null,
    outcome: outcomeOf(failing),
    paid: charge.status === 'succeeded',
    payment_intent: payment.intent?.id ?? null,
    payment_method: payment.method?.id ?? null,
    payment_method_details: methodDetails(payment),
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: refunded === total,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  }
}

function outcomeOf(failing: NonNullable<Payment['intent']>['failing'] | undefined): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: failing ? 'declined_by_network' : 'approved_by_network',
    reason: failing?.declineCode ?? null,
    risk_level: 'normal',
    risk_score: 1,
    seller_message: failing ? failing.message : 'Payment complete.',
    type: failing ? 'issuer_declined' : 'authorized',
  }
}

export function refundObject(payment: Payment, refund: PaymentRefund): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amountCents,
    balance_transaction: derived('txn_', refund.id),
    charge: payment.charge?.id ?? null,
    created: refund.createdAt,
    currency: payment.currency,
    customer: null,
    customer_account: null,
    metadata: refund.metadata,
    payment_intent: payment.intent?.id ?? null,
    payment_method: payment.method?.id ?? null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

const DAY_SECONDS = 86_400

export function disputeObject(payment: Payment, dispute: PaymentDispute): Stripe.Dispute {
  const isOpen = dispute.status === 'needs_response'
  return {
    id: dispute.id,
    object: 'dispute',
    amount: totalCents(payment),
    balance_transactions: [],
    charge: present(payment.charge, 'charge').id,
    created: dispute.createdAt,
    currency: payment.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: payment.payerEmail,
      customer_name: payment.method?.holder ?? null,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    evidence_details: {
      due_by: isOpen ? dispute.createdAt + 9 * DAY_SECONDS : null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: payment.intent?.id ?? null,
    reason: 'fraudulent',
    status: dispute.status,
  }
}

export function balanceObject(amounts: readonly { currency: string; amountCents: number }[]): Stripe.Balance {
  const funds = amounts.length > 0 ? amounts : [{ currency: 'usd', amountCents: 0 }]
  return {
    object: 'balance',
    available: funds.map(({ currency, amountCents }) => ({
      amount: amountCents,
      currency,
      source_types: { card: amountCents },
    })),
    livemode: false,
    pending: funds.map(({ currency }) => ({ amount: 0, currency, source_types: { card: 0 } })),
  }
}

export function listObject<T>(url: string, data: T[], hasMore = false): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url }
}

function customerDetails(payment: Payment): Stripe.Checkout.Session.CustomerDetails | null {
  if (payment.status !== 'complete' && payment.customerEmail === null) return null
  return {
    address: null,
    business_name: null,
    email: payment.payerEmail ?? payment.customerEmail,
    individual_name: null,
    name: payment.status === 'complete' ? (payment.method?.holder ?? null) : null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: null,
  }
}

function methodDetails(payment: Payment): Stripe.Charge.PaymentMethodDetails | null {
  const method = payment.method
  if (method === null) return null
  if (method.kind === 'us_bank_account') {
    return {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        account_type: 'checking',
        bank_name: 'TEST BANK',
        fingerprint: null,
        last4: method.last4,
        payment_reference: null,
        routing_number: '110000000',
      },
    }
  }
  return {
    type: 'card',
    card: {
      amount_authorized: totalCents(payment),
      authorization_code: null,
      brand: method.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      electronic_commerce_indicator: null,
      exp_month: method.expiryMonth,
      exp_year: method.expiryYear,
      fingerprint: null,
      funding: 'credit',
      installments: null,
      last4: method.last4,
      mandate: null,
      network: method.brand,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

/** An id derived from another one, for Stripe objects that the emulator does not store. */
function derived(prefix: string, id: string): string {
  return prefix + createHash('sha256').update(id).digest('hex').slice(0, 24)
}

function present<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`This payment has no ${what} yet`)
  return value
}

/** Like Stripe's test mode (`jo+location_FR@…`), an email address can control a session: `jo+no-url@…` gets one without a page. */
function asksForNoUrl({ customerEmail }: Payment): boolean {
  return /\+no-url@/.test(customerEmail ?? '')
}
