import { randomOf } from '../../questions/types/shuffle.ts'
import { forecastOf, overallAbility, scoreChances } from '../readiness/exam-forecast.ts'
import { examDomains, presentAbilities } from '../readiness/readiness.ts'
import { rightChance } from '../readiness/response-model.ts'
import type { StudyAnswer } from '../study.schema.ts'
import { nextQuestion, type Candidate, type DiagnosticLength } from './next-question.ts'

export const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['Design', 0.3],
  ['Security', 0.26],
  ['Cost', 0.24],
  ['Operations', 0.2],
])
const DOMAINS = [...WEIGHTS.keys()]
const NOW = new Date('2026-03-02T12:00:00Z')
const EXAM_QUESTIONS = 65
const PASSING_PERCENT = 72

/** A question with the difficulty that only the simulation knows. */
export type SimulatedQuestion = Candidate & { readonly truth: number }

export function diceOf(seed: number) {
  const random = randomOf(seed)
  return { random, normal: () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) }
}
type Dice = ReturnType<typeof diceOf>

/** A bank whose difficulties deviate by one logit and are known up to `error`: 0.4 once calibrated, 0.8 from labels alone. */
export function simulatedBank(size: number, error: number, seed = 1): SimulatedQuestion[] {
  const { random, normal } = diceOf(seed)
  return Array.from({ length: size }, (_, place) => {
    const difficulty = Math.sqrt(1 - error ** 2) * normal()
    return {
      key: `question-${place}`,
      domain: DOMAINS[place % DOMAINS.length]!,
      item: { difficulty, deviation: error, guess: random() < 0.75 ? 0.25 : 0.1 },
      isSeen: false,
      truth: difficulty + error * normal(),
    }
  })
}

/** How the next question is found: ours, or any of the domain that would be next. */
export type Choice = 'ours' | 'random'

export type SimulatedRun = {
  readonly asked: readonly SimulatedQuestion[]
  /** The stated standard error of the overall ability, and how far the estimate was off. */
  readonly error: number
  readonly off: number
  /** The width of the 90% interval on an exam like ours in points, and whether such an exam ended inside. */
  readonly width: number
  readonly isInside: boolean
}

/** One diagnostic of a usual learner: ability of mean 1 and deviation 1, domains that deviate by 0.5. */
export function simulatedRun(
  bank: readonly SimulatedQuestion[],
  of: { readonly seed: number; readonly length: DiagnosticLength; readonly choice: Choice },
): SimulatedRun {
  const dice = diceOf(of.seed)
  const level = 1 + dice.normal()
  const truths = new Map(DOMAINS.map((domain) => [domain, level + 0.5 * dice.normal()]))
  const asked: SimulatedQuestion[] = []
  const answers: StudyAnswer[] = []
  for (;;) {
    const abilities = presentAbilities(answers, bank, DOMAINS, NOW)
    const state = { candidates: bank, asked, weights: WEIGHTS, abilities, ...of }
    const ours = nextQuestion(state)
    if (ours === null) return { asked, ...judged(abilities, truths, bank, dice) }
    const next = of.choice === 'ours' ? ours : anyLike(ours, bank, asked, dice)
    asked.push(next)
    const isRight = dice.random() < rightChance(truths.get(next.domain)! - next.truth, next.item.guess)
    const at = new Date(NOW.getTime() - 3_600_000 + answers.length * 60_000)
    answers.push({ key: next.key, domain: next.domain, isRight, isFlagged: false, at, attemptId: null })
  }
}

function anyLike(
  { domain }: SimulatedQuestion,
  bank: readonly SimulatedQuestion[],
  asked: readonly SimulatedQuestion[],
  dice: Dice,
): SimulatedQuestion {
  const left = bank.filter((one) => one.domain === domain && !asked.includes(one))
  return left[Math.floor(dice.random() * left.length)]!
}

function judged(
  abilities: ReturnType<typeof presentAbilities>,
  truths: ReadonlyMap<string, number>,
  bank: readonly SimulatedQuestion[],
  dice: Dice,
) {
  const { mean, deviation } = overallAbility(abilities, [...WEIGHTS.values()])
  const truth = [...WEIGHTS].reduce((sum, [domain, weight]) => sum + weight * truths.get(domain)!, 0)
  const domains = examDomains(bank, WEIGHTS, EXAM_QUESTIONS)
  const told = forecastOf(scoreChances(abilities, domains), PASSING_PERCENT)
  const right = domains.reduce((sum, { questions, difficulty, guess }, place) => {
    const answers = Array.from({ length: questions }, () => {
      const hard = difficulty.mean + difficulty.deviation * dice.normal()
      return dice.random() < rightChance(truths.get(DOMAINS[place]!)! - hard, guess)
    })
    return sum + answers.filter(Boolean).length
  }, 0)
  const percent = (100 * right) / EXAM_QUESTIONS
  return {
    error: deviation,
    off: mean - truth,
    width: told.highPercent - told.lowPercent,
    isInside: told.lowPercent - 1e-9 <= percent && percent <= told.highPercent + 1e-9,
  }
}
