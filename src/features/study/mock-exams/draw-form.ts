import { blocksOf } from '../../questions/case-studies/case-blocks.ts'
import { randomOf, shuffled } from '../../questions/types/shuffle.ts'
import { shareOut } from '../readiness/readiness.ts'

/** A question of the bank, as far as a draw looks at it. */
export type BankQuestion = {
  readonly id: string
  readonly domain: string
  readonly type: string
  /** The case study that it belongs to, apart from those of other exams. */
  readonly caseStudy?: string | undefined
  /** The chance that a typical learner answers it right. */
  readonly expected: number
  /** What is drawn first: one of RANKS. */
  readonly rank: number
}

/**
 * The order in which a bank is used up. Questions of a practice exam that the learner has not finished come last, so that a mock exam
 * does not spoil it; among them the same order holds, so that two mock exams of a new learner differ.
 */
export const RANKS = { unseen: 0, seen: 1, drawnLately: 2, waiting: 3, waitingSeen: 4, waitingDrawnLately: 5 } as const

export type Form<Question> = {
  readonly questions: readonly Question[]
  /** How many questions the bank was short of the wanted number. */
  readonly missing: number
  /** Domains that could not give their share; others gave theirs. */
  readonly shortDomains: readonly string[]
}

/**
 * Draws a form from a bank: the blueprint's share of each domain, exact to one question; case studies whole, as many of their
 * questions as the bank has in proportion; within a domain each type of question in the proportion of the bank; of each kind the
 * lowest rank first; and then questions of equal domain, type and rank exchanged until the form is as hard as the bank is on average.
 * The same seed draws the same form from the same bank.
 * @param weights the share of each domain; a domain that is not named gives nothing
 */
export function drawForm<Question extends BankQuestion>(
  bank: readonly Question[],
  of: { readonly size: number; readonly weights: ReadonlyMap<string, number>; readonly seed: number },
): Form<Question> {
  const random = randomOf(of.seed)
  const eligible = bank.filter(({ domain }) => (of.weights.get(domain) ?? 0) > 0)
  const size = Math.min(of.size, eligible.length)
  const quotas = domainQuotas(eligible, of.weights, size)
  const rooms = new Map(quotas.counts)
  const wholes = drawCaseStudies(eligible, rooms, size, random)
  const singles = eligible.filter(({ caseStudy }) => caseStudy === undefined)
  const drawn = [...rooms].flatMap(([domain, room]) =>
    drawDomain(
      singles.filter((question) => question.domain === domain),
      room,
      random,
    ),
  )
  const filled = fillUp(eligible, [...wholes, ...drawn], size, random)
  const target = targetOf(eligible, quotas.counts)
  return {
    questions: exchanged(filled, singles, target, random),
    missing: of.size - filled.length,
    shortDomains: quotas.short,
  }
}

/** How many questions each domain gives. What a domain lacks, the others give by their shares. */
function domainQuotas(bank: readonly BankQuestion[], weights: ReadonlyMap<string, number>, size: number) {
  const supply = countBy(bank, ({ domain }) => domain)
  const counts = new Map<string, number>()
  const short = new Set<string>()
  let open = [...weights].filter(([, weight]) => weight > 0)
  let left = size
  while (open.length > 0 && left > 0) {
    const total = open.reduce((sum, [, weight]) => sum + weight, 0)
    const shares = shareOut(
      open.map(([, weight]) => weight / total),
      left,
    )
    const lacking = open.filter(([domain], place) => (shares[place] ?? 0) > (supply.get(domain) ?? 0))
    if (lacking.length === 0) {
      open.forEach(([domain], place) => counts.set(domain, shares[place] ?? 0))
      break
    }
    for (const [domain] of lacking) {
      counts.set(domain, supply.get(domain) ?? 0)
      left -= supply.get(domain) ?? 0
      short.add(domain)
    }
    open = open.filter(([domain]) => !short.has(domain))
  }
  return { counts, short: [...short].toSorted() }
}

/**
 * Case studies with all their questions, while the domains have room for them; together in the proportion of the bank.
 * @param rooms the questions that each domain still gives; they are reduced
 */
function drawCaseStudies<Question extends BankQuestion>(
  bank: readonly Question[],
  rooms: Map<string, number>,
  size: number,
  random: () => number,
): Question[] {
  const ofCaseStudies = bank.filter(({ caseStudy }) => caseStudy !== undefined)
  if (ofCaseStudies.length === 0) return []
  const wanted = (size * ofCaseStudies.length) / bank.length
  const blocks = shuffled(blocksOf(ofCaseStudies), random).toSorted((a, b) => rankOf(a) - rankOf(b))
  const drawn: Question[] = []
  for (const block of blocks) {
    // Rounded by chance, so that a bank with few case studies has one now and then.
    if (drawn.length + block.length > wanted && random() * block.length > wanted - drawn.length) break
    const needs = countBy(block, ({ domain }) => domain)
    if ([...needs].some(([domain, count]) => count > (rooms.get(domain) ?? 0))) continue
    for (const [domain, count] of needs) rooms.set(domain, (rooms.get(domain) ?? 0) - count)
    drawn.push(...block)
    if (drawn.length >= wanted) break
  }
  return drawn
}

