import { usualSigns } from '../written/usual-signs.ts'

/** An exact decimal: `units` divided by ten to the power of `places`. */
export interface Decimal {
  readonly units: bigint
  readonly places: number
}

/** Numbers of more digits are a slip, and would have to be computed with. */
const MOST_EXPONENT = 30
const MOST_DIGITS = 60

/**
 * Reads a number as people write it; null for anything else. With both a point and a comma the last one is the decimal mark. A single
 * point is the decimal mark. A single comma is one too, unless it has one to three digits before it, without a leading zero, and
 * exactly three behind it. Blanks and apostrophes separate groups of three digits. `2e6`, `2x10^6` and `2*10**6` are one number.
 */
export function readDecimal(written: string): Decimal | null {
  const parts = /^([+-]?) ?([\d.,' ]*\d[.,]?)(?:(?:[eE]| ?[x×*·] ?10 ?(?:\^|\*\*) ?)([+-]?\d{1,3}))?$/.exec(
    usualSigns(written),
  )
  const digits = parts?.[2] === undefined ? null : plainDigits(parts[2])
  const exponent = Number(parts?.[3] ?? 0)
  if (digits === null || Math.abs(exponent) > MOST_EXPONENT) return null
  const [whole, fraction] = digits
  if (whole.length + fraction.length > MOST_DIGITS) return null
  const units = BigInt(whole + fraction) * (parts?.[1] === '-' ? -1n : 1n)
  const places = fraction.length - exponent
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places }
}

/** The digits before and behind the decimal mark; null if the separators between them make no number. */
function plainDigits(written: string): [whole: string, fraction: string] | null {
  const joined = written.replace(/(?<=\d)[ '](?=\d{3}(?!\d))/g, '')
  const mark = decimalMarkOf(joined)
  if (mark === null) return null
  const at = mark === '' ? joined.length : joined.lastIndexOf(mark)
  const [whole, fraction] = [joined.slice(0, at), joined.slice(at + 1)]
  const isGrouped = /^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$/.test(whole)
  if (!/^\d*$/.test(fraction) || !(isGrouped || /^\d*$/.test(whole))) return null
  const digits = whole.replace(/[.,]/g, '')
  return digits + fraction === '' ? null : [digits, fraction]
}

/** Empty for a number without one; null if no mark can be one. */
function decimalMarkOf(digits: string): '.' | ',' | '' | null {
  const [points, commas] = [digits.split('.').length - 1, digits.split(',').length - 1]
  if (points > 0 && commas > 0) {
    const isPoint = digits.lastIndexOf('.') > digits.lastIndexOf(',')
    return (isPoint ? points : commas) === 1 ? (isPoint ? '.' : ',') : null
  }
  if (points + commas > 1) return ''
  if (points === 1) return '.'
  return commas === 1 && !/^[1-9]\d{0,2},\d{3}$/.test(digits) ? ',' : ''
}

/** Reads what a learner wrote: the number with the unit before or behind it, or without it. */
export function readQuantity(written: string, unit: string): Decimal | null {
  const text = usualSigns(written)
  const named = usualSigns(unit)
  if (named !== '' && text.endsWith(named)) return readDecimal(text.slice(0, -named.length))
  if (named !== '' && text.startsWith(named)) return readDecimal(text.slice(named.length))
  return readDecimal(text)
}

/** With a decimal point and without separators, as `readDecimal` reads it again. */
export function printDecimal({ units, places }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const sign = units < 0n ? '-' : ''
  return `${sign}${digits.slice(0, digits.length - places)}${places === 0 ? '' : `.${digits.slice(-places)}`}`
}

/** Whether two numbers are at most the tolerance apart. */
export function isWithin(one: Decimal, other: Decimal, tolerance: Decimal): boolean {
  const places = Math.max(one.places, other.places, tolerance.places)
  const [a, b, most] = [one, other, tolerance].map((number) => number.units * 10n ** BigInt(places - number.places))
  if (a === undefined || b === undefined || most === undefined) return false
  const apart = a > b ? a - b : b - a
  return apart <= most
}

/** The middle of a range, and half of its width. */
export function middleOf(one: Decimal, other: Decimal): { value: Decimal; tolerance: Decimal } {
  const places = Math.max(one.places, other.places)
  const [a, b] = [one, other].map((number) => number.units * 10n ** BigInt(places - number.places))
  const [low = 0n, high = 0n] = [a, b]
  const half = (units: bigint) => shortened({ units: units * 5n, places: places + 1 })
  return { value: half(low + high), tolerance: half(high > low ? high - low : low - high) }
}

/** A share of a number in percent, without its sign. */
export function percentOf(number: Decimal, percent: Decimal): Decimal {
  const units = number.units * percent.units
  return shortened({ units: units < 0n ? -units : units, places: number.places + percent.places + 2 })
}

/** Without zeros at the end: equal numbers are printed alike. */
export function shortened({ units, places }: Decimal): Decimal {
  return places > 0 && units % 10n === 0n ? shortened({ units: units / 10n, places: places - 1 }) : { units, places }
}
