import { after, DAY_MS } from '../../../lib/time.ts'
import { randomOf } from '../../questions/types/shuffle.ts'
import type { StudyAnswer } from '../study.schema.ts'
import { STRONG_MEMORY, WEAK_MEMORY } from './exam-aim-simulation.fixture.ts'
import { chooseWeights } from './fit-choice.ts'
import { countPredicted, predictedRecalls, reviewsOf, type CardReviews } from './memory-fit.ts'
import { nextCard, PUBLISHED_WEIGHTS, schedulerOf, type Weights } from './repetition.ts'

const START = new Date('2025-01-06T10:00:00Z')

/**
 * The answers of a learner who misses some new questions each day and answers all cards on the day when they are due, or up to five
 * days later. `memoryOn` is the memory that decides whether an answer is right on a day.
 */
export function simulateAnswers(of: {
  readonly days: number
  readonly missedADay: number
  readonly memoryOn: (day: number) => Weights
  readonly seed: number
}): StudyAnswer[] {
  const random = randomOf(of.seed)
  const answers: StudyAnswer[] = []
  const cards: { key: string; card: ReturnType<typeof nextCard>; own: ReturnType<typeof nextCard>; next: number }[] = []
  const give = (one: (typeof cards)[number], isRight: boolean, day: number, minutes: number) => {
    const at = after(START, day * DAY_MS + minutes * 60_000)
    const answer = { key: one.key, domain: 'Storage', isRight, isFlagged: false, at, attemptId: null }
    answers.push(answer)
    one.card = nextCard(one.card, answer)
    one.own = nextCard(one.own, answer, of.memoryOn(day))
    one.next = day + Math.max(1, one.card?.scheduled_days ?? 1) + Math.floor(5 * random() ** 2)
  }
  for (let day = 0; day < of.days; day++) {
    const due = cards.filter(({ next }) => next <= day)
    for (const one of due) {
      const { own } = one
      const elapsed = day - Math.floor(((own?.last_review?.getTime() ?? 0) - START.getTime()) / DAY_MS)
      const recall = schedulerOf(of.memoryOn(day)).forgetting_curve(elapsed, own?.stability ?? 1)
      const isRight = random() < recall
      give(one, isRight, day, 0)
      if (!isRight) give(one, true, day, 30)
    }
    for (let index = 0; index < of.missedADay; index++) {
      const one = { key: `question ${cards.length}`, card: null, own: null, next: 0 }
      cards.push(one)
      give(one, false, day, 60)
      if (random() < 0.8) give(one, true, day, 90)
    }
  }
  return answers.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** Runs a fit to its end at once. */
export function fitAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Learners of one kind whose parameters are fitted. */
export type FitScenario = {
  readonly name: string
  readonly memory: Weights
  readonly days: number
  readonly missedADay: number
}

export const FIT_ROWS: readonly FitScenario[] = [
  { name: 'forgets faster', memory: WEAK_MEMORY, days: 60, missedADay: 2 },
  { name: 'forgets faster', memory: WEAK_MEMORY, days: 150, missedADay: 4 },
  { name: 'as published', memory: PUBLISHED_WEIGHTS, days: 60, missedADay: 2 },
  { name: 'as published', memory: PUBLISHED_WEIGHTS, days: 150, missedADay: 4 },
  { name: 'forgets slower', memory: STRONG_MEMORY, days: 65, missedADay: 2 },
  { name: 'forgets slower', memory: STRONG_MEMORY, days: 150, missedADay: 4 },
]

/** A row of Markdown: reviews, how many fits were kept, and the mean error of the predicted recall, published and chosen. */
export function fitRow({ name, memory, days, missedADay }: FitScenario, learners: number, seed: number): string {
  const runs = Array.from({ length: learners }, (_, index) => {
    const of = { days, missedADay, memoryOn: () => memory }
    const [cards, others] = [0, 500_009].map((more) =>
      reviewsOf(simulateAnswers({ ...of, seed: seed + 101 * index + more })),
    )
    const fit = fitAtOnce(chooseWeights(cards ?? []))
    const errorOf = (weights: Weights) => recallError(others ?? [], weights, memory)
    const [published, fitted] = [errorOf(PUBLISHED_WEIGHTS), errorOf(fit.weights ?? PUBLISHED_WEIGHTS)]
    return { reviews: countPredicted(cards ?? []), isKept: fit.weights !== null, published, fitted }
  })
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const points = (values: readonly number[]) => (100 * mean(values)).toFixed(1)
  const kept = runs.filter(({ isKept }) => isKept).length
  return `| ${name} | ${Math.round(mean(runs.map(({ reviews }) => reviews)))} | ${kept} of ${learners} | ${points(runs.map(({ published }) => published))} | ${points(runs.map(({ fitted }) => fitted))} |`
}

/** How far predicted recalls lie from the true ones, on average. */
export function recallError(cards: readonly CardReviews[], weights: Weights, truth: Weights): number {
  const recalls = predictedRecalls(cards, truth)
  const told = predictedRecalls(cards, weights)
  return told.reduce((sum, recall, place) => sum + Math.abs(recall - (recalls[place] ?? 0)), 0) / told.length
}
