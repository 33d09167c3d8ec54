import { asChoice } from '../../../tests/support/choices.ts'
import { selecting } from '../../../tests/support/answers.ts'
import type { Question } from '../questions/types/question-types.schema.ts'
import { pointsOf } from '../questions/types/grading-registry.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ExamId } from '../../lib/ids.ts'
import {
  answerProblem,
  deadlineOf,
  endOf,
  gradeAttempt,
  isNewer,
  isOverdue,
  minutesWith,
  remainingSeconds,
  wholePercent,
  shuffleLayout,
  trialOf,
} from './attempts.ts'

const start = new Date('2026-11-21T09:00:00Z')
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

const aQuestion = fc
  .record({ answers: fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }), domain: fc.constantFrom('A', 'B', 'C') })
  .filter(({ answers }) => answers.includes(true))

const questionsOf = fc.array(aQuestion, { minLength: 1, maxLength: 30 }).map((drafts) =>
  drafts.map(({ answers, domain }, number): Question => ({
    type: 'choice',
    id: `q${number}`,
    stem: `Question ${number}`,
    // All questions have an option with the same text: only the ids differ.
    options: answers.map((isRight, place) => ({ id: `q${number}-${place}`, text: 'All of these', isRight })),
    explanation: '',
    domain,
    needsReview: false,
    url: '',
    suggestedOptionIds: [],
    mostVotedOptionIds: [],
    difficulty: '',
  })),
)

const rights = (question: Question) =>
  asChoice(question)
    .options.filter(({ isRight }) => isRight)
    .map(({ id }) => id)
const everyRight = (questions: readonly Question[]) =>
  new Map(questions.map((one) => [one.id, selecting(...rights(one))]))
const realExam = { category: null, blueprint: null }
const facts = { policy: 'all-or-nothing', passingScore: 70, realExam } as const

test('a layout has every question and every option exactly once, whatever the seed', () => {
  fc.assert(
    fc.property(questionsOf, fc.integer(), fc.constantFrom('practice', 'timed', 'preview'), (questions, seed, mode) => {
      const layout = shuffleLayout(seed, questions, mode)
      expect(layout.map(({ question }) => question).toSorted()).toEqual(questions.map(({ id }) => id).toSorted())
      for (const { question: id, shape } of layout)
        expect(asChoice(shape).optionIds.toSorted()).toEqual(
          asChoice(questions.find((one) => one.id === id)).options.map((one) => one.id),
        )
    }),
  )
})

test('the same seed gives the same order, and only the timed exam changes the order of questions', () => {
  fc.assert(
    fc.property(questionsOf, fc.integer(), (questions, seed) => {
      expect(shuffleLayout(seed, questions, 'timed')).toEqual(shuffleLayout(seed, questions, 'timed'))
      expect(shuffleLayout(seed, questions, 'practice').map(({ question }) => question)).toEqual(
        questions.map(({ id }) => id),
      )
    }),
  )
})

test('every option is equally likely at every place', () => {
  const [question] = fc.sample(
    questionsOf.filter(([one]) => asChoice(one).options.length === 4),
    1,
  )[0] as [Question]
  const counts = Array.from({ length: 4 }, () => [0, 0, 0, 0])
  for (let seed = 0; seed < 4000; seed++)
    asChoice(shuffleLayout(seed, [question], 'practice')[0]?.shape).optionIds.forEach((id, place) => {
      const row = counts[asChoice(question).options.findIndex((one) => one.id === id)] as number[]
      row[place] = (row[place] ?? 0) + 1
    })
  for (const count of counts.flat()) expect(Math.abs(count - 1000)).toBeLessThan(150)
})

test('grading does not depend on the order that was shown', () => {
  fc.assert(
    fc.property(questionsOf, fc.integer(), fc.integer(), fc.integer(), (questions, one, other, choice) => {
      const answers = new Map(
        questions
          .map(asChoice)
          .map(({ id, options }, number) => [
            id,
            selecting(...options.filter((_, n) => (choice >> ((n + number) % 31)) & 1).map((option) => option.id)),
          ]),
      )
      const grade = (seed: number) =>
        gradeAttempt({ ...facts, layout: shuffleLayout(seed, questions, 'timed'), questions, answers })
      expect(grade(one)).toEqual(grade(other))
    }),
  )
})

test('all right is 100 percent and passed, nothing right is 0 and failed, and domains add up to the total', () => {
  fc.assert(
    fc.property(questionsOf, fc.integer(), (questions, seed) => {
      const layout = shuffleLayout(seed, questions, 'timed')
      const best = gradeAttempt({ ...facts, layout, questions, answers: everyRight(questions) })
      expect(best).toMatchObject({ scorePercent: 100, isPassed: true, rightCount: questions.length })
      const blank = gradeAttempt({ ...facts, layout, questions, answers: new Map() })
      expect(blank).toMatchObject({ scorePercent: 0, isPassed: false, rightCount: 0, answeredCount: 0 })
      expect(best.domains.reduce((total, domain) => total + domain.total, 0)).toBe(questions.length)
      expect(best.domains.reduce((total, domain) => total + domain.right, 0)).toBe(questions.length)
    }),
  )
})

test('partial credit is between none and full, and never exceeds all-or-nothing on a right answer', () => {
  fc.assert(
    fc.property(questionsOf, fc.integer({ min: 0, max: 63 }), ([question], choice) => {
      if (question === undefined) return
      const answer = selecting(
        ...asChoice(question)
          .options.filter((_, place) => (choice >> place) & 1)
          .map(({ id }) => id),
      )
      const partial = pointsOf(question, answer, 'partial')
      const strict = pointsOf(question, answer, 'all-or-nothing')
      expect(partial).toBeGreaterThanOrEqual(strict)
      expect(partial).toBeLessThanOrEqual(60)
      expect(partial === 60).toBe(strict === 60)
      // Choosing all options earns no credit.
      const all = asChoice(question).options.map(({ id }) => id)
      const wrongCount = all.length - rights(question).length
      expect(pointsOf(question, selecting(...all), 'partial')).toBe(
        (Math.max(0, rights(question).length - wrongCount) * 60) / rights(question).length,
      )
    }),
  )
})

