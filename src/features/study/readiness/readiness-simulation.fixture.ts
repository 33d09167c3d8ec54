import { randomOf, shuffled } from '../../questions/types/shuffle.ts'
import { abilitiesAfter, type AbilityPart, type Response } from './ability.ts'
import { forecastOf, scoreChances, type ExamDomain, type ScoreForecast } from './exam-forecast.ts'
import { shiftAfter, STATED_SHIFT, toldAbility, type ExamResult } from './exam-shift.ts'
import { PRIOR, REMEMBERED, shareOut } from './readiness.ts'
import { rightChance, type Item, type Normal } from './response-model.ts'

/** Learners of one kind. */
export type Scenario = {
  readonly name: string
  readonly responses: number
  /** What a learner gains from the first response to the last, in logits. */
  readonly gain: number
  /** The deviation of the questions' difficulties. */
  readonly difficultyDeviation: number
  /** How the gain comes about; evenly where left out. */
  readonly path?: 'even' | 'last-half' | 'wandering'
  /** The ability at the first response; that of the usual learners where left out. */
  readonly start?: Normal
  /** From the first response to the forecast. */
  readonly days?: number
  /** How many responses are given at once; one where left out. */
  readonly examSize?: number
  /** The share of questions that were seen long ago, and how many of those are remembered. */
  readonly seen?: { readonly share: number; readonly remembered: number }
  /** Whether the model knows only the spread of the difficulties. */
  readonly isUncalibrated?: boolean
}

/** The usual learners: 76% right at the start, two of three between 61% and 91%. */
const USUAL_START: Normal = { mean: 1, deviation: 1 }
const DOMAIN_DEVIATION = 0.5
const WEIGHTS = [0.3, 0.26, 0.24, 0.2]
const EXAM_QUESTIONS = 65
const PASSING_PERCENT = 72
const USUAL_DAYS = 20
/** Three of four questions have one right option of four, the others two of five. */
const GUESSES = [0.25, 0.25, 0.25, 0.1]
const MEAN_GUESS = GUESSES.reduce((sum, guess) => sum + guess, 0) / GUESSES.length

/** A forecast beside what happened, and beside the one of somebody who knows the learner and the exam and lacks only their luck. */
type Outcome = {
  readonly told: ScoreForecast
  readonly knowing: ScoreForecast
  readonly scorePercent: number
}
export type Run = { readonly narrow: Outcome; readonly wide: Outcome }

/** Numbers that are drawn in the same order for equal seeds. */
type Dice = { readonly random: () => number; readonly normal: () => number }

function diceOf(seed: number): Dice {
  const random = randomOf(seed)
  return { random, normal: () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) }
}

/** Simulates learners, and the exams that they take after the forecast. */
export function simulate(scenario: Scenario, count: number, seed: number): Run[] {
  const dice = diceOf(seed)
  return Array.from({ length: count }, () => {
    const learner = aLearner(scenario, dice)
    const harder = STATED_SHIFT.mean + STATED_SHIFT.deviation * dice.normal()
    return { narrow: outcomeOf(learner, NONE, 0, dice), wide: outcomeOf(learner, STATED_SHIFT, harder, dice) }
  })
}

const NONE: Normal = { mean: 0, deviation: 0 }

type Learner = {
  /** The true abilities at the forecast. */
  readonly abilities: readonly number[]
  /** What the model makes of the responses. */
  readonly parts: readonly AbilityPart[]
  readonly domains: readonly ExamDomain[]
  readonly difficultyDeviation: number
}

function aLearner(scenario: Scenario, dice: Dice): Learner {
  const { responses: count, difficultyDeviation, start = USUAL_START } = scenario
  const level = start.mean + start.deviation * dice.normal()
  const own = WEIGHTS.map(() => DOMAIN_DEVIATION * dice.normal())
  const places = shuffled(
    shareOut(WEIGHTS, count).flatMap((questions, domain) => Array.from({ length: questions }, () => domain)),
    dice.random,
  )
  const steps = pathOf(scenario, dice)
  const responses = places.map((domain, place): Response => {
    const { item, difficulty } = anItem(scenario, dice)
    const isSeen = scenario.seen !== undefined && dice.random() < scenario.seen.share
    const knows = dice.random() < rightChance(level + steps[place]! + own[domain]! - difficulty, item.guess)
    const isRight = knows || (isSeen && dice.random() < scenario.seen!.remembered)
    return { domain, isRight, item, remembered: isSeen ? REMEMBERED : 0, daysAgo: daysAgo(scenario, place) }
  })
  return {
    abilities: own.map((distance) => level + steps[count - 1]! + distance),
    parts: abilitiesAfter(responses, WEIGHTS.length, PRIOR),
    domains: shareOut(WEIGHTS, EXAM_QUESTIONS).map((questions) => ({
      questions,
      difficulty: { mean: 0, deviation: Math.max(difficultyDeviation, LEAST_ERROR) },
      guess: MEAN_GUESS,
    })),
    difficultyDeviation,
  }
}