function rankOf(block: readonly BankQuestion[]): number {
  return Math.max(...block.map(({ rank }) => rank))
}

/** A domain's questions by type in the proportion of the bank; each type by rank, and by chance among equals. */
function drawDomain<Question extends BankQuestion>(
  bank: readonly Question[],
  room: number,
  random: () => number,
): Question[] {
  const byType = grouped(bank, ({ type }) => type)
  const types = [...byType.keys()].toSorted()
  const counts = roundByChance(
    types.map((type) => ((byType.get(type)?.length ?? 0) * Math.min(room, bank.length)) / Math.max(1, bank.length)),
    random,
  )
  return types.flatMap((type, place) => byRank(byType.get(type) ?? [], random).slice(0, counts[place]))
}

/** Whole numbers with the same sum, each the number below or above; above as often as its fraction says. */
function roundByChance(exact: readonly number[], random: () => number): number[] {
  const start = random()
  let [before, sum] = [Math.floor(start), 0]
  return exact.map((value) => {
    sum += value
    // The sum is whole but for the errors of its parts.
    const upTo = Math.floor(sum + start + 1e-9)
    const count = upTo - before
    before = upTo
    return count
  })
}

function byRank<Question extends BankQuestion>(questions: readonly Question[], random: () => number): Question[] {
  return shuffled(questions, random).toSorted((a, b) => a.rank - b.rank)
}

/** A bank whose rest is in case studies that do not fit leaves gaps: single questions fill them, then case studies from their start. */
function fillUp<Question extends BankQuestion>(
  bank: readonly Question[],
  drawn: readonly Question[],
  size: number,
  random: () => number,
): Question[] {
  if (drawn.length >= size) return [...drawn]
  const taken = new Set(drawn)
  const rest = bank.filter((question) => !taken.has(question))
  const isSingle = ({ caseStudy }: BankQuestion) => caseStudy === undefined
  const singles = byRank(rest.filter(isSingle), random)
  const blocks = blocksOf(rest.filter((question) => !isSingle(question))).toSorted((a, b) => rankOf(a) - rankOf(b))
  const filled = [...drawn, ...singles.slice(0, size - drawn.length)]
  for (const block of blocks) if (filled.length + block.length <= size) filled.push(...block)
  for (const block of blocks)
    for (const question of block) if (filled.length < size && !filled.includes(question)) filled.push(question)
  return filled
}

/** The expected number of right answers of a form that is as hard as the bank, domain by domain. */
function targetOf(bank: readonly BankQuestion[], counts: ReadonlyMap<string, number>): number {
  let target = 0
  for (const [domain, count] of counts) {
    const own = bank.filter((question) => question.domain === domain)
    if (own.length > 0) target += (count * sumOf(own)) / own.length
  }
  return target
}

const sumOf = (questions: readonly BankQuestion[]) => questions.reduce((sum, { expected }) => sum + expected, 0)

/** Half a right answer in a hundred questions: no learner notices a smaller difference between forms. */
const EVEN_ENOUGH = 0.005
/** Exchanges that are compared before one is made. Comparing all would draw the easiest and hardest questions of the bank too often. */
const COMPARED = 60
const MOST_EXCHANGES = 60

/** Exchanges questions for others of equal domain, type and rank until the form is as hard as wanted, or no exchange helps. */
function exchanged<Question extends BankQuestion>(
  form: readonly Question[],
  singles: readonly Question[],
  target: number,
  random: () => number,
): Question[] {
  const result = [...form]
  const kindOf = ({ domain, type, rank }: BankQuestion) => `${rank} ${type} ${domain}`
  const taken = new Set(form)
  const spare = grouped(
    singles.filter((question) => !taken.has(question)),
    kindOf,
  )
  const places = form.flatMap((question, place) =>
    question.caseStudy === undefined && spare.has(kindOf(question)) ? [place] : [],
  )
  let gap = target - sumOf(form)
  for (let made = 0; made < MOST_EXCHANGES && Math.abs(gap) > EVEN_ENOUGH * form.length && places.length > 0; made++) {
    let best = { place: -1, others: [] as Question[], at: -1, left: Math.abs(gap) }
    for (let tried = 0; tried < COMPARED; tried++) {
      const place = places[Math.floor(random() * places.length)] ?? 0
      const others = spare.get(kindOf(result[place]!)) ?? []
      const at = Math.floor(random() * others.length)
      const left = Math.abs(gap - (others[at]!.expected - result[place]!.expected))
      if (left < best.left) best = { place, others, at, left }
    }
    if (best.place < 0) break
    const [before, next] = [result[best.place]!, best.others[best.at]!]
    result[best.place] = next
    best.others[best.at] = before
    gap -= next.expected - before.expected
  }
  return result
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1)
  return counts
}

function grouped<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(nameOf(item))
    if (group) group.push(item)
    else groups.set(nameOf(item), [item])
  }
  return groups
}
