import { normaliseLine, normaliseText } from '../../question-text.ts'
import {
  inputOfMarkdown,
  isNearlyPart,
  markdownFactsOf,
  markdownPartsOf,
  readMarkdownPart,
} from '../../types/format-registry.ts'
import { isFactUnused } from '../../types/field-registry.ts'
import type { Question, QuestionType } from '../../types/question-types.schema.ts'
import { stringify } from 'yaml'
import { judgeQuestion, reason, withReasons } from '../../questions.ts'
import {
  Blueprint,
  CourseFacts,
  ExamFacts,
  type Judgement,
  type Reason,
  type ReasonCode,
} from '../../questions.schema.ts'
import { blueprintFields, blueprintOf, centsOf } from '../course-facts.ts'
import { inOrderOfQuestions, judgeCaseStudies } from '../../case-studies/case-studies.ts'
import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import {
  caseStudyKeyAt,
  type CaseStudyInFile,
  printCaseStudy,
  readCaseStudyLines,
} from '../../case-studies/case-study-markdown.ts'
import { fenceFinder, fencesIn } from './markdown-fences.ts'
import { type Fact, FACTS, withEscapes, withoutEscapes } from './markdown-marks.ts'
import { Findings, linesOf, messageOf, readHead } from './markdown-head.ts'
import type { FileFinding } from '../formats.schema.ts'

interface ExamFile {
  exam: ExamFacts
  findings: FileFinding[]
  /** Those that can be stored, in the order of their questions. */
  caseStudies: { caseStudy: CaseStudy; line: number }[]
  questions: QuestionInFile[]
}

/** A question with its key and line. `input` is what was read, so that a refused question can be corrected. */
export type QuestionInFile = Judgement & { key: string; line: number; input: Record<string, unknown> }

/**
 * Reads any text without throwing. Nothing is left out silently: every line is in a question, a reason or a finding.
 * @param areKeysCompared false if the caller compares the keys, of several files
 */
export function parseExamMarkdown(text: string, file: string, { areKeysCompared = true } = {}): ExamFile {
  const lines = linesOf(text)
  const findings = new Findings(file)
  const { head, body } = readHead(lines, findings, QUESTION)
  const exam: ExamFacts = {
    title: head.read('title', ExamFacts.shape.title) ?? nameOf(file),
    slug: head.read('slug', ExamFacts.shape.slug) ?? (slugOf(nameOf(file)) || 'exam'),
    order: head.read('order', ExamFacts.shape.order, { isOptional: true }) ?? 1,
    timeLimitMinutes: head.read('time_limit', ExamFacts.shape.timeLimitMinutes) ?? 60,
    passingScore: head.read('passing_score', ExamFacts.shape.passingScore) ?? 70,
    isFreeTrial: head.read('free_trial', ExamFacts.shape.isFreeTrial, { isOptional: true }) ?? false,
  }
  const scoringPolicy = head.read('scoring', ExamFacts.shape.scoringPolicy, { isOptional: true })
  if (scoringPolicy !== undefined) exam.scoringPolicy = scoringPolicy
  head.refuseOthers()
  const { pieces, caseStudies: found } = readPieces(lines, body, findings)
  if (pieces.length === 0) findings.add('no-questions', 1)
  const caseStudies = checkedCaseStudies(found, pieces, findings)
  const taken = new Set<string>()
  const questions = pieces.map((piece) => {
    if (areKeysCompared && taken.has(piece.key)) piece.note('key-taken', 'id', piece.key, piece.line)
    taken.add(piece.key)
    noteUnusedFacts(piece)
    const input = inputOf(piece)
    const judgement = withReasons(judgeQuestion(input), piece.reasons)
    const reasons = judgement.reasons.map((found) => ({ line: piece.line, ...found }))
    return { ...judgement, reasons, key: piece.key, line: piece.line, input }
  })
  return { exam, findings: findings.inOrder(), caseStudies, questions }
}

/**
 * The case studies that can be stored; what is wrong with the others and with their questions becomes findings. A question that names
 * none of them is read as one by itself.
 */