function daysAgo({ responses, days = USUAL_DAYS, examSize = 1 }: Scenario, place: number): number {
  return days * (1 - ((Math.floor(place / examSize) + 1) * examSize) / responses)
}

function outcomeOf(learner: Learner, stated: Normal, harder: number, dice: Dice): Outcome {
  const { abilities, parts, domains } = learner
  const known: AbilityPart = {
    share: 1,
    means: Float64Array.from(abilities),
    covariance: new Float64Array(abilities.length ** 2),
  }
  const truth: Normal = { mean: harder, deviation: 0 }
  return {
    told: forecastOf(scoreChances(parts, domains, stated), PASSING_PERCENT),
    knowing: forecastOf(scoreChances([known], domains, truth), PASSING_PERCENT),
    scorePercent: scoreOf(learner, harder, dice),
  }
}

/** An exam with fresh questions. */
function scoreOf({ abilities, domains, difficultyDeviation }: Learner, harder: number, dice: Dice): number {
  const answers = domains.flatMap(({ questions }, domain) =>
    Array.from({ length: questions }, () => {
      const difficulty = difficultyDeviation * dice.normal() + harder
      return dice.random() < rightChance(abilities[domain]! - difficulty, GUESSES[Math.floor(4 * dice.random())]!)
    }),
  )
  return (100 * answers.filter(Boolean).length) / EXAM_QUESTIONS
}

/** Shops whose real exam's shift is drawn as stated; learners tell whether they passed, and the shift follows from it. */
export function simulateShops(shops: number, resultCounts: readonly number[], seed: number) {
  const dice = diceOf(seed)
  const scenario: Scenario = { name: 'usual', responses: 65, gain: 0.5, difficultyDeviation: 1 }
  const learners = Array.from({ length: 1000 }, () => aLearner(scenario, dice))
  const anyone = () => learners[Math.floor(learners.length * dice.random())]!
  const told = new Map(
    learners.map((learner) => [learner, toldAbility(learner.parts, learner.domains, PASSING_PERCENT)]),
  )
  const truths = Array.from({ length: shops }, () => STATED_SHIFT.mean + STATED_SHIFT.deviation * dice.normal())
  return resultCounts.map((count) => {
    const found = truths.map((truth) => {
      const results = Array.from({ length: count }, (): ExamResult => {
        const learner = anyone()
        const isPassed = scoreOf(learner, truth, dice) >= PASSING_PERCENT - 1e-9
        return { told: told.get(learner)!, isPassed, scorePercent: null }
      })
      const shift = shiftAfter(results)
      const outcomes = Array.from({ length: 20 }, () => outcomeOf(anyone(), shift, truth, dice))
      return { shift, error: shift.mean - truth, outcomes }
    })
    return {
      results: count,
      error: Math.sqrt(found.reduce((sum, { error }) => sum + error * error, 0) / shops),
      stated: found.reduce((sum, { shift }) => sum + shift.deviation, 0) / shops,
      wide: measure(found.flatMap(({ outcomes }) => outcomes)),
    }
  })
}

/** Calibrated questions are off by this much, and the model is told so. */
const CALIBRATION_ERROR = 0.4
const LEAST_ERROR = 0.2

function anItem(scenario: Scenario, { random, normal }: Dice) {
  const { difficultyDeviation, isUncalibrated = false } = scenario
  const guess = GUESSES[Math.floor(4 * random())]!
  if (difficultyDeviation === 0) return { item: { difficulty: 0, deviation: LEAST_ERROR, guess }, difficulty: 0 }
  const deviation = isUncalibrated ? difficultyDeviation : CALIBRATION_ERROR
  const known = Math.sqrt(difficultyDeviation ** 2 - deviation ** 2) * normal()
  const item: Item = { difficulty: known, deviation, guess }
  return { item, difficulty: known + deviation * normal() }
}

