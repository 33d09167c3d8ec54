import { comparedPartsOf, compareKeys } from '../types/check-registry.ts'
import type { Question, QuestionType } from '../types/question-types.schema.ts'
import { remark } from './bank-checks.copy.ts'
import type { Remark } from './bank-checks.schema.ts'
import { tellingWords, wordsOf } from './telling-words.ts'

/**
 * A remark for each question that is too similar to an earlier one, by its place: only the gravest repetition or contradiction.
 */
export function likenesses(questions: Question[], whereIs: (place: number) => string): Map<number, Remark[]> {
  const numberOfWord = numbering()
  const shapes = questions.map((question) => shapeOf(question, numberOfWord))
  const gravest = new Map<number, { likeness: Likeness; earlier: number }>()
  forEachPair(numbered(shapes.map(({ features }) => features)), (later, earlier, share) => {
    const [a, b] = [shapes[earlier], shapes[later]]
    const likeness = a && b ? likenessOf(a, b, share) : null
    const known = gravest.get(later)
    if (likeness && (!known || gravityOf(likeness) > gravityOf(known.likeness)))
      gravest.set(later, { likeness, earlier })
  })
  return new Map(
    [...gravest].map(([later, { likeness, earlier }]) => [
      later,
      [remarkOf(likeness, questions[earlier]?.id ?? '', whereIs(earlier))],
    ]),
  )
}

/** Shares of common features: of the same question, perhaps reworded, and of the same situation. */
const NEAR = 0.5
const RELATED = 0.28
/** Below `NEAR`, a share of a short question means little: at least so many features must be common. */
const RELATED_FLOOR = 10
const PART_ALIKE = 0.85

/** Limits for one question: features in the index, questions for each feature, full comparisons. */
const INDEXED = 32
const POSTINGS_LIMIT = 100
const COMPARED = 24

/** Words are numbers and features are keys of numbers: the texts of twenty thousand questions as sets would not fit into a worker. */
interface Shape {
  type: QuestionType
  /** All words in order. One word may reverse a question, so answer keys contradict each other only below equal words. */
  words: string
  features: Float64Array
  parts: { words: Int32Array; keyValue: string; isRight: boolean }[]
}

type Likeness =
  | { kind: 'keys-contradict' }
  | { kind: 'forms-differ' }
  | { kind: 'near-duplicate' | 'same-stem'; share: number; options: string }

function likenessOf(a: Shape, b: Shape, share: number): Likeness {
  const pairs = alikePairs(a, b)
  const arePartsSame = pairs.length === a.parts.length && pairs.length === b.parts.length
  const keys = pairs.map(([mine, other]) => compareKeys(a.type, mine.keyValue, other.keyValue))
  const isKeySame = keys.every((key) => key === 'same')
  if (a.words === b.words && !isKeySame) return { kind: keys.includes('contrary') ? 'keys-contradict' : 'forms-differ' }
  if (arePartsSame && (isKeySame || share >= NEAR)) {
    const options = isKeySame ? 'the same answers and key' : 'the same answers with another key'
    return { kind: 'near-duplicate', share, options }
  }
  const rightPairs = pairs.filter(([mine, other]) => mine.isRight && other.isRight).length
  const isRightSame = rightPairs === rightCount(a) && rightPairs === rightCount(b)
  return {
    kind: isRightSame && share >= NEAR ? 'near-duplicate' : 'same-stem',
    share,
    options: 'the same right answer',
  }
}

/** Each part of one question with the part of the other that says the same. */
function alikePairs(a: Shape, b: Shape): [Shape['parts'][number], Shape['parts'][number]][] {
  if (a.type !== b.type) return []
  const left = new Set(b.parts)
  return a.parts.flatMap((mine) => {
    const other = [...left].find((candidate) => isAlike(mine.words, candidate.words))
    if (!other) return []
    left.delete(other)
    return [[mine, other]]
  })
}

function rightCount({ parts }: Shape): number {
  return parts.filter(({ isRight }) => isRight).length
}

function isAlike(a: Int32Array, b: Int32Array): boolean {
  if (Math.min(a.length, b.length) < PART_ALIKE * Math.max(a.length, b.length)) return false
  const common = commonCount(a, b)
  return common >= PART_ALIKE * (a.length + b.length - common)
}

function gravityOf(likeness: Likeness): number {
  if (likeness.kind === 'keys-contradict') return 3
  if (likeness.kind === 'forms-differ') return 1
  return likeness.share + (likeness.kind === 'near-duplicate' ? 1 : 0)
}

function remarkOf(likeness: Likeness, id: string, where: string): Remark {
  const { kind } = likeness
  if (kind === 'keys-contradict' || kind === 'forms-differ') return remark(kind, id, where)
  const percent = Math.round(likeness.share * 100)
  return remark(kind, id, where, percent, likeness.options)
}

/** Larger than the number of any word, so that different words and pairs of words never share a key. */
const MAX_WORDS = 2 ** 26

