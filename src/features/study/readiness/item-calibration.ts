import { rightChance, type Normal } from './response-model.ts'

/** A question to calibrate. Versions with another answer key are other questions. */
export type CalibrationItem = {
  /** The difficulty that its author's label stands for. */
  readonly label: string
  /** The chance of a blind answer. */
  readonly guess: number
}

/** All responses, one place in each array a response. Persons and items are places from 0. */
export type CalibrationResponses = {
  readonly persons: Int32Array
  readonly items: Int32Array
  readonly isRight: Uint8Array
  readonly personCount: number
}

export type CalibrationOptions = {
  /** The difficulty that a label stands for before any response. Labels without an entry are 0. */
  readonly labels: Readonly<Record<string, number>>
  /** How far questions lie from their label; estimated if left out. */
  readonly itemDeviation?: number
  /** Whether the labels' difficulties are taken as they are, or moved by the responses. */
  readonly isFixedLabels?: boolean
  /** Responses that one slice of work may look at. */
  readonly sliceSize?: number
}

export type CalibratedItem = {
  readonly difficulty: number
  /** Its standard error. */
  readonly deviation: number
  readonly responseCount: number
}

export type Calibration = {
  readonly items: readonly CalibratedItem[]
  /** The distribution of the persons' abilities. */
  readonly ability: Normal
  readonly itemDeviation: number
  readonly labels: Readonly<Record<string, number>>
  readonly rounds: number
}

/** Abilities from -REACH to REACH deviations from the mean, at NODES points. */
const NODES = 41
const REACH = 4.5
/** The estimates have settled when none moves more in a round. */
const SETTLED = 0.0003
const MAX_ROUNDS = 300
const SLICE = 5_000
/** Items that are moved in one slice. */
const SLICE_ITEMS = 250
/** How far a label's difficulty may lie from the stated one. */
const LABEL_ERROR = 0.5
/** Bounds that keep an estimated deviation finite when all answers or all questions are alike. */
const DEVIATIONS = { least: 0.1, most: 4 }

/**
 * Estimates difficulties by marginal maximum a posteriori likelihood (EM over the persons' abilities). It yields between slices of
 * work, so that a server can do other things; the last value is the result.
 */
export function* calibrateItems(
  responses: CalibrationResponses,
  items: readonly CalibrationItem[],
  options: CalibrationOptions,
): Generator<void, Calibration> {
  const ordered = yield* byPerson(responses, items.length, options.sliceSize ?? SLICE)
  const fit = startOf(items, options)
  let rounds = 0
  while (rounds < MAX_ROUNDS) {
    rounds++
    const expected = yield* expectAnswers(ordered, items, fit, options.sliceSize ?? SLICE)
    const moved = yield* maximize(expected, items, fit, options)
    if (moved < SETTLED) break
  }
  const information = yield* informationOf(ordered, items, fit, options.sliceSize ?? SLICE)
  return {
    items: items.map((_, place) => ({
      difficulty: fit.difficulties[place]!,
      deviation: 1 / Math.sqrt(information[place]! + 1 / fit.itemDeviation ** 2),
      responseCount: ordered.counts[place]!,
    })),
    ability: { mean: fit.mean, deviation: fit.deviation },
    itemDeviation: fit.itemDeviation,
    labels: Object.fromEntries(fit.labels),
    rounds,
  }
}

/** Responses person by person: those of person p are from starts[p] up to, and without, starts[p + 1]. */
type Ordered = {
  readonly starts: Int32Array
  readonly items: Int32Array
  readonly isRight: Uint8Array
  readonly personCount: number
  /** Responses to each item. */
  readonly counts: Int32Array
}

function* byPerson(responses: CalibrationResponses, itemCount: number, sliceSize: number): Generator<void, Ordered> {
  const { persons, personCount } = responses
  const size = persons.length
  const starts = new Int32Array(personCount + 1)
  for (const person of persons) starts[person + 1]!++
  for (let person = 0; person < personCount; person++) starts[person + 1]! += starts[person]!
  yield
  const next = starts.slice()
  const items = new Int32Array(size)
  const isRight = new Uint8Array(size)
  const counts = new Int32Array(itemCount)
  for (let place = 0; place < size; place++) {
    const at = next[persons[place]!]!++
    items[at] = responses.items[place]!
    isRight[at] = responses.isRight[place]!
    counts[items[at]!]!++
    if (place % sliceSize === sliceSize - 1) yield
  }
  return { starts, items, isRight, personCount, counts }
}

type Fit = {
  readonly difficulties: Float64Array
  readonly labels: Map<string, number>
  itemDeviation: number
  /** The mean and deviation of the abilities. */
  mean: number
  deviation: number
}

