import { fill } from '../../../lib/failure.ts'
import { countFitting, defaultFilters } from '../study.ts'
import { DRILL_MAX, LAST_ATTEMPTS_MAX, type CountedStanding, type Source } from '../study.schema.ts'
import { copy } from './question-filters.copy.ts'

/** The sources that the form offers; due questions have a button of their own. */
export const OFFERED_SOURCES = ['missed', 'flagged', 'unseen'] as const satisfies readonly Source[]
export const CUSTOM_COUNT_MAX = 200
export const CUSTOM_MINUTES_MAX = 480

/** How the questions are answered: each answer shown at once, or timed and scored at the end. */
export type FilterKind = 'drill' | 'custom'

/** The form as it is filled in. */
export type TypedFilters = {
  readonly kind: FilterKind
  readonly from: readonly string[]
  readonly domains: readonly string[]
  readonly kinds: readonly string[]
  /** Counts only where missed questions are chosen. */
  readonly lastAttempts: string
  readonly count: string
  /** Counts only for a custom exam. */
  readonly minutes: string
}

/** The fields of the posted form. The checkboxes of a group are numbered: `domain.0`. */
export const FILTER_FIELDS = ['kind', 'from', 'domain', 'kind-of', 'lastAttempts', 'count', 'minutes'] as const

const FIRST = { lastAttempts: 3, count: 20, minutes: 30 } as const

/** The form before anything is chosen. A link to it may name the kind and a source. */
export function firstFilters(
  standings: readonly CountedStanding[],
  linked: { readonly kind: string | null; readonly from: string | null },
): TypedFilters {
  const kind = linked.kind === 'custom' ? 'custom' : 'drill'
  const named = OFFERED_SOURCES.filter((source) => source === linked.from)
  return {
    kind,
    from: named.length > 0 || kind === 'custom' ? named : defaultFilters(standings).from,
    domains: [],
    kinds: [],
    lastAttempts: String(FIRST.lastAttempts),
    count: String(FIRST.count),
    minutes: String(FIRST.minutes),
  }
}

/** The form as it was posted. */
export function postedFilters(form: Readonly<Record<string, string>>): TypedFilters {
  const chosen = (group: string) =>
    Object.entries(form).flatMap(([name, value]) => (name.startsWith(`${group}.`) ? [value] : []))
  const { lastAttempts = '', count = '', minutes = '' } = form
  return {
    kind: form['kind'] === 'custom' ? 'custom' : 'drill',
    from: OFFERED_SOURCES.filter((source) => chosen('from').includes(source)),
    domains: chosen('domain'),
    kinds: chosen('kind-of'),
    lastAttempts,
    count,
    minutes,
  }
}

/** The filters of a drill, as its call takes them. An odd number becomes NaN, which the call refuses with its sentence. */
export function drillFilters({ from, domains, kinds, lastAttempts, count }: TypedFilters) {
  return {
    from: OFFERED_SOURCES.filter((source) => from.includes(source)),
    lastAttempts: from.includes('missed') ? numberOf(lastAttempts) : FIRST.lastAttempts,
    domains: [...domains],
    kinds: [...kinds],
    count: numberOf(count),
  }
}

/** What a custom exam asks for, as its call takes it. */
export function customFilters(typed: TypedFilters) {
  return { ...drillFilters(typed), minutes: numberOf(typed.minutes) }
}

/** What is wrong with a field; fields that do not count are not judged. */
export function filterProblems(typed: TypedFilters): Partial<Record<'lastAttempts' | 'count' | 'minutes', string>> {
  const { kind, from } = typed
  return {
    ...(from.includes('missed') ? problem(typed, 'lastAttempts', LAST_ATTEMPTS_MAX) : {}),
    ...problem(typed, 'count', countMax(kind)),
    ...(kind === 'custom' ? problem(typed, 'minutes', CUSTOM_MINUTES_MAX) : {}),
  }
}

function problem(typed: TypedFilters, field: 'lastAttempts' | 'count' | 'minutes', max: number) {
  const value = numberOf(typed[field])
  const isRight = Number.isInteger(value) && value >= 1 && value <= max
  return isRight ? {} : { [field]: fill(copy[`filters.${field}.problem`], { max }) }
}

export function countMax(kind: FilterKind): number {
  return kind === 'drill' ? DRILL_MAX : CUSTOM_COUNT_MAX
}

/** The number of questions that fit what is chosen, whatever the numbers are. */
export function countTyped(standings: readonly CountedStanding[], typed: TypedFilters): number {
  const isOdd = filterProblems(typed).lastAttempts !== undefined
  return countFitting(standings, drillFilters(isOdd ? { ...typed, lastAttempts: String(FIRST.lastAttempts) } : typed))
}

/** How many questions fit, and how many of them are asked. */
export function fitSentence(n: number, { kind, count }: TypedFilters): string {
  if (n === 0) return copy['filters.fit.none']
  return fill(copy[`filters.fit.${kind}.${n <= Number(count) ? 'all' : 'some'}`], { n, count })
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}
