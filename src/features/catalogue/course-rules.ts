import { parseDollars, type Cents } from '../../lib/money.ts'
import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './catalogue.copy.ts'

/** A title has fewer characters than this. */
export const TITLE_LIMIT = 200
/** A description has fewer characters than this. */
export const DESCRIPTION_LIMIT = 2000
/** The bounds of a price, both included. */
export const PRICE_MIN_CENTS = 0
export const PRICE_MAX_CENTS = 999_999
/** The problem of a title; null when it is valid. */
export function titleProblem(title: string): string | null {
  const text = title.trim()
  if (isBlank(text)) return copy['validate.title.required']
  if (lengthOf(text) >= TITLE_LIMIT) return copy['validate.title.length']
  if (/[<>]/.test(text)) return copy['validate.title.chars']
  return null
}

/** The problem of a description; null when it is valid. */
export function descriptionProblem(description: string): string | null {
  return lengthOf(description.trim()) >= DESCRIPTION_LIMIT ? copy['validate.description.length'] : null
}

/** The description to store: 'No description' when it is empty. */
export function storedDescription(description: string): string {
  const text = description.trim()
  return isBlank(text) ? copy['course.description.default'] : text
}

type PriceJudgement =
  { readonly kind: 'price'; readonly priceCents: Cents } | { readonly kind: 'refused'; readonly sentence: string }

/** Validates a price in dollars: 0 to 9999.99, rounded to two decimals. */
export function judgePrice(value: string | number): PriceJudgement {
  const isNumber = typeof value === 'number' ? !Number.isNaN(value) : /^-?\d+(\.\d+)?$/.test(value.trim())
  // A number with too many digits becomes Infinity, which is above the limit.
  const number = Number(value)
  if (!isNumber) return { kind: 'refused', sentence: copy['validate.price.form'] }
  if (number < 0) return { kind: 'refused', sentence: copy['validate.price.negative'] }
  if (number > PRICE_MAX_CENTS / 100) return { kind: 'refused', sentence: copy['validate.price.max'] }
  const priceCents = parseDollars(number.toFixed(2))
  return priceCents === null
    ? { kind: 'refused', sentence: copy['validate.price.form'] }
    : { kind: 'price', priceCents }
}

/** The title of a copy. A long title is shortened, so that the mark fits. */
export function copyTitle(title: string): string {
  const suffix = ' (copy)'
  const start = [...title].slice(0, TITLE_LIMIT - 1 - suffix.length).join('')
  return `${start.trimEnd()}${suffix}`
}