function startOf(items: readonly CalibrationItem[], options: CalibrationOptions): Fit {
  const labels = new Map(items.map(({ label }) => [label, options.labels[label] ?? 0]))
  return {
    difficulties: Float64Array.from(items, ({ label }) => labels.get(label) ?? 0),
    labels,
    itemDeviation: options.itemDeviation ?? 1,
    mean: 0.5,
    deviation: 1,
  }
}

/** What the present fit expects: answers and right answers to each item at each ability, and the moments of the abilities. */
type Expected = {
  /** Item by item, NODES numbers each. */
  readonly answers: Float64Array
  readonly rights: Float64Array
  readonly abilities: Float64Array
  readonly mean: number
  readonly variance: number
}

function* expectAnswers(
  responses: Ordered,
  items: readonly CalibrationItem[],
  fit: Fit,
  sliceSize: number,
): Generator<void, Expected> {
  const answers = new Float64Array(items.length * NODES)
  const rights = new Float64Array(items.length * NODES)
  const { abilities, logShares } = nodesOf(fit)
  yield
  const logs = logChances(items, fit.difficulties, abilities)
  let [people, sum, squares] = [0, 0, 0]
  yield
  const shares = new Float64Array(NODES)
  let sinceYield = 0
  for (let person = 0; person < responses.personCount; person++) {
    const [from, to] = [responses.starts[person]!, responses.starts[person + 1]!]
    if (from === to) continue
    personShares(shares, responses, person, logs, logShares)
    for (let at = from; at < to; at++) {
      const base = responses.items[at]! * NODES
      const right = responses.isRight[at]!
      for (let node = 0; node < NODES; node++) {
        answers[base + node]! += shares[node]!
        if (right === 1) rights[base + node]! += shares[node]!
      }
    }
    people++
    for (let node = 0; node < NODES; node++) {
      sum += shares[node]! * abilities[node]!
      squares += shares[node]! * abilities[node]! ** 2
    }
    sinceYield += to - from
    if (sinceYield >= sliceSize) {
      sinceYield = 0
      yield
    }
  }
  const mean = people === 0 ? fit.mean : sum / people
  const variance = people === 0 ? fit.deviation ** 2 : squares / people - mean * mean
  return { answers, rights, abilities, mean, variance }
}

function nodesOf({ mean, deviation }: Fit) {
  const points = Float64Array.from({ length: NODES }, (_, node) => REACH * ((2 * node) / (NODES - 1) - 1))
  return { abilities: points.map((at) => mean + deviation * at), logShares: points.map((at) => (-at * at) / 2) }
}

/** The logarithms of the chances of a wrong and a right answer, item by item at each ability. */
function logChances(items: readonly CalibrationItem[], difficulties: Float64Array, abilities: Float64Array) {
  const right = new Float64Array(items.length * NODES)
  const wrong = new Float64Array(items.length * NODES)
  items.forEach(({ guess }, item) => {
    for (let node = 0; node < NODES; node++) {
      const chance = rightChance(abilities[node]! - difficulties[item]!, guess)
      right[item * NODES + node] = Math.log(chance)
      wrong[item * NODES + node] = Math.log(1 - chance)
    }
  })
  return { right, wrong }
}

/** Writes how likely each ability is for a person, given their responses. */
function personShares(
  shares: Float64Array,
  { starts, items, isRight }: Ordered,
  person: number,
  logs: { readonly right: Float64Array; readonly wrong: Float64Array },
  logShares: Float64Array,
) {
  shares.set(logShares)
  for (let at = starts[person]!; at < starts[person + 1]!; at++) {
    const table = isRight[at] === 1 ? logs.right : logs.wrong
    const base = items[at]! * NODES
    for (let node = 0; node < NODES; node++) shares[node]! += table[base + node]!
  }
  let most = -Infinity
  for (let node = 0; node < NODES; node++) if (shares[node]! > most) most = shares[node]!
  let total = 0
  for (let node = 0; node < NODES; node++) total += shares[node] = Math.exp(shares[node]! - most)
  for (let node = 0; node < NODES; node++) shares[node]! /= total
}

/** Moves the fit to the most likely one under what was expected. @returns the largest change of a difficulty */
function* maximize(
  expected: Expected,
  items: readonly CalibrationItem[],
  fit: Fit,
  options: CalibrationOptions,
): Generator<void, number> {
  const { difficulties, labels } = fit
  const before = difficulties.slice()
  let unexplained = 0
  for (const [item, { guess, label }] of items.entries()) {
    const prior = { mean: labels.get(label) ?? 0, deviation: fit.itemDeviation }
    const found = difficultyFrom(expected, item, guess, prior, before[item]!)
    difficulties[item] = found.difficulty
    unexplained += (found.difficulty - prior.mean) ** 2 + found.variance
    if (item % SLICE_ITEMS === SLICE_ITEMS - 1) yield
  }
  if (items.length > 0 && options.itemDeviation === undefined)
    fit.itemDeviation = bounded(Math.sqrt(unexplained / items.length))
  if (options.isFixedLabels !== true) moveLabels(items, fit, options)
  fit.mean = expected.mean
  fit.deviation = bounded(Math.sqrt(expected.variance))
  anchor(items, fit, options)
  return difficulties.reduce((most, difficulty, item) => Math.max(most, Math.abs(difficulty - before[item]!)), 0)
}