/** A question as it is compared: its telling words, each two neighbors of them, and its parts. */
function shapeOf(question: Question, numberOf: (word: string) => number): Shape {
  const all = wordsOf(question.stem)
  const telling = tellingWords(all)
  const words = (telling.length > 1 ? telling : all).map(numberOf)
  const neighbors = words.slice(1).map((word, at) => ((words[at] ?? 0) + 1) * MAX_WORDS + word)
  return {
    type: question.type,
    words: all.join(' '),
    features: Float64Array.from(new Set([...words, ...neighbors])),
    parts: comparedPartsOf(question).map(({ text, ...part }) => ({
      ...part,
      words: Int32Array.from(new Set(wordsOf(text).map(numberOf))).sort(),
    })),
  }
}

/** Numbers words from 0 in the order in which they are first seen. */
function numbering(): (word: string) => number {
  const numbers = new Map<string, number>()
  return (word) => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return number
  }
}

/** The place of each key among all of them, ascending, for each question. */
function numbered(keys: Float64Array[]): Int32Array[] {
  const all = new Float64Array(sum(keys.map(({ length }) => length)))
  let end = 0
  for (const mine of keys) {
    all.set(mine, end)
    end += mine.length
  }
  const distinct = all.sort().filter((key, at) => key !== all[at - 1])
  return keys.map((mine) => Int32Array.from(mine, (key) => placeIn(distinct, key)).sort())
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function placeIn(ascending: Float64Array, key: number): number {
  let [from, to] = [0, ascending.length - 1]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ascending[middle] ?? 0) < key) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * Visits the pairs that share enough features. An index from the rarest features of a question to the question finds candidates,
 * and only those that share most of these features are compared in full: twenty thousand questions take seconds, even if all of
 * them follow one pattern.
 */
function forEachPair(features: Int32Array[], visit: (later: number, earlier: number, share: number) => void): void {
  const frequency = frequencies(features)
  const postings = createPostings(frequency.length, sum(features.map(({ length }) => Math.min(length, INDEXED))))
  const counts = new Int32Array(features.length)
  for (const [later, mine] of features.entries()) {
    const candidates: number[] = []
    for (const feature of mine)
      postings.visit(feature, (earlier) => {
        const count = counts[earlier] ?? 0
        if (count === 0) candidates.push(earlier)
        counts[earlier] = count + 1
      })
    for (const earlier of mostCounted(candidates, counts)) {
      const others = features[earlier] ?? mine
      const common = commonCount(mine, others)
      const share = common / (mine.length + others.length - common || 1)
      if (share >= NEAR || (share >= RELATED && common >= RELATED_FLOOR)) visit(later, earlier, share)
    }
    for (const earlier of candidates) counts[earlier] = 0
    for (const feature of rarest(mine, frequency)) postings.add(feature, later)
  }
}

/** The questions of each feature, at most `POSTINGS_LIMIT`, as linked lists in a few arrays: most features have one question. */
function createPostings(features: number, capacity: number) {
  const [first, last, lengths] = [new Int32Array(features), new Int32Array(features), new Uint8Array(features)]
  // Entries are counted from 1; 0 is the end of a list.
  const [places, next] = [new Int32Array(capacity + 1), new Int32Array(capacity + 1)]
  let size = 0
  return {
    add(feature: number, place: number) {
      const length = lengths[feature] ?? 0
      if (length === POSTINGS_LIMIT) return
      lengths[feature] = length + 1
      size++
      places[size] = place
      if (length === 0) first[feature] = size
      else next[last[feature] ?? 0] = size
      last[feature] = size
    },
    visit(feature: number, see: (place: number) => void) {
      for (let at = first[feature] ?? 0; at !== 0; at = next[at] ?? 0) see(places[at] ?? 0)
    },
  }
}

function frequencies(features: Int32Array[]): Int32Array {
  const frequency = new Int32Array(features.reduce((highest, ids) => Math.max(highest, (ids.at(-1) ?? -1) + 1), 0))
  for (const ids of features) for (const feature of ids) frequency[feature] = (frequency[feature] ?? 0) + 1
  return frequency
}

function rarest(mine: Int32Array, frequency: Int32Array): number[] {
  if (mine.length <= INDEXED) return [...mine]
  return [...mine].sort((a, b) => (frequency[a] ?? 0) - (frequency[b] ?? 0)).slice(0, INDEXED)
}

/** The candidates with the highest counts; among equals the earliest. */
function mostCounted(candidates: number[], counts: Int32Array): number[] {
  if (candidates.length <= COMPARED) return candidates
  const withCount: number[] = []
  for (const place of candidates) withCount[counts[place] ?? 0] = (withCount[counts[place] ?? 0] ?? 0) + 1
  let least = withCount.length
  for (let taken = 0; least > 1 && taken < COMPARED;) taken += withCount[--least] ?? 0
  const above = candidates.filter((place) => (counts[place] ?? 0) > least)
  const last = candidates.filter((place) => counts[place] === least).slice(0, COMPARED - above.length)
  return [...above, ...last]
}

function commonCount(a: Int32Array, b: Int32Array): number {
  let common = 0
  for (let at = 0, other = 0; at < a.length && other < b.length;) {
    const difference = (a[at] ?? 0) - (b[other] ?? 0)
    if (difference === 0) common++
    if (difference <= 0) at++
    if (difference >= 0) other++
  }
  return common
}