/** How far a learner has come at each response. */
function pathOf({ responses, gain, path = 'even' }: Scenario, { normal }: Dice): number[] {
  let wandered = 0
  return Array.from({ length: responses }, (_, place) => {
    const share = (place + 1) / responses
    if (path === 'last-half') return gain * Math.max(0, 2 * share - 1)
    if (path === 'wandering') wandered += (0.5 / Math.sqrt(responses)) * normal()
    return gain * share + wandered
  })
}

export type Measured = {
  /** In percent, each with its Monte Carlo error in `errors`. */
  readonly coverage: number
  readonly coverageError: number
  /** Told less happened, in points. */
  readonly bias: number
  readonly biasError: number
  /** The mean width of the 90% interval in points, ours and of who knows. */
  readonly width: number
  readonly knowingWidth: number
}

export function measure(outcomes: readonly Outcome[]): Measured {
  const count = outcomes.length
  const mean = (of: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / count
  const share = mean(({ told, scorePercent }) =>
    told.lowPercent - 1e-9 <= scorePercent && scorePercent <= told.highPercent + 1e-9 ? 1 : 0,
  )
  const error = ({ told, scorePercent }: Outcome) => told.expectedPercent - scorePercent
  const bias = mean(error)
  return {
    coverage: 100 * share,
    coverageError: 100 * Math.sqrt((share * (1 - share)) / count),
    bias,
    biasError: Math.sqrt(mean((outcome) => (error(outcome) - bias) ** 2) / count),
    width: mean(({ told }) => told.highPercent - told.lowPercent),
    knowingWidth: mean(({ knowing }) => knowing.highPercent - knowing.lowPercent),
  }
}

export type Fifth = {
  readonly from: number
  readonly count: number
  /** In percent. */
  readonly told: number
  readonly happened: number
  readonly error: number
}

/** The told chances to pass by fifths, beside how many passed. */
export function fifthsOf(outcomes: readonly Outcome[]): Fifth[] {
  return [0, 1, 2, 3, 4].map((fifth) => {
    const within = outcomes.filter(({ told }) => Math.min(4, Math.floor(told.passChance * 5)) === fifth)
    const told = within.reduce((sum, { told }) => sum + told.passChance, 0) / within.length
    const passed = within.filter(({ scorePercent }) => scorePercent >= PASSING_PERCENT - 1e-9).length / within.length
    return {
      from: 20 * fifth,
      count: within.length,
      told: 100 * told,
      happened: 100 * passed,
      error: 100 * Math.sqrt((passed * (1 - passed)) / within.length),
    }
  })
}

/** The rows of the stated prior, each as likely as the others. */
export const STATED_ROWS: readonly Scenario[] = [35, 65, 195].flatMap((responses) =>
  [0, 0.5, 1].flatMap((gain) =>
    [0, 1].map((difficultyDeviation) => ({
      name: gain === 0 ? 'stands still' : `gains ${gain}`,
      responses,
      gain,
      difficultyDeviation,
    })),
  ),
)

/** Learners that the model does not expect. They show its limits and have no targets. */
export const OTHER_ROWS: readonly Scenario[] = [65, 195].flatMap((responses): Scenario[] => {
  const usual = { responses, gain: 0.5, difficultyDeviation: 1 }
  const inExams: Scenario = { ...usual, name: 'answers in exams of 65', examSize: 65 }
  return [
    ...(responses > 65 ? [inExams] : []),
    { ...usual, name: 'difficulties unknown', isUncalibrated: true },
    { ...usual, name: 'gains 1 in the last half', gain: 1, path: 'last-half' },
    { ...usual, name: 'wanders by 0.5', path: 'wandering' },
    { ...usual, name: 'forgets 0.5', gain: -0.5 },
    { ...usual, name: 'gains 1.5', gain: 1.5 },
    { ...usual, name: 'stands still for a day', gain: 0, days: 1 },
    { ...usual, name: 'half seen before, 30% remembered', seen: { share: 0.5, remembered: 0.3 } },
    { ...usual, name: 'half seen before, 60% remembered', seen: { share: 0.5, remembered: 0.6 } },
    { ...usual, name: 'weaker by 1', start: { mean: 0, deviation: 1 } },
    { ...usual, name: 'stronger by 1', start: { mean: 2, deviation: 1 } },
  ]
})
