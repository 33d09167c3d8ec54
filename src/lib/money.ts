/** An amount in whole US cents. Money is cents from the moment it is parsed to the moment it is shown. */
export type Cents = number & { readonly unit: 'cents' }

/** @throws RangeError unless the amount is a safe whole number. */
export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of cents: ${amount}`)
  return amount as Cents
}

/** Parses dollars with at most two decimals ('19.99', 19.99), as in columns, requests and the stored cart. Null when it is anything else. */
export function parseDollars(value: string | number): Cents | null {
  const text = typeof value === 'number' ? String(value) : value.trim()
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text)
  if (match === null) return null
  const [, sign, whole, fraction = ''] = match
  const amount = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return cents(sign === '-' && amount !== 0 ? -amount : amount)
}

/** Parses a column with two decimals. @throws RangeError when it has more */
export function dollarsColumn(value: string | number): Cents {
  const amount = parseDollars(value)
  if (amount === null) throw new RangeError(`not an amount in dollars: ${value}`)
  return amount
}

/** 1999 -> '19.99', for columns and replies. */
export function toDollars(amount: Cents): string {
  const sign = amount < 0 ? '-' : ''
  const absolute = Math.abs(amount)
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/** 123456 -> '$1,234.56', for display. */
export function formatDollars(amount: Cents): string {
  const [whole = '0', fraction] = toDollars(cents(Math.abs(amount))).split('.')
  return `${amount < 0 ? '-' : ''}$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
}

/** Percent of an amount, rounded half up to the cent. */
export function percentOf(amount: Cents, percent: number): Cents {
  return cents(Math.floor((amount * percent + 50) / 100))
}

export function sum(amounts: readonly Cents[]): Cents {
  return cents(amounts.reduce((total, amount) => total + amount, 0))
}
