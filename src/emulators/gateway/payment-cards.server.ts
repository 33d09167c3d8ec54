type CardBehaviour =
  | { kind: 'pays' }
  | { kind: 'confirms' }
  | { kind: 'disputed' }
  | { kind: 'declines'; code: string; declineCode: string | null; message: string }

export type Card = {
  holder: string
  brand: string
  last4: string
  expiryMonth: number
  expiryYear: number
  behaviour: CardBehaviour
}

/** Those of Stripe's published test cards that this gateway supports. */
export const testCards: readonly { number: string; effect: string; behaviour: CardBehaviour }[] = [
  { number: '4242 4242 4242 4242', effect: 'pays', behaviour: { kind: 'pays' } },
  { number: '4000 0025 0000 3155', effect: 'asks for confirmation first', behaviour: { kind: 'confirms' } },
  {
    number: '4000 0000 0000 0002',
    effect: 'is declined',
    behaviour: {
      kind: 'declines',
      code: 'card_declined',
      declineCode: 'generic_decline',
      message: 'Your card was declined.',
    },
  },
  {
    number: '4000 0000 0000 9995',
    effect: 'has insufficient funds',
    behaviour: {
      kind: 'declines',
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  },
  { number: '4000 0000 0000 0259', effect: 'pays, then the payment is disputed', behaviour: { kind: 'disputed' } },
]

const realCard: CardBehaviour = {
  kind: 'declines',
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message: 'Your card was declined. This is a test gateway: only the test cards listed below work.',
}

export type CardField = 'number' | 'expiry' | 'cvc' | 'holder'
export type CardForm = Record<CardField, string>

/** Parses the typed card, or returns one sentence for each invalid field. */
export function readCard(form: CardForm, now: Date): { card: Card } | { problems: Partial<CardForm> } {
  const digits = form.number.replaceAll(/[\s-]/g, '')
  const cvc = form.cvc.trim()
  const holder = form.holder.trim()
  const isAmex = /^3[47]/.test(digits)
  const problems: Partial<CardForm> = {}
  if (digits === '') problems.number = 'Enter your card number.'
  else if (/^\d+$/.test(digits) && digits.length < 12) problems.number = 'Your card number is incomplete.'
  else if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) problems.number = 'Your card number is invalid.'

  const expiry = readExpiry(form.expiry)
  if (form.expiry.trim() === '') problems.expiry = 'Enter the expiry date.'
  else if (expiry === null) problems.expiry = 'Write the expiry date as month and year, such as 08 / 30.'
  else if (expiry.year * 12 + expiry.month - 1 < now.getUTCFullYear() * 12 + now.getUTCMonth()) {
    problems.expiry = "Your card's expiry date is in the past."
  } else if (expiry.year > now.getUTCFullYear() + 50) problems.expiry = "Your card's expiry year is invalid."

  if (cvc === '') problems.cvc = "Enter your card's security code."
  else if (!(isAmex ? /^\d{4}$/ : /^\d{3}$/).test(cvc)) problems.cvc = "Your card's security code is incomplete."
  if (holder === '') problems.holder = 'Enter the name on the card.'
  else if (holder.length > 200) problems.holder = 'The name on the card is too long.'

  if (expiry === null || Object.keys(problems).length > 0) return { problems }
  const known = testCards.find(({ number }) => number.replaceAll(' ', '') === digits)
  return {
    card: {
      holder,
      brand: brandOf(digits),
      last4: digits.slice(-4),
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      behaviour: known?.behaviour ?? realCard,
    },
  }
}

function readExpiry(text: string): { month: number; year: number } | null {
  const parts = /^\s*(\d{1,2})\s*[/.-]\s*(\d{2}|\d{4})\s*$/.exec(text) ?? /^\s*(\d{2})(\d{2}|\d{4})\s*$/.exec(text)
  if (!parts) return null
  const month = Number(parts[1])
  const year = Number(parts[2])
  if (month < 1 || month > 12) return null
  return { month, year: year < 100 ? 2000 + year : year }
}

/** Whether the check digit of the card number is right. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function brandOf(digits: string): string {
  if (digits.startsWith('4')) return 'visa'
  if (/^3[47]/.test(digits)) return 'amex'
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'mastercard'
  return 'unknown'
}
