import { expect, test } from 'vitest'
import { after, DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import type { StudyAnswer } from '../study.schema.ts'
import { STATED_SHIFT } from './exam-shift.ts'
import { freshAnswers, readinessOf, shareOut, weightsOf, type CourseItem, type ReadinessFacts } from './readiness.ts'

const now = new Date('2026-11-21T10:00:00Z')
const blueprint = {
  questions: 65,
  domains: [
    { name: 'Storage', weight: 30 },
    { name: 'Compute', weight: 26 },
    { name: 'Network', weight: 24 },
    { name: 'Billing', weight: 20 },
  ],
}
const names = blueprint.domains.map(({ name }) => name)

let number = 0
const answer = (domain: string, isRight: boolean, daysAgo = 1, key = `question ${number++}`): StudyAnswer => ({
  key,
  domain,
  isRight,
  isFlagged: false,
  at: after(now, -daysAgo * DAY_MS),
  attemptId: null,
})
const item = (difficulty = 0) => ({ difficulty, deviation: 0.5, guess: 0.25 })
const items = names.map((domain): CourseItem => ({ key: `of ${domain}`, domain, item: item() }))
const facts = (answers: readonly StudyAnswer[]): ReadinessFacts => ({
  answers,
  items,
  blueprint,
  passingScore: 72,
  now,
})
const some = (count: number, right: number, domain: string) =>
  Array.from({ length: count }, (_, place) => answer(domain, place < right))

test('below 30 answers, or 3 in a domain, there is no estimate', () => {
  expect(readinessOf(facts([]))).toEqual({
    kind: 'not-enough',
    answered: 0,
    needed: 30,
    thinDomains: [...names].sort(),
  })
  const thin = names.flatMap((name) => some(name === 'Billing' ? 2 : 20, 2, name))
  expect(readinessOf(facts(thin))).toMatchObject({ kind: 'not-enough', answered: 62, thinDomains: ['Billing'] })
  const enough = names.flatMap((name) => some(name === 'Billing' ? 3 : 9, 2, name))
  expect(readinessOf(facts(enough))).toMatchObject({ kind: 'estimate', answered: 30 })
})

test('the estimate lies in its interval, and more answers make the interval narrower', () => {
  const width = (perDomain: number) => {
    const readiness = readinessOf(facts(names.flatMap((name) => some(perDomain, perDomain * 0.75, name))))
    if (readiness.kind !== 'estimate') throw new Error('not enough')
    const { lowPercent, expectedPercent, highPercent } = readiness
    expect([lowPercent, expectedPercent, highPercent]).toEqual(
      [lowPercent, expectedPercent, highPercent].toSorted((a, b) => a - b),
    )
    expect(expectedPercent).toBeGreaterThan(70)
    expect(expectedPercent).toBeLessThan(76)
    return highPercent - lowPercent
  }
  expect(width(40)).toBeLessThan(width(8))
})

test('a learner who guesses will hardly pass, and one who gets everything right will', () => {
  const chance = (share: number) => {
    const readiness = readinessOf(facts(names.flatMap((name) => some(20, 20 * share, name))))
    return readiness.kind === 'estimate' ? readiness.passChance : Number.NaN
  }
  expect(chance(0.25)).toBeLessThan(0.01)
  expect(chance(1)).toBeGreaterThan(0.99)
  expect(chance(0.75)).toBeGreaterThan(chance(0.7))
})

const estimateOf = (more: Partial<ReadinessFacts>) => {
  const readiness = readinessOf({ ...facts([]), ...more })
  if (readiness.kind !== 'estimate') throw new Error('not enough')
  return readiness
}

test('the interval of the real exam is wider, and narrows as results come in', () => {
  const answers = names.flatMap((name) => some(30, 22, name))
  const width = (of: { lowPercent: number; highPercent: number }) => of.highPercent - of.lowPercent
  const stated = estimateOf({ answers })
  const known = estimateOf({ answers, shift: { mean: 0, deviation: 0.1, resultCount: 200 } })
  expect(stated.realExam.resultCount).toBe(STATED_SHIFT.resultCount)
  expect(width(stated.realExam)).toBeGreaterThan(width(known.realExam))
  expect(width(known.realExam)).toBeGreaterThanOrEqual(width(known))
  const harder = estimateOf({ answers, shift: { mean: 0.5, deviation: 0.1, resultCount: 200 } })
  expect(harder.realExam.expectedPercent).toBeLessThan(known.realExam.expectedPercent - 4)
  expect(harder.expectedPercent).toBe(known.expectedPercent)
})

test('right answers to hard questions say more than those to easy ones', () => {
  const answers = names.flatMap((name) => some(20, 15, name)).map((one, place) => ({ ...one, key: `${place}` }))
  const expected = (difficulty: number) =>
    estimateOf({
      answers,
      items: [...items, ...answers.map(({ key, domain }) => ({ key, domain, item: item(difficulty) }))],
    }).expectedPercent
  const asked = (difficulty: number) => expected(difficulty)
  expect(Math.abs(asked(1) - asked(0))).toBeLessThan(8)
  const onlyAsked = (difficulty: number) =>
    estimateOf({
      answers: answers.map((one) => ({ ...one, key: `asked ${one.key}` })),
      items: [
        ...answers.map(({ key, domain }) => ({ key: `asked ${key}`, domain, item: item(difficulty) })),
        ...answers.flatMap(({ key, domain }) =>
          Array.from({ length: 20 }, (_, copy) => ({ key: `${key} ${copy}`, domain, item: item(0) })),
        ),
      ],
    }).expectedPercent
  expect(onlyAsked(1)).toBeGreaterThan(onlyAsked(0) + 3)
  expect(onlyAsked(0)).toBeGreaterThan(onlyAsked(-1) + 3)
})

test('the same answers say more for who got the later ones right', () => {
  const days = (from: number) =>
    names.flatMap((name) => some(15, 0, name)).map((one) => ({ ...one, at: after(now, -from * DAY_MS) }))
  const right = (answers: readonly StudyAnswer[]) => answers.map((one) => ({ ...one, isRight: true }))
  const improving = [...days(10), ...right(days(2))]
  const declining = [...right(days(10)), ...days(2)]
  expect(estimateOf({ answers: improving }).expectedPercent).toBeGreaterThan(
    estimateOf({ answers: declining }).expectedPercent + 5,
  )
})

test('a right answer to a question that was seen long ago says less than one to a new question', () => {
  const answers = names.flatMap((name) => some(20, 18, name))
  const repeated = answers.map((one) => ({ ...one, isRepeated: true }))
  expect(estimateOf({ answers: repeated }).expectedPercent).toBeLessThan(estimateOf({ answers }).expectedPercent)
})

test('whatever the answers are, the numbers are finite and in order', () => {
  for (const right of [0, 30])
    for (const difficulty of [-6, 0, 6]) {
      const answers = names.flatMap((name) => some(30, right, name)).map((one) => ({ ...one, key: `of ${one.domain}` }))
      const asked = answers.map((one, place) => ({ ...one, key: `${one.key} ${place}` }))
      const { expectedPercent, lowPercent, highPercent, realExam } = estimateOf({
        answers: asked,
        items: [
          ...items,
          ...asked.map(({ key, domain }) => ({ key, domain, item: { difficulty, deviation: 0, guess: 0 } })),
        ],
      })
      for (const numbers of [
        [0, lowPercent, expectedPercent, highPercent, 100],
        [0, realExam.lowPercent, realExam.expectedPercent, realExam.highPercent, 100],
      ])
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
})

test('during a day the estimate stays the same, so that pages stay cached', () => {
  const answers = names.flatMap((name) => some(20, 15, name))
  const at = (hour: number) => estimateOf({ answers, now: new Date(`2026-11-21T${hour}:00:00Z`) })
  expect(at(23)).toEqual(at(11))
  expect(estimateOf({ answers, now: after(now, DAY_MS) })).not.toEqual(at(11))
})

test('a heavy domain counts for more than a light one', () => {
  const weakIn = (weak: string) => {
    const readiness = readinessOf(facts(names.flatMap((name) => some(20, name === weak ? 4 : 18, name))))
    return readiness.kind === 'estimate' ? readiness.expectedPercent : Number.NaN
  }
  expect(weakIn('Storage')).toBeLessThan(weakIn('Billing'))
})

test('only answers of the last 30 days count, and only to questions not answered in the 30 days before', () => {
  const old = answer('Storage', true, 31, 'a')
  const again = answer('Storage', true, 10, 'a')
  expect(freshAnswers([old, again], now)).toEqual([])
  const longAgo = answer('Storage', true, 40, 'a')
  expect(freshAnswers([longAgo, again], now)).toEqual([again])
  const first = answer('Storage', false, 2, 'b')
  const second = { ...first, isRight: true, at: after(first.at, HOUR_MS) }
  expect(freshAnswers([first, second], now)).toEqual([first])
})

test("domains weigh as in the blueprint, or else by their shares of the course's questions", () => {
  expect(weightsOf(names, blueprint).get('Storage')).toBe(0.3)
  expect(weightsOf(['Storage', 'Storage', 'General'], blueprint)).toEqual(
    new Map([
      ['Storage', 2 / 3],
      ['General', 1 / 3],
    ]),
  )
})

test('the questions of an exam are apportioned to domains without a remainder', () => {
  expect(shareOut([0.3, 0.26, 0.24, 0.2], 65)).toEqual([19, 17, 16, 13])
  expect(shareOut([1 / 3, 1 / 3, 1 / 3], 65).reduce((sum, count) => sum + count, 0)).toBe(65)
})