test('a score equal to the passing score passes, and the percent that is shown is never above the score', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.nat(200),
      fc.integer({ min: 0, max: 100 }),
      (total, hits, passing) => {
        const right = Math.min(hits, total)
        const questions = Array.from({ length: total }, (_, n) => ({ ...simple, id: `q${n}` }))
        const result = gradeAttempt({
          policy: 'all-or-nothing',
          passingScore: passing,
          realExam,
          layout: shuffleLayout(1, questions, 'practice'),
          questions,
          answers: new Map(questions.slice(0, right).map(({ id }) => [id, selecting('yes')])),
        })
        expect(result.isPassed).toBe(right * 100 >= passing * total)
        expect(result.isPassed).toBe(result.scorePercent >= passing)
        expect(wholePercent(result.scorePercent) >= passing).toBe(result.isPassed)
      },
    ),
    // 71.995…: rounded to two decimals it would be 72.
    { examples: [[807, 581, 72]] },
  )
})

const simple: Question = {
  type: 'choice',
  id: 'q',
  stem: 'Is it?',
  options: [
    { id: 'yes', text: 'Yes', isRight: true },
    { id: 'no', text: 'No', isRight: false },
  ],
  explanation: '',
  domain: 'General',
  needsReview: false,
  url: '',
  suggestedOptionIds: [],
  mostVotedOptionIds: [],
  difficulty: '',
}

test('the write with the greater number wins, however writes are ordered, repeated and lost', () => {
  const write = fc.record({ seq: fc.integer({ min: 1, max: 9 }), writer: fc.constantFrom('a', 'b', 'c') })
  type Stored = { seq: number; writer: string } | null
  const keep = (stored: Stored, next: { seq: number; writer: string }): Stored =>
    stored === null || isNewer(next, stored) ? next : stored
  fc.assert(
    fc.property(
      fc
        .array(write, { minLength: 1 })
        .chain((sent) =>
          fc.tuple(fc.constant(sent), fc.shuffledSubarray([...sent, ...sent], { minLength: sent.length * 2 })),
        ),
      ([sent, arrived]) => {
        expect(arrived.reduce(keep, null)).toEqual(sent.reduce(keep, null))
      },
    ),
  )
})

test('an answer to an unknown question, an unknown option, or two options on a single choice are refused', () => {
  const layout = shuffleLayout(
    7,
    [simple, { ...simple, id: 'm', options: simple.options.map((one) => ({ ...one, isRight: true })) }],
    'practice',
  )
  expect(answerProblem(layout, 'x', { answer: null, struck: [] })).toBe('attempt.unknown-question')
  expect(answerProblem(layout, 'q', { answer: selecting('maybe'), struck: [] })).toBe('attempt.unknown-answer')
  expect(answerProblem(layout, 'q', { answer: null, struck: ['maybe'] })).toBe('attempt.unknown-answer')
  expect(answerProblem(layout, 'q', { answer: selecting('yes', 'no'), struck: [] })).toBe('attempt.too-many-selected')
  expect(answerProblem(layout, 'm', { answer: selecting('yes', 'no'), struck: [] })).toBeNull()
  expect(answerProblem(layout, 'q', { answer: null, struck: ['yes', 'no'] })).toBeNull()
})

test('only a timed exam has a deadline; extra time moves it, and untimed removes it', () => {
  const timed = { mode: 'timed', startedAt: start, timeLimitMinutes: 130 } as const
  expect(minutesWith('x1.25', 130)).toBe(162.5)
  expect(minutesWith('untimed', 130)).toBeNull()
  expect(deadlineOf({ ...timed, extraTime: 'none' })).toEqual(at(130))
  expect(deadlineOf({ ...timed, extraTime: 'x1.25' })).toEqual(at(162.5))
  expect(deadlineOf({ ...timed, extraTime: 'x1.5' })).toEqual(at(195))
  expect(deadlineOf({ ...timed, extraTime: 'x2' })).toEqual(at(260))
  expect(deadlineOf({ ...timed, extraTime: 'untimed' })).toBeNull()
  expect(deadlineOf({ ...timed, mode: 'practice', extraTime: 'x2' })).toBeNull()
})

test('the clock counts whole seconds down to zero; after the grace period no answer counts, and the deadline is the end', () => {
  expect(remainingSeconds(null, start)).toBeNull()
  expect(remainingSeconds(at(1), new Date(start.getTime() + 1))).toBe(60)
  expect(remainingSeconds(at(1), at(2))).toBe(0)
  expect(isOverdue(at(1), at(1.5))).toBe(false)
  expect(isOverdue(at(1), new Date(at(1.5).getTime() + 1))).toBe(true)
  expect(endOf(at(1), at(1.4))).toEqual({ finishedAt: at(1), finishedBy: 'deadline' })
  expect(endOf(at(1), at(1))).toEqual({ finishedAt: at(1), finishedBy: 'learner' })
  expect(endOf(null, at(9))).toEqual({ finishedAt: at(9), finishedBy: 'learner' })
})

test('only a free trial gives the proof that a guest may start', () => {
  const id = 'exam' as ExamId
  expect(trialOf({ id, isFreeTrial: false })).toBeNull()
  expect(trialOf({ id, isFreeTrial: true })).toEqual({ examId: id, proof: 'trial' })
})