function checkedCaseStudies(found: readonly CaseStudyInFile[], pieces: readonly Piece[], findings: Findings) {
  for (const { problems } of found) for (const { code, about, line } of problems) findings.add(code, line, about)
  const read = found.flatMap(({ caseStudy, line }) => (caseStudy === null ? [] : [{ caseStudy, line }]))
  const written = new Set(found.map(({ key }) => key))
  const byKey = new Map(read.map((one) => [one.caseStudy.id, one]))
  for (const piece of pieces) {
    const key = normaliseLine(piece.facts.get('case_study') ?? '')
    if (key === '' || byKey.has(key)) continue
    piece.facts.delete('case_study')
    // A case study that was written and refused has its own finding.
    if (!written.has(key)) piece.note('case-study-unknown', 'case_study', key, piece.line)
  }
  const questions = pieces.map((piece) => ({ id: piece.key, line: piece.line, caseStudy: caseStudyOf(piece) }))
  const lineOf = new Map(questions.map(({ id, line }) => [id, line]))
  for (const { code, caseStudyId, questionId, about } of judgeCaseStudies(
    read.map(({ caseStudy }) => caseStudy),
    questions,
  ))
    findings.add(code, lineOf.get(questionId ?? '') ?? byKey.get(caseStudyId)?.line ?? 1, about)
  const kept = [...byKey.values()].map(({ caseStudy }) => caseStudy)
  return inOrderOfQuestions(kept, questions).map((caseStudy) => ({
    caseStudy,
    line: byKey.get(caseStudy.id)?.line ?? 1,
  }))
}

function caseStudyOf({ facts }: Piece): string | undefined {
  return normaliseLine(facts.get('case_study') ?? '') || undefined
}

/** The text that `parseExamMarkdown` reads as the same exam, the same case studies and the same questions. */
export function printExamMarkdown(
  exam: ExamFacts,
  questions: readonly Question[],
  caseStudies: readonly CaseStudy[] = [],
): string {
  const head = stringify(
    {
      title: exam.title,
      slug: exam.slug,
      order: exam.order,
      time_limit: exam.timeLimitMinutes,
      passing_score: exam.passingScore,
      free_trial: exam.isFreeTrial,
      ...(exam.scoringPolicy === 'partial' && { scoring: exam.scoringPolicy }),
    },
    { lineWidth: 0 },
  )
  const waiting = new Map(caseStudies.map((one) => [one.id, one]))
  const printed = questions.flatMap((question) => {
    const caseStudy = waiting.get(question.caseStudy ?? '')
    waiting.delete(question.caseStudy ?? '')
    return [...(caseStudy ? [printCaseStudy(caseStudy)] : []), printQuestion(question)]
  })
  return [`---\n${head}---\n`, ...printed, ...[...waiting.values()].map(printCaseStudy)].join('\n')
}

/** Whether the file describes a course and not an exam: its head has a price. */
export function isCourseMarkdown(text: string): boolean {
  const head = /^---[ \t]*\n(.*?)\n---[ \t]*$/ms.exec(text)
  return head?.index === 0 && /^price:/m.test(head[1] ?? '') && !/^time_limit:/m.test(head[1] ?? '')
}

/** The course is null if it cannot be sold: its title, level or price is missing or wrong. */
export function parseCourseMarkdown(
  text: string,
  file: string,
): { course: CourseFacts | null; findings: FileFinding[] } {
  const lines = linesOf(text)
  const findings = new Findings(file)
  const { head, body } = readHead(lines, findings, QUESTION)
  const title = head.read('title', CourseFacts.shape.title)
  // A course may have no level.
  const category = head.has('category') ? head.read('category', CourseFacts.shape.category) : null
  const priceCents = head.read('price', CourseFacts.shape.priceCents, { from: centsOf })
  const blueprint = head.read('blueprint', Blueprint, { isOptional: true, from: blueprintOf })
  const imageUrl = head.read('image', CourseFacts.shape.imageUrl, { isOptional: true }) ?? ''
  head.refuseOthers()
  const description = CourseFacts.shape.description.safeParse(normaliseText(lines.slice(body).join('\n')))
  if (!description.success) findings.add('field-wrong', body + 1, `description ${messageOf(description.error)}`)
  if (title === undefined || category === undefined || priceCents === undefined || !description.success) {
    return { course: null, findings: findings.inOrder() }
  }
  const course = { title, category, priceCents, blueprint: blueprint ?? null, description: description.data, imageUrl }
  return { course, findings: findings.inOrder() }
}

/** The text that `parseCourseMarkdown` reads as the same course. */
export function printCourseMarkdown(course: CourseFacts): string {
  const { title, category, blueprint, imageUrl } = course
  const head = {
    title,
    ...(category !== null && { category }),
    price: course.priceCents / 100,
    ...(imageUrl !== '' && { image: imageUrl }),
    ...(blueprint && { blueprint: blueprintFields(blueprint) }),
  }
  const description = course.description === '' ? '' : `\n${course.description}\n`
  return `---\n${stringify(head, { lineWidth: 0 })}---\n${description}`
}

