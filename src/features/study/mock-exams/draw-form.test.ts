import { expect, test } from 'vitest'
import { randomOf } from '../../questions/types/shuffle.ts'
import { drawForm, RANKS, type BankQuestion } from './draw-form.ts'

const weights = new Map([
  ['Design', 0.3],
  ['Security', 0.26],
  ['Cost', 0.24],
  ['Operations', 0.2],
])

/** A bank as a course has it: uneven domains, rare types, case studies across domains. */
function aBank(count: number, options: { readonly seed?: number; readonly caseStudies?: number } = {}): BankQuestion[] {
  const random = randomOf(options.seed ?? 1)
  const domains = ['Design', 'Security', 'Cost', 'Operations', 'Design']
  return Array.from({ length: count }, (_, place) => ({
    id: `question-${place}`,
    domain: domains[Math.floor(random() * domains.length)]!,
    type: random() < 0.1 ? 'ordering' : random() < 0.2 ? 'matching' : 'choice',
    // Chances from 30% to 95%, as those of easy and hard questions are.
    expected: 0.3 + 0.65 * random(),
    rank: RANKS.unseen,
    ...(place < (options.caseStudies ?? 0) * 4 ? { caseStudy: `case-${Math.floor(place / 4)}` } : {}),
  }))
}

const countOf = (questions: readonly BankQuestion[], domain: string) =>
  questions.filter((question) => question.domain === domain).length
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const seeds = (count: number) => Array.from({ length: count }, (_, place) => place + 1)

test('a form has the share of each domain exact to one question, and repeats by its seed', () => {
  const bank = aBank(600, { caseStudies: 20 })
  for (const seed of seeds(50)) {
    const { questions, missing, shortDomains } = drawForm(bank, { size: 65, weights, seed })
    expect(new Set(questions).size).toBe(65)
    expect([missing, shortDomains]).toEqual([0, []])
    for (const [domain, weight] of weights) expect(Math.abs(countOf(questions, domain) - 65 * weight)).toBeLessThan(1)
    expect(drawForm(bank, { size: 65, weights, seed }).questions).toEqual(questions)
  }
})

test('two hundred forms are equally hard: the expected score of a typical learner deviates by at most one point', () => {
  for (const [count, caseStudies] of [
    [2000, 0],
    [600, 20],
    [260, 10],
  ] as const) {
    const bank = aBank(count, { caseStudies })
    const scores = seeds(200).map((seed) => {
      const { questions } = drawForm(bank, { size: 65, weights, seed })
      return 100 * meanOf(questions.map(({ expected }) => expected))
    })
    const deviation = Math.sqrt(meanOf(scores.map((score) => (score - meanOf(scores)) ** 2)))
    expect(deviation).toBeLessThanOrEqual(1)
  }
})

test('a case study is drawn with all its questions or not at all, and in the proportion of the bank', () => {
  const bank = aBank(600, { caseStudies: 20 })
  const counts = seeds(100).map((seed) => {
    const { questions } = drawForm(bank, { size: 65, weights, seed })
    const drawn = questions.filter(({ caseStudy }) => caseStudy !== undefined)
    for (const { caseStudy } of drawn)
      expect(drawn.filter((question) => question.caseStudy === caseStudy)).toHaveLength(4)
    return drawn.length
  })
  // 80 of 600 questions are in case studies: 8.7 of 65.
  expect(Math.abs(meanOf(counts) - (65 * 80) / 600)).toBeLessThan(1.5)
})

test('each type of question is drawn in the proportion of the bank', () => {
  const bank = aBank(600)
  const share = (questions: readonly BankQuestion[]) =>
    questions.filter(({ type }) => type === 'ordering').length / questions.length
  const shares = seeds(200).map((seed) => share(drawForm(bank, { size: 65, weights, seed }).questions))
  expect(Math.abs(meanOf(shares) - share(bank))).toBeLessThan(0.01)
})

test('unseen questions are drawn first, then seen ones, then those of the last mock exams, and last what waits in a practice exam', () => {
  const ranks = [RANKS.unseen, RANKS.seen, RANKS.drawnLately, RANKS.waiting]
  const bank = aBank(400).map((question, place) => ({ ...question, rank: ranks[place % 4]! }))
  const one = drawForm(bank, { size: 40, weights, seed: 3 })
  // A rare type may run out of unseen questions before its share is reached.
  expect(one.questions.filter(({ rank }) => rank === RANKS.unseen).length).toBeGreaterThanOrEqual(38)
  const most = drawForm(bank, { size: 290, weights: new Map([...weights.keys()].map((name) => [name, 0.25])), seed: 3 })
  const drawn = new Set(most.questions.map(({ id }) => id))
  for (const domain of weights.keys())
    for (const type of ['choice', 'matching']) {
      const kind = bank.filter((question) => question.domain === domain && question.type === type)
      const [left, waiting] = [
        kind.filter(({ id, rank }) => !drawn.has(id) && rank < RANKS.waiting),
        kind.filter(({ id, rank }) => drawn.has(id) && rank === RANKS.waiting),
      ]
      expect(left.length === 0 || waiting.length === 0).toBe(true)
    }
})

test('over many forms every question of a large bank is drawn about equally often', () => {
  const bank = aBank(800)
  const counts = new Map<string, number>()
  for (const seed of seeds(400))
    for (const { id } of drawForm(bank, { size: 65, weights, seed }).questions)
      counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const domain of weights.keys()) {
    const own = bank.filter((question) => question.domain === domain)
    const shares = own.map(({ id }) => (counts.get(id) ?? 0) / 400)
    // By chance alone the most exposed of 300 questions has about twice the mean.
    expect(Math.max(...shares)).toBeLessThan(2.2 * meanOf(shares))
    expect(Math.min(...shares)).toBeGreaterThan(0)
  }
})

test('a bank that is too small gives what it has, and says what is missing', () => {
  const tiny = aBank(12)
  const all = drawForm(tiny, { size: 65, weights, seed: 1 })
  expect(all.questions.map(({ id }) => id).toSorted()).toEqual(tiny.map(({ id }) => id).toSorted())
  expect(all.missing).toBe(53)
  const lopsided = aBank(300).filter(({ domain }, place) => domain !== 'Cost' || place < 20)
  const form = drawForm(lopsided, { size: 65, weights, seed: 1 })
  expect(form.questions).toHaveLength(65)
  expect(form.shortDomains).toEqual(['Cost'])
  expect(drawForm([], { size: 65, weights, seed: 1 })).toEqual({ questions: [], missing: 65, shortDomains: [] })
})
