import { randomOf, shuffled } from '../../questions/types/shuffle.ts'
import type { AbilityPart } from '../readiness/ability.ts'
import { overallAbility } from '../readiness/exam-forecast.ts'
import { REMEMBERED, type CourseItem } from '../readiness/readiness.ts'
import { informationOf } from '../readiness/response-model.ts'
import { mostBehind } from './most-behind.ts'

/** How long a diagnostic is: it ends between the two as soon as the overall ability is known to `error` logits. */
export type DiagnosticLength = { readonly least: number; readonly most: number; readonly error: number }
export const FULL_LENGTH: DiagnosticLength = { least: 12, most: 20, error: 0.6 }
/** Of a visitor without the course. */
export const SHORT_LENGTH: DiagnosticLength = { least: 8, most: 8, error: 0 }

/** A question that a diagnostic may ask. */
export type Candidate = CourseItem & {
  /** Whether the learner answered it before, long enough ago to count as new. */
  readonly isSeen: boolean
}

/**
 * The most diagnostics that a question may be in, as a share. Each diagnostic knows only this random share of every domain, so that
 * the best questions are not in all of them. A domain that is too small for it gives more: twice what a diagnostic may ask of it.
 */
export const EXPOSURE_MAX = 0.4

export type DiagnosticState<One extends Candidate> = {
  readonly candidates: readonly One[]
  /** The questions so far. */
  readonly asked: readonly Pick<CourseItem, 'key' | 'domain'>[]
  /** The weight of each domain in the exam, in the order of the abilities. */
  readonly weights: ReadonlyMap<string, number>
  readonly abilities: readonly AbilityPart[]
  readonly seed: number
  readonly length: DiagnosticLength
}

/**
 * The question to ask next; null at the end. Of the domain that is furthest behind its share it is the question that says most at the
 * present estimate, new ones first. Equal states give equal questions.
 */
export function nextQuestion<One extends Candidate>(state: DiagnosticState<One>): One | null {
  const { asked, length, weights, abilities } = state
  if (asked.length >= length.most) return null
  if (asked.length >= length.least && errorOf(abilities, weights) <= length.error) return null
  const askedKeys = new Set(asked.map(({ key }) => key))
  const open = [...weights].flatMap(([domain, weight], place) => {
    const own = state.candidates.filter((one) => one.domain === domain)
    const done = asked.filter((one) => one.domain === domain).length
    const left = poolOf(own, weight, place, state).filter(({ key }) => !askedKeys.has(key))
    return left.length === 0 ? [] : [{ weight, place, done, left }]
  })
  const behind = mostBehind(open)
  return behind === null ? null : mostInformative(behind.left, abilities, behind.place)
}

/** The standard error of the overall ability, in logits. */
export function errorOf(abilities: readonly AbilityPart[], weights: ReadonlyMap<string, number>): number {
  return overallAbility(abilities, [...weights.values()]).deviation
}

/** The questions of a domain that this diagnostic knows, new ones first. */
function poolOf<One extends Candidate>(
  own: readonly One[],
  weight: number,
  place: number,
  { seed, length }: Pick<DiagnosticState<One>, 'seed' | 'length'>,
): readonly One[] {
  const askedMost = Math.ceil(weight * length.most) + 1
  const size = Math.max(Math.floor(EXPOSURE_MAX * own.length), 2 * askedMost)
  const mixed = shuffled(own, randomOf(seed + place))
  return [...mixed.filter(({ isSeen }) => !isSeen), ...mixed.filter(({ isSeen }) => isSeen)].slice(0, size)
}

function mostInformative<One extends Candidate>(
  left: readonly One[],
  abilities: readonly AbilityPart[],
  place: number,
): One | null {
  const fresh = left.filter(({ isSeen }) => !isSeen)
  const ability = abilities.reduce((sum, { share, means }) => sum + share * means[place]!, 0)
  const information = ({ item: { difficulty, deviation, guess }, isSeen }: One) =>
    informationOf(ability - difficulty, deviation, isSeen ? guess + (1 - guess) * REMEMBERED : guess)
  const best = (fresh.length === 0 ? left : fresh).map((one) => ({ one, said: information(one) }))
  return best.toSorted((a, b) => b.said - a.said)[0]?.one ?? null
}
