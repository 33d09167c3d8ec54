import { lengthOf } from '../../../lib/text.ts'
import { cueOptionsOf } from '../types/check-registry.ts'
import type { Question } from '../types/question-types.schema.ts'
import type { CueOption } from '../types/type-checks.ts'
import { remark } from './bank-checks.copy.ts'
import { CUE_PLACES, CUE_STRATEGIES, type CueMeasure, type CueStrategy, type Remark } from './bank-checks.schema.ts'
import { tellingWords, wordsOf } from './telling-words.ts'

/**
 * How often a learner who knows nothing finds the answer key by each strategy, and how often by chance. A strategy picks options
 * of each question that has one right option. Options that it can't tell apart share the point; of a pair either one may be the
 * key. A question of which a strategy would pick no option or every one is left out, because it says nothing about it. Strategies
 * that never apply are not listed.
 */
export function measureCues(questions: readonly Question[]): CueMeasure[] {
  const sums = new Map(CUE_STRATEGIES.map((strategy) => [strategy, { applies: 0, found: 0, chance: 0 }]))
  for (const question of questions) {
    const options = cueOptionsOf(question)
    if (options === null) continue
    for (const { strategy, picked, isPair } of picksOf(question.stem, options)) {
      const sum = sums.get(strategy)
      if (sum === undefined || picked.length === 0 || picked.length === options.length) continue
      const point = isPair ? 1 : 1 / picked.length
      sum.applies++
      sum.chance += (point * picked.length) / options.length
      if (picked.some((place) => options[place]?.isRight)) sum.found += point
    }
  }
  return [...sums].flatMap(([strategy, { applies, found, chance }]) =>
    applies === 0 ? [] : [{ strategy, applies, found: found / applies, chance: chance / applies }],
  )
}

/** The number of questions from which a difference from chance is meaningful, and the difference that is accepted. */
const CUE_FLOOR = 100
const CUE_SHARE = 0.03
const STANDARD_ERRORS = 2

/** Whether a strategy finds the key so often, or so seldom, that a learner could use it. */
export function isCue({ applies, found, chance }: CueMeasure): boolean {
  const difference = Math.abs(found - chance)
  const error = Math.sqrt((chance * (1 - chance)) / applies)
  return applies >= CUE_FLOOR && difference > CUE_SHARE && difference > STANDARD_ERRORS * error
}

/** The strategies that help a learner who knows nothing. */
export function cueRemarks(measures: readonly CueMeasure[]): Remark[] {
  return measures
    .filter(isCue)
    .map(({ strategy, applies, found, chance }) =>
      remark('cue-finds-key', strategy, (100 * found).toFixed(1), applies, (100 * chance).toFixed(1)),
    )
}

interface Pick {
  strategy: CueStrategy
  /** The places of the options in the order of the author. */
  picked: readonly number[]
  isPair?: boolean
}

function picksOf(stem: string, options: readonly CueOption[]): Pick[] {
  const words = options.map(({ text }) => wordsOf(text))
  const lengths = options.map(({ text }) => lengthOf(text))
  const inStem = new Set(tellingWords(wordsOf(stem)))
  const repeated = words.map((mine) => new Set(tellingWords(mine).filter((word) => inStem.has(word))).size)
  const hasAbsolute = words.map((mine) => Number(mine.some((word) => ABSOLUTE_WORDS.has(word))))
  const pairs = pairsOf(words.map((mine) => new Set(mine)))
  const likeness = options.map((_, place) =>
    sum(pairs.filter(({ places }) => places.includes(place)).map(({ share }) => share)),
  )
  return [
    { strategy: 'longest', picked: highest(lengths) },
    { strategy: 'shortest', picked: highest(lengths.map((length) => -length)) },
    { strategy: 'most-like-others', picked: highest(likeness) },
    { strategy: 'words-of-stem', picked: highest(repeated) },
    { strategy: 'no-absolute-words', picked: highest(hasAbsolute.map((one) => -one)) },
    ...pairPicks(pairs),
    ...CUE_PLACES.slice(0, options.length).map((strategy, place) => ({ strategy, picked: [place] })),
  ]
}

const ABSOLUTE_WORDS = new Set(
  `all always cannot completely entirely every everything everywhere exclusively impossible must never no none nothing only
  solely`.split(/\s+/),
)

/** The places with the highest number. Sums of shares differ in their last digits by the order of addition. */
function highest(numbers: readonly number[]): number[] {
  const most = Math.max(...numbers)
  return numbers.flatMap((number, place) => (number > most - 1e-9 ? [place] : []))
}

interface Pair {
  places: readonly [number, number]
  /** The words that both have, over the words that either has. */
  share: number
}

function pairsOf(words: readonly ReadonlySet<string>[]): Pair[] {
  return words.flatMap((mine, place) =>
    words.slice(place + 1).map((others, at): Pair => {
      const common = [...mine].filter((word) => others.has(word)).length
      return { places: [place, place + 1 + at], share: common / (mine.size + others.size - common) }
    }),
  )
}

/** The options that look most alike. If several pairs are equally alike, none stands out. */
function pairPicks(pairs: readonly Pair[]): Pick[] {
  const alike = highest(pairs.map(({ share }) => share)).map((at) => pairs[at])
  const [pair] = alike
  if (pair === undefined || alike.length > 1) return []
  return PAIR_SHARES.filter(({ least }) => pair.share >= least - 1e-9).map(({ strategy }) => ({
    strategy,
    picked: pair.places,
    isPair: true,
  }))
}

const PAIR_SHARES = [
  { strategy: 'pair-35', least: 0.35 },
  { strategy: 'pair-50', least: 0.5 },
  { strategy: 'pair-80', least: 0.8 },
] as const

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