function printQuestion(question: Question): string {
  const printedParts = markdownPartsOf(question).map(({ mark, id, derivedId, text }) => {
    const lines = withEscapes(text).split('\n')
    const lastLine = lines.at(-1) ?? ''
    // A text that ends like an id gets its real id behind it, because the last one is read as the id.
    const idText = id === derivedId && !ID_AT_END.test(lastLine) ? '' : `{#${id}}`
    const needsOwnLine = idText !== '' && fencesIn(lines).isFenced.at(-1) === true
    const written = needsOwnLine
      ? [...lines, idText]
      : [...lines.slice(0, -1), idText === '' ? lastLine : `${lastLine} ${idText}`]
    const indented = written.map((line, at) => (at === 0 || line === '' ? line : `  ${line}`))
    return `${mark} ${indented.join('\n')}`
  })
  const facts: (readonly [Fact, string])[] = [
    ['domain', question.domain],
    ['difficulty', question.difficulty],
    ['url', question.url],
    ['needs_review', question.needsReview ? 'true' : ''],
    ['case_study', question.caseStudy ?? ''],
    ['verified_on', question.verifiedOn ?? ''],
    ['guide', question.guide ?? ''],
    ...markdownFactsOf(question),
  ]
  const factLines = facts.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
  const parts = [`## ${question.id}`, withEscapes(question.stem), printedParts.join('\n'), factLines.join('\n')]
  if (question.explanation !== '') parts.push('### Explanation', withEscapes(question.explanation))
  return `${parts.join('\n\n')}\n`
}

const QUESTION = /^##(?!#)(?:[ \t]+(.*))?$/s
const EXPLANATION = /^###[ \t]+explanation[ \t]*$/i
const HEADING = /^#{1,3}(?:[ \t]|$)|^#{2,3}(?!#)/
const FACT = new RegExp(`^(${FACTS.join('|')}):(?:[ \\t]+(.*)|$)`, 's')
const LIKE_A_FACT = /^([A-Za-z][A-Za-z_ -]{0,40}):(?:[ \t]|$)/
const ID_AT_END = /(?:^| )\{#([^{}\s]+)\}[ \t]*$/

/** The lines of one question, by what they are. */
class Piece {
  section: 'stem' | 'parts' | 'facts' | 'explanation' = 'stem'
  hasExplanation = false
  readonly stem: string[] = []
  /** The type of its parts; undefined before the first part. */
  type: QuestionType | undefined
  readonly parts: { mark: string; lines: string[] }[] = []
  readonly facts = new Map<Fact, string>()
  readonly factLines = new Map<Fact, number>()
  readonly explanation: string[] = []
  readonly reasons: Reason[] = []

  constructor(
    readonly key: string,
    readonly line: number,
  ) {}

  note(code: ReasonCode, field: string, about: string, line: number): void {
    this.reasons.push(reason(code, field, about, line))
  }

  /** The lines to which text of this section is added; null if the section has only marks. */
  get text(): string[] | null {
    if (this.section === 'stem') return this.stem
    if (this.section === 'explanation') return this.explanation
    return null
  }
}

function readPieces(
  lines: string[],
  from: number,
  findings: Findings,
): { pieces: Piece[]; caseStudies: CaseStudyInFile[] } {
  const pieces: Piece[] = []
  const caseStudies: CaseStudyInFile[] = []
  const fenceEnd = fenceFinder(lines)
  let strayBefore: number | null = null
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const piece = pieces.at(-1)
    const isContinuation = piece?.section === 'parts' && /^(?: {2}|\t)/.test(line)
    const end = isContinuation ? undefined : fenceEnd(at)
    if (typeof end === 'number') {
      if (piece) takeFence(piece, lines, at, end)
      else strayBefore ??= at
      at = end
      continue
    }
    const mark = QUESTION.exec(line)
    if (caseStudyKeyAt(lines, at) !== null) {
      const next = endOfCaseStudy(lines, at + 1, fenceEnd)
      caseStudies.push(readCaseStudyLines(lines.slice(at, next), at + 1))
      at = next - 1
    } else if (mark) pieces.push(new Piece(normaliseLine(mark[1] ?? ''), at + 1))
    else if (piece) takeLine(piece, line, at + 1, (lines[at - 1] ?? '').trim() === '')
    else if (line.trim() !== '') strayBefore ??= at
  }
  if (strayBefore !== null)
    findings.add('text-before-questions', strayBefore + 1, (lines[strayBefore] ?? '').slice(0, 120))
  return { pieces, caseStudies }
}

/** The line at which the next question or case study begins, or the end of the file. */
function endOfCaseStudy(lines: string[], from: number, fenceEnd: ReturnType<typeof fenceFinder>): number {
  for (let at = from; at < lines.length; at++) {
    const end = fenceEnd(at)
    if (typeof end === 'number') at = end
    else if (QUESTION.test(lines[at] ?? '') || caseStudyKeyAt(lines, at) !== null) return at
  }
  return lines.length
}

