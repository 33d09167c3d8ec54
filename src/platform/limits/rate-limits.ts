import { fill } from '../../lib/failure.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts'
import { copy } from '../platform.copy.ts'
import { counted } from '../../lib/text.ts'

type Spec = {
  /** How often in a window; LIMITS changes it. */
  readonly count: number
  readonly windowMs: number
  /** Whose calls are counted together. Calls of a user also count for their network, which has `NETWORK_TIMES` as many. */
  readonly of: 'user' | 'network' | 'address'
  readonly what: string
}

/** How many users one network address may hold, such as a classroom: its limit is that of a user times this. */
const NETWORK_TIMES = 50

/** Every limit, with its default. */
const specs = {
  checkout: { count: 10, windowMs: MINUTE_MS, of: 'user', what: 'checkouts' },
  coupon: { count: 10, windowMs: MINUTE_MS, of: 'user', what: 'guesses of coupons and seat codes' },
  search: { count: 60, windowMs: MINUTE_MS, of: 'user', what: 'searches' },
  export: { count: 5, windowMs: MINUTE_MS, of: 'user', what: 'exports' },
  import: { count: 20, windowMs: HOUR_MS, of: 'user', what: 'imports' },
  report: { count: 30, windowMs: DAY_MS, of: 'user', what: 'reports of questions' },
  mail: { count: 5, windowMs: HOUR_MS, of: 'address', what: 'emails of a kind' },
  account: { count: 300, windowMs: 5 * MINUTE_MS, of: 'network', what: 'sign-ups, sign-ins and resets' },
  payment: { count: 300, windowMs: 5 * MINUTE_MS, of: 'network', what: 'quotes and checks of payments' },
  guest: { count: 300, windowMs: 5 * MINUTE_MS, of: 'network', what: 'new guests' },
  calendar: { count: 300, windowMs: 5 * MINUTE_MS, of: 'network', what: 'reads of calendars' },
  feedback: { count: 60, windowMs: 10 * MINUTE_MS, of: 'network', what: 'feedback messages' },
  bug: { count: 30, windowMs: 10 * MINUTE_MS, of: 'network', what: 'bug reports' },
} as const satisfies Record<string, Spec>

type LimitKind = keyof typeof specs
/** The limits that an endpoint can declare. */
export type CallLimit = Exclude<LimitKind, 'mail'>
/** What LIMITS changes. Streams are counted while they are open, in each process. */
export type LimitNumbers = Readonly<Record<LimitKind | 'stream' | 'network', number>>

export const limitSpecs: Readonly<Record<LimitKind, Spec>> = specs

const DEFAULTS: LimitNumbers = {
  ...(Object.fromEntries(Object.entries(specs).map(([kind, { count }]) => [kind, count])) as Record<LimitKind, number>),
  stream: 6,
  network: NETWORK_TIMES,
}
const LARGEST = 1_000_000

/** Reads LIMITS, such as 'checkout=20,search=120'; a limit that is not named keeps its default. */
export function readLimits(text: string): { readonly numbers: LimitNumbers; readonly problems: readonly string[] } {
  const numbers = { ...DEFAULTS }
  const problems: string[] = []
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    const [name = '', value = '', ...rest] = part.split('=').map((one) => one.trim())
    const number = Number(value)
    if (!Object.hasOwn(DEFAULTS, name)) problems.push(`'${name}' is not a limit; known are ${listNames()}`)
    else if (rest.length > 0 || !/^\d+$/.test(value) || number < 1 || number > LARGEST)
      problems.push(`'${part}' must be ${name}= and a whole number from 1 to ${LARGEST}`)
    else numbers[name as keyof LimitNumbers] = number
  }
  return { numbers, problems }
}

const listNames = () => Object.keys(DEFAULTS).join(', ')

/** The defaults in words, for .env.example. */
export function describeDefaults(): string {
  const counted = Object.entries(specs).map(
    ([kind, { count, windowMs, of, what }]) => `${kind}=${count} (${what}, ${per[of]} ${spanOf(windowMs)})`,
  )
  const streams = `stream=${DEFAULTS.stream} (open realtime streams, per user)`
  const network = `network=${NETWORK_TIMES} (how many times a user's limit one network address has)`
  return [...counted, streams, network].join(', ')
}

const per = { user: 'per user and', network: 'per network address and', address: 'per email address and' } as const

/** The limit of a call in words, for the description of the API. */
export function describeLimit(kind: LimitKind, numbers: LimitNumbers): string {
  const { windowMs, of } = specs[kind]
  const span = spanOf(windowMs)
  if (of !== 'user') return `At most ${numbers[kind]} ${per[of]} ${span}.`
  return `At most ${numbers[kind]} per user and ${span}, ${numbers[kind] * numbers.network} per network address.`
}

/** '5 minutes', 'hour' */
function spanOf(windowMs: number): string {
  const words = waitInWords(windowMs)
  return words.startsWith('1 ') ? words.slice(2) : words
}

/** The sentence of a refusal, which says when to try again. */
export function refusalSentence(of: 'user' | 'network', retryAfterSeconds: number): string {
  return fill(copy[`limit.${of}`], { wait: waitInWords(retryAfterSeconds * SECOND_MS) })
}

/** '40 seconds', '5 minutes', '3 hours'; rounded up. */
export function waitInWords(milliseconds: number): string {
  const count = (size: number) => Math.max(1, Math.ceil(milliseconds / size))
  const words = (number: number, unit: string) => `${counted(number, unit)}`
  if (milliseconds > 23 * HOUR_MS) return words(count(DAY_MS), 'day')
  if (milliseconds > 59 * MINUTE_MS) return words(count(HOUR_MS), 'hour')
  return milliseconds > 59 * SECOND_MS ? words(count(MINUTE_MS), 'minute') : words(count(SECOND_MS), 'second')
}

/** IPv6 addresses count by their /64, because a home or a server has all addresses of one. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('%')[0]!.split('::')
  const before = head === '' ? [] : head.split(':')
  const behind = tail === '' ? [] : tail.split(':')
  const missing = address.includes('::') ? Math.max(0, 8 - before.length - behind.length) : 0
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...behind]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}
