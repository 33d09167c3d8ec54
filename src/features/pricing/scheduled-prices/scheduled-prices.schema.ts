import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { parseDollars, type Cents } from '../../../lib/money.ts'
import { copy } from './scheduled-prices.copy.ts'
import { PERCENT_MAX, PERCENT_MIN, PRICE_MAX_CENTS, type PriceChange } from './scheduled-prices.ts'

const SCHEDULED_PRICE_KINDS = ['price', 'sale'] as const
const CATEGORIES = ['practitioner', 'associate', 'professional', 'specialty'] as const

/** The filter of the price list; invalid values are ignored. */
export const PriceFilter = z.object({
  search: z.string().trim().max(200).catch(''),
  category: z.enum(CATEGORIES).nullable().catch(null),
  after: z.uuid().nullable().catch(null),
})
export type PriceFilter = z.output<typeof PriceFilter>

const Dollars = z.string(copy['price.form.price']).transform((text, issues): Cents => {
  const amount = parseDollars(text)
  if (amount !== null && amount >= 0 && amount <= PRICE_MAX_CENTS) return amount
  issues.addIssue({ code: 'custom', message: copy['price.form.price'] })
  return z.NEVER
})

const Change = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('set'), price: Dollars })
    .transform(({ price }): PriceChange => ({ kind: 'set', cents: price })),
  z.object({
    kind: z.literal('percent'),
    percent: z
      .number(copy['price.form.percent'])
      .int(copy['price.form.percent'])
      .min(PERCENT_MIN, copy['price.form.percent'])
      .max(PERCENT_MAX, copy['price.form.percent']),
    rounding: z.enum(['none', '99']),
  }),
])

const Instant = z.iso.datetime(copy['price.form.instant']).transform((text) => new Date(text))

const When = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('from'), startsAt: Instant }),
  /** `startsAt` null: it begins at once. */
  z.object({ kind: z.literal('sale'), startsAt: Instant.nullable(), endsAt: Instant }),
])

const CourseSelection = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('some'),
    ids: z.array(z.uuid()).min(1, copy['price.form.courses']).max(500, copy['price.form.courses']),
  }),
  /** Every course that matches the filter of the list. */
  z.object({
    kind: z.literal('all'),
    search: z.string().trim().max(200),
    category: z.enum(CATEGORIES).nullable(),
  }),
])
export type CourseSelection = z.output<typeof CourseSelection>

export const ChangePrices = z.object({ which: CourseSelection, change: Change, when: When })
export type ChangePrices = z.output<typeof ChangePrices>
export type PricesForm = z.input<typeof ChangePrices>

/** A previewed change; `mark` is the preview's fingerprint, and an outdated mark is refused. */
export const ApplyPrices = ChangePrices.extend({ mark: z.string().max(100) })
export type ApplyPrices = z.output<typeof ApplyPrices>

/** The reasons for which a change leaves a course out. */
const LEFT_OUT = ['same', 'too-high', 'sale-not-lower', 'sale-overlaps'] as const
const PreviewRow = z.object({
  id: z.string(),
  title: z.string(),
  fromCents: z.number().int(),
  toCents: z.number().int().nullable(),
  /** The change then applies to the regular price. */
  isOnSale: z.boolean(),
  leftOut: z.enum(LEFT_OUT).nullable(),
})
export type PreviewRow = z.infer<typeof PreviewRow>

export const PricePreview = z.object({
  /** At most the first 200. */
  rows: z.array(PreviewRow),
  changeCount: z.number().int(),
  leftOutCount: z.number().int(),
  mark: z.string(),
})
export type PricePreview = z.infer<typeof PricePreview>

export const ScheduledPriceView = z.object({
  id: z.string(),
  kind: z.enum(SCHEDULED_PRICE_KINDS),
  cents: z.number().int(),
  startsAt: z.string(),
  endsAt: z.string().nullable(),
  state: z.enum(['planned', 'running', 'done', 'cancelled']),
})
export type ScheduledPriceView = z.infer<typeof ScheduledPriceView>

/** A course with its prices, as admins see it. */
export const PricedCourse = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['draft', 'published', 'withdrawn']),
  priceCents: z.number().int(),
  regularCents: z.number().int().nullable(),
  wasCents: z.number().int().nullable(),
  scheduledPrices: z.array(ScheduledPriceView),
})
export type PricedCourse = z.infer<typeof PricedCourse>

export const ScheduledPricePath = z.object({ scheduledPriceId: z.uuid() })

export const fail = failureTable({
  'price.changed-meanwhile': { status: 409, kind: 'validation', sentence: copy['price.changed-meanwhile'] },
  'price.nothing': { status: 409, kind: 'validation', sentence: copy['price.nothing'] },
  'price.instant': { status: 400, kind: 'validation', sentence: copy['price.form.past'] },
  'price.plan-not-found': { status: 404, kind: 'database', sentence: copy['price.plan-not-found'] },
})