/** Fenced code has no marks, so its lines stay as they are. */
function takeFence(piece: Piece, lines: string[], from: number, end: number): void {
  const code = lines.slice(from, end + 1)
  const question = code.findIndex((line) => QUESTION.test(line))
  if (question !== -1 && code.slice(question).some((line) => readMarkdownPart(line) !== null)) {
    piece.note('fence-holds-question', 'question', '', from + 1)
  }
  const part = piece.parts.at(-1)
  if (piece.text) {
    piece.text.push(...code)
  } else if (piece.section === 'parts' && part) {
    piece.note('answer-not-indented', 'answers', '', from + 1)
    part.lines.push(...code)
  } else {
    piece.note('line-stray', '', lines[from] ?? '', from + 1)
  }
}

function takeLine(piece: Piece, line: string, number: number, isAfterBlank: boolean): void {
  const part = piece.section === 'explanation' ? null : readMarkdownPart(line, piece.type)
  if (part) {
    piece.section = 'parts'
    piece.type = part.type
    piece.parts.push({ mark: part.mark, lines: [part.text] })
    return
  }
  const fact = FACT.exec(line)
  if (fact) return takeFact(piece, fact[1] ?? '', fact[2] ?? '', number)
  if (EXPLANATION.test(line)) {
    if (piece.hasExplanation) {
      piece.note('explanation-twice', 'explanation', '', number)
      piece.explanation.push('')
    }
    piece.hasExplanation = true
    piece.section = 'explanation'
    return
  }
  const isMark = HEADING.test(line) || isNearlyPart(line)
  if (piece.text) {
    if (isMark) piece.note('mark-inside-text', piece.section === 'stem' ? 'question' : 'explanation', line, number)
    piece.text.push(line)
    return
  }
  const last = piece.section === 'parts' ? piece.parts.at(-1) : undefined
  if (last && /^(?: {2}|\t)/.test(line)) last.lines.push(line.replace(/^(?: {2}|\t)/, ''))
  else if (line.trim() === '') last?.lines.push('')
  else takeOddLine(piece, line, number, isAfterBlank || isMark)
}

function takeFact(piece: Piece, name: string, value: string, number: number): void {
  if (piece.section === 'parts') piece.section = 'facts'
  const fact = FACTS.find((known) => known === name)
  if (fact === undefined) piece.note('fact-unknown', name, name, number)
  else if (piece.facts.has(fact)) piece.note('fact-twice', fact, fact, number)
  else {
    piece.facts.set(fact, value)
    piece.factLines.set(fact, number)
  }
}

/** A fact can stand before the parts, so that only the whole question tells whether its type has such a fact. */
function noteUnusedFacts(piece: Piece): void {
  const { type } = piece
  if (type === undefined) return
  for (const [fact, line] of piece.factLines) if (isFactUnused(fact, type)) piece.note('fact-unused', fact, fact, line)
}

/** A line between parts and explanation that is no mark. */
function takeOddLine(piece: Piece, line: string, number: number, isApart: boolean): void {
  const last = piece.section === 'parts' ? piece.parts.at(-1) : undefined
  const name = LIKE_A_FACT.exec(line)?.[1]
  if (name !== undefined && (isApart || !last)) {
    piece.section = 'facts'
    const known = FACTS.find((fact) => fact === name.toLowerCase().replaceAll(/[ -]/g, '_'))
    if (known !== undefined) takeFact(piece, known, line.slice(name.length + 1), number)
    else piece.note('fact-unknown', name, name, number)
  } else if (last && !isApart) {
    piece.note('answer-not-indented', 'answers', '', number)
    last.lines.push(line.trimStart())
  } else {
    piece.note('line-stray', '', line, number)
  }
}

/** The fields of a stored question as the file gives them, for `judgeQuestion`. */
function inputOf(piece: Piece): Record<string, unknown> {
  const parts = piece.parts.map(({ mark, lines: written }) => {
    const { id, lines } = withoutId(written)
    return { mark, id, text: withoutEscapes(lines) }
  })
  const review = normaliseLine(piece.facts.get('needs_review') ?? '').toLowerCase()
  return {
    id: piece.key,
    question: withoutEscapes(piece.stem),
    explanation: withoutEscapes(piece.explanation),
    ...inputOfMarkdown(parts, piece.type),
    ...Object.fromEntries(piece.facts),
    ...(piece.facts.has('needs_review') && {
      needs_review: review === 'true' || (review === 'false' ? false : review),
    }),
  }
}

function withoutId(written: string[]): { id: string | null; lines: string[] } {
  const lastAt = written.findLastIndex((line) => line.trim() !== '')
  const last = written[lastAt] ?? ''
  const id = ID_AT_END.exec(last)
  if (!id) return { id: null, lines: written }
  const before = last.slice(0, id.index)
  const isAlone = before === '' && lastAt > 0
  return { id: id[1] ?? null, lines: [...written.slice(0, lastAt), ...(isAlone ? [] : [before])] }
}

function nameOf(file: string): string {
  return (file.split('/').at(-1) ?? '').replace(/\.md$/, '') || 'exam'
}

/** A slug from a name that was not meant as one. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
