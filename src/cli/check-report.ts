import { type BankCounts, LONG_STEM_WORDS } from '../features/questions/checks/bank-checks.ts'
import { cueNames } from '../features/questions/checks/bank-checks.copy.ts'
import type { CueMeasure, CueStrategy, Finding } from '../features/questions/checks/bank-checks.schema.ts'
import type { Blueprint } from '../features/questions/questions.schema.ts'
import { counted } from '../lib/text.ts'

/** What the command prints about the whole bank, a course or an exam. */
export interface CheckSummary {
  readonly name: string
  readonly counts: BankCounts
  /** The domains that the questions should have; null for the whole bank. */
  readonly blueprint: Blueprint | null
  readonly cues: readonly CueMeasure[]
}

/** The whole bank, and its courses and exams in the order of the folder. */
interface CheckedBank {
  readonly total: CheckSummary
  readonly parts: readonly CheckSummary[]
}

const NAME_WIDTH = 30

/** Counts, shares and cues as tables, one row for each course and exam. */
export function reportLines({ total, parts }: CheckedBank): string[] {
  const rows = [...parts, total]
  const widest = Math.max(NAME_WIDTH, ...rows.map(({ name }) => name.length))
  const row = (name: string, cells: readonly string[]) => tableRow(name.padEnd(widest), cells)
  const columns = columnsOf(total.counts)
  return [
    row('', ['questions', ...columns, 'verified']),
    ...rows.map(({ name, counts }) =>
      row(name, [counts.questions, ...numbersOf(counts, columns), counts.verified].map(String)),
    ),
    '',
    row('Shares, and words of a stem', [...columns, 'median', `${LONG_STEM_WORDS}+`]),
    ...rows.flatMap((summary) => [row(summary.name, shareCells(summary, columns)), ...domainLines(summary)]),
    ...cueLines(total, rows, row),
  ]
}

/** Counts, shares and cues for `--json`; shares are in percent. */
export function summaryData({ counts, blueprint, cues }: CheckSummary) {
  const percents = (numbers: Record<string, number>) =>
    Object.fromEntries(Object.entries(numbers).map(([name, count]) => [name, percentOf(count, counts.questions)]))
  return {
    ...counts,
    shares: {
      kinds: percents(counts.kinds),
      difficulties: percents(counts.difficulties),
      domains: domainShares(counts, blueprint).map(({ name, share, weight }) => ({
        name,
        share,
        ...(weight !== undefined && { weight }),
      })),
      longStems: percentOf(counts.stems.long, counts.questions),
    },
    cues: cues.map(({ strategy, applies, found, chance }) => ({
      strategy,
      questions: applies,
      found: percentOf(found, 1),
      chance: percentOf(chance, 1),
    })),
  }
}

/** The findings, each with its file and line, and their number. */
export function findingLines(findings: readonly Finding[]): string[] {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return [
    ...findings.map(({ file, line, severity, code, questionId, sentence }) => {
      const where = `${file ?? 'all courses'}${line === undefined ? '' : `:${line}`}`
      return `${where}: ${severity} ${code}${questionId === '' ? '' : ` ${questionId}`}: ${sentence}`
    }),
    findings.length === 0
      ? 'No findings.'
      : `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}.`,
  ]
}

/** The difficulties, and the kinds that the bank has: those of choices always. */
function columnsOf({ kinds, difficulties }: BankCounts): string[] {
  const named = Object.entries(kinds).filter(([kind, count]) => count > 0 || kind === 'single' || kind === 'multiple')
  return [...named.map(([kind]) => kind), ...Object.keys(difficulties)]
}

function numbersOf({ kinds, difficulties }: BankCounts, columns: readonly string[]): number[] {
  const numbers: Readonly<Record<string, number>> = { ...kinds, ...difficulties }
  return columns.map((name) => numbers[name] ?? 0)
}

function shareCells({ counts }: CheckSummary, columns: readonly string[]): string[] {
  const { questions, stems } = counts
  const shares = [...numbersOf(counts, columns), stems.long].map((count) => percentText(count, questions))
  return [...shares.slice(0, -1), String(stems.medianWords), ...shares.slice(-1)]
}

function domainShares({ domains, questions }: BankCounts, blueprint: Blueprint | null) {
  const weights = new Map(blueprint?.domains.map(({ name, weight }) => [name, weight]))
  return [...new Set([...weights.keys(), ...Object.keys(domains)])].map((name) => {
    const count = domains[name] ?? 0
    return { name, count, share: percentOf(count, questions), weight: weights.get(name) }
  })
}

/** Domains of different courses have no common shares. */
function domainLines({ counts, blueprint }: CheckSummary): string[] {
  if (blueprint === null) return []
  return domainShares(counts, blueprint).map(({ name, count, weight }) => {
    const share = percentText(count, counts.questions)
    return `${String(count).padStart(8)}  ${share.padStart(6)}${weight === undefined ? '' : ` of ${weight}%`}  ${name}`
  })
}

/** With fewer questions, a share says nothing about an exam. */
const CUE_CELL_FLOOR = 10

type Row = (name: string, cells: readonly string[]) => string

function cueLines({ cues }: CheckSummary, rows: readonly CheckSummary[], row: Row): string[] {
  if (cues.length === 0) return []
  const widest = Math.max(NAME_WIDTH, ...cues.map(({ strategy }) => cueNames[strategy].length))
  return [
    '',
    tableRow('Cues for the test-wise'.padEnd(widest), ['questions', 'find key', 'chance']),
    ...cues.map(({ strategy, applies, found, chance }) =>
      tableRow(cueNames[strategy].padEnd(widest), [String(applies), percentText(found, 1), percentText(chance, 1)]),
    ),
    '',
    row(
      'Points above chance',
      cues.map(({ strategy }) => shortName(strategy)),
    ),
    ...rows.map((summary) =>
      row(
        summary.name,
        cues.map(({ strategy }) => pointsAboveChance(summary.cues.find((one) => one.strategy === strategy))),
      ),
    ),
  ]
}

function pointsAboveChance(measure: CueMeasure | undefined): string {
  if (measure === undefined || measure.applies < CUE_CELL_FLOOR) return '-'
  const points = (100 * (measure.found - measure.chance)).toFixed(1)
  if (points === '-0.0') return '+0.0'
  return points.startsWith('-') ? points : `+${points}`
}

const shortNames: Partial<Record<CueStrategy, string>> = {
  longest: 'longest',
  shortest: 'shortest',
  'most-like-others': 'alike',
  'words-of-stem': 'stem',
  'no-absolute-words': 'no abs.',
  'pair-35': 'pair 35%',
  'pair-50': 'pair 50%',
  'pair-80': 'pair 80%',
}

function shortName(strategy: CueStrategy): string {
  return shortNames[strategy] ?? cueNames[strategy].replace('option ', '')
}

function percentOf(count: number, all: number): number {
  return Math.round((1000 * count) / (all || 1)) / 10
}

function percentText(count: number, all: number): string {
  return `${((100 * count) / (all || 1)).toFixed(1)}%`
}

function tableRow(name: string, cells: readonly string[]): string {
  return [name, ...cells.map((cell) => cell.padStart(9))].join(' ').trimEnd()
}