const bounded = (deviation: number) => Math.min(DEVIATIONS.most, Math.max(DEVIATIONS.least, deviation))

/** Newton's steps to the peak for one item, each at most 1, so that an item that everybody gets right stays finite. */
function difficultyFrom(
  { answers, rights, abilities }: Expected,
  item: number,
  guess: number,
  prior: Normal,
  start: number,
): { difficulty: number; variance: number } {
  const precision = 1 / prior.deviation ** 2
  let difficulty = start
  let information = precision
  for (let step = 0; step < 8; step++) {
    let slope = -(difficulty - prior.mean) * precision
    information = precision
    for (let node = 0; node < NODES; node++) {
      const known = 1 / (1 + Math.exp(difficulty - abilities[node]!))
      const chance = guess + (1 - guess) * known
      const weight = known / chance
      slope -= (rights[item * NODES + node]! - answers[item * NODES + node]! * chance) * weight
      information += answers[item * NODES + node]! * chance * (1 - chance) * weight * weight
    }
    const change = Math.max(-1, Math.min(1, slope / information))
    difficulty += change
    if (Math.abs(change) < 1e-6) break
  }
  return { difficulty, variance: 1 / information }
}

/** A label's difficulty is the mean of its questions, pulled towards the stated one. */
function moveLabels(items: readonly CalibrationItem[], fit: Fit, options: CalibrationOptions) {
  for (const label of fit.labels.keys()) {
    const stated = options.labels[label] ?? 0
    const own = items.flatMap((item, place) => (item.label === label ? [fit.difficulties[place]!] : []))
    const weight = 1 / fit.itemDeviation ** 2
    const sum = own.reduce((total, difficulty) => total + difficulty, 0)
    fit.labels.set(label, (sum * weight + stated / LABEL_ERROR ** 2) / (own.length * weight + 1 / LABEL_ERROR ** 2))
  }
}

/**
 * Responses tell differences only: abilities and difficulties could all move together. The mean difficulty is therefore what the
 * labels state, and the rest follows.
 */
function anchor(items: readonly CalibrationItem[], fit: Fit, options: CalibrationOptions) {
  if (items.length === 0) return
  const stated = items.reduce((sum, { label }) => sum + (options.labels[label] ?? 0), 0)
  const off = (fit.difficulties.reduce((sum, difficulty) => sum + difficulty, 0) - stated) / items.length
  fit.difficulties.forEach((difficulty, item) => (fit.difficulties[item] = difficulty - off))
  fit.mean -= off
}

/**
 * The information of the responses to each item about its difficulty, with the abilities unknown: the sum of the squares of what each
 * response, averaged over the abilities of its person, says.
 */
function* informationOf(
  responses: Ordered,
  items: readonly CalibrationItem[],
  fit: Fit,
  sliceSize: number,
): Generator<void, Float64Array> {
  const information = new Float64Array(items.length)
  const { abilities, logShares } = nodesOf(fit)
  const logs = logChances(items, fit.difficulties, abilities)
  yield
  const slopes = slopesOf(items, fit.difficulties, abilities)
  const shares = new Float64Array(NODES)
  let sinceYield = 0
  for (let person = 0; person < responses.personCount; person++) {
    const [from, to] = [responses.starts[person]!, responses.starts[person + 1]!]
    if (from === to) continue
    personShares(shares, responses, person, logs, logShares)
    for (let at = from; at < to; at++) {
      const item = responses.items[at]!
      const table = responses.isRight[at] === 1 ? slopes.right : slopes.wrong
      let slope = 0
      for (let node = 0; node < NODES; node++) slope += shares[node]! * table[item * NODES + node]!
      information[item]! += slope * slope
    }
    sinceYield += to - from
    if (sinceYield >= sliceSize) {
      sinceYield = 0
      yield
    }
  }
  return information
}

/** The derivative of the log chance of an answer by the difficulty. */
function slopesOf(items: readonly CalibrationItem[], difficulties: Float64Array, abilities: Float64Array) {
  const right = new Float64Array(items.length * NODES)
  const wrong = new Float64Array(items.length * NODES)
  items.forEach(({ guess }, item) => {
    for (let node = 0; node < NODES; node++) {
      const known = 1 / (1 + Math.exp(difficulties[item]! - abilities[node]!))
      const chance = guess + (1 - guess) * known
      right[item * NODES + node] = (-(1 - guess) * known * (1 - known)) / chance
      wrong[item * NODES + node] = known
    }
  })
  return { right, wrong }
}
