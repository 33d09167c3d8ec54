import type { Db } from '../../../db/open.server.ts'
import type { CourseId, GuestId, UserId } from '../../../lib/ids.ts'
import { readAnswer, takerId } from '../../attempts/attempts-queries.server.ts'
import type { Taker } from '../../attempts/attempts.schema.ts'
import { getCourseCalibration } from '../../attempts/calibrations/item-calibrations-queries.server.ts'
import { findCourse } from '../../catalogue/catalogue-queries.server.ts'
import { forReview, forTaking, isRight } from '../../questions/types/grading-registry.ts'
import type { Answer, Question } from '../../questions/types/question-types.schema.ts'
import { getExamShift } from '../exam-results/exam-results-queries.server.ts'
import { freshAnswers, isNew, presentAbilities, weightsOf, type ReadinessFacts } from '../readiness/readiness.ts'
import { getStudy, listDrillQuestions, summaryOf, type StudyQuestion } from '../study-queries.server.ts'
import { keyOf } from '../study.ts'
import { DrillLayout, type DrillQuestion, type StudyAnswer } from '../study.schema.ts'
import { fail, type DiagnosticSize, type DiagnosticView } from './diagnostic.schema.ts'
import { LENGTHS, mostOf } from './diagnostic.ts'
import { nextQuestion, type Candidate } from './next-question.ts'

/** A diagnostic inside this feature. Never sent to the browser. */
export type DiagnosticRecord = {
  readonly id: string
  readonly courseId: CourseId
  readonly size: DiagnosticSize
  readonly seed: number
  /** The questions so far; the last one may be without an answer. */
  readonly layout: DrillLayout
  readonly finishedAt: Date | null
}

type Of = { readonly taker: Taker; readonly courseId: CourseId }

function diagnosticsOf(db: Db, taker: Taker) {
  return db
    .selectFrom('drills')
    .where(taker.kind === 'person' ? 'user_id' : 'guest_id', '=', takerId(taker))
    .where('diagnostic', 'is not', null)
    .select(['id', 'course_id', 'diagnostic', 'seed', 'layout', 'finished_at'])
}

type Row = Awaited<ReturnType<ReturnType<typeof diagnosticsOf>['executeTakeFirstOrThrow']>>

function toRecord(row: Row): DiagnosticRecord {
  return {
    id: row.id,
    courseId: row.course_id as CourseId,
    size: row.diagnostic ?? 'full',
    seed: row.seed,
    layout: DrillLayout.parse(row.layout),
    finishedAt: row.finished_at,
  }
}

/** The taker's open diagnostic of a size in a course, or else the one that ended last with an answer; null for none. */
export async function findLatestDiagnostic(
  db: Db,
  { taker, courseId, size }: Of & { readonly size: DiagnosticSize },
): Promise<DiagnosticRecord | null> {
  const row = await diagnosticsOf(db, taker)
    .where('course_id', '=', courseId)
    .where('diagnostic', '=', size)
    .where((eb) =>
      eb.or([
        eb('finished_at', 'is', null),
        eb.exists(eb.selectFrom('drill_answers').whereRef('drill_id', '=', 'drills.id').select('place')),
      ]),
    )
    .orderBy('finished_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** A diagnostic of the taker; with `lock`, it is locked until the transaction ends. @throws Failure diagnostic.not-found */
export async function getOwnDiagnostic(
  db: Db,
  of: { readonly diagnosticId: string; readonly taker: Taker | null },
  options: { readonly lock?: boolean } = {},
): Promise<DiagnosticRecord> {
  if (of.taker === null) throw fail('diagnostic.not-found')
  const query = diagnosticsOf(db, of.taker).where('id', '=', of.diagnosticId)
  const row = await (options.lock === true ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) throw fail('diagnostic.not-found')
  return toRecord(row)
}

export async function countDiagnostics(db: Db, { taker, courseId }: Of): Promise<number> {
  const rows = await diagnosticsOf(db, taker).where('course_id', '=', courseId).execute()
  return rows.length
}

/** A question of the bank that may be asked, answer key included. Never sent to the browser. */
export type AskableQuestion = Candidate & Pick<StudyQuestion, 'examId' | 'familyId' | 'question'>

/** What a diagnostic asks from, and what is known of the learner without it. */
export type DiagnosticBank = {
  /** By key: the current questions of the course, or those of its free trials, except members of case studies. */
  readonly open: ReadonlyMap<string, AskableQuestion>
  /** Those that the learner did not answer in the last 30 days. */
  readonly candidates: readonly AskableQuestion[]
  readonly questions: readonly StudyQuestion[]
  /** The learner's answers that may count, without those of an open diagnostic. */
  readonly past: readonly StudyAnswer[]
  readonly facts: Omit<ReadinessFacts, 'answers' | 'now'>
}

export async function getDiagnosticBank(
  db: Db,
  of: {
    readonly userId: UserId | null
    /** Of a guest, whose earlier diagnostics are in no progress. */
    readonly guestId?: GuestId | null
    readonly courseId: CourseId
    readonly size: DiagnosticSize
    readonly now: Date
  },
): Promise<DiagnosticBank> {
  const { courseId, size, now, guestId = null } = of
  const [study, calibration, trials, course, shift, byGuest] = await Promise.all([
    getStudy(db, of),
    getCourseCalibration(db, courseId),
    listTrials(db, courseId),
    findCourse(db, courseId),
    getExamShift(db, courseId),
    guestId === null ? new Map<string, Date>() : listGuestAnswers(db, { guestId, courseId }),
  ])
  const lastOf = ({ key, lastAt }: StudyQuestion) => lastAt ?? byGuest.get(key)
  const { items } = summaryOf(study, calibration)
  const askable = study.questions.flatMap((one, place): AskableQuestion[] => {
    const item = items[place]
    const isIn = size === 'full' || trials.has(one.examId)
    if (item === undefined || !isIn || one.question.caseStudy !== undefined) return []
    const { examId, familyId, question } = one
    const lastAt = lastOf(one)
    return [{ ...item, examId, familyId, question, isSeen: lastAt !== undefined && isNew(lastAt, now) }]
  })
  const lastAt = new Map(study.questions.map((one) => [one.key, lastOf(one)]))
  return {
    open: new Map(askable.map((one) => [one.key, one])),
    candidates: askable.filter(({ key }) => isNew(lastAt.get(key), now)),
    questions: study.questions,
    past: study.answers,
    facts: { items, blueprint: course?.blueprint ?? null, passingScore: study.passingScore, shift },
  }
}

/** When a guest answered questions in diagnostics that ended, by question key. */
async function listGuestAnswers(
  db: Db,
  { guestId, courseId }: { readonly guestId: GuestId; readonly courseId: CourseId },
): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('drills')
    .innerJoin('drill_answers', 'drill_id', 'drills.id')
    .where('guest_id', '=', guestId)
    .where('course_id', '=', courseId)
    .where('finished_at', 'is not', null)
    .orderBy('answered_at')
    .select(['layout', 'place', 'answered_at'])
    .execute()
  return new Map(
    rows.flatMap(({ layout, place, answered_at: at }) => {
      const entry = DrillLayout.parse(layout)[place]
      return entry === undefined || at === null ? [] : [[keyOf(entry), at] as const]
    }),
  )
}

async function listTrials(db: Db, courseId: CourseId): Promise<Set<string>> {
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .where('is_current_version', '=', true)
    .where('is_free_trial', '=', true)
    .select('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** A question of a diagnostic in the version that was asked. */
export type AskedQuestion = {
  readonly place: number
  readonly key: string
  /** Null if the version is gone. */
  readonly question: Question | null
  readonly answer: Answer | null
  /** Null until it is answered. */
  readonly answeredAt: Date | null
}

/** The questions of a diagnostic, in their order. */
export async function listAsked(db: Db, record: DiagnosticRecord): Promise<AskedQuestion[]> {
  const [questions, rows] = await Promise.all([
    listDrillQuestions(db, record),
    db
      .selectFrom('drill_answers')
      .where('drill_id', '=', record.id)
      .select(['place', 'answer', 'answered_at'])
      .execute(),
  ])
  const given = new Map(rows.map((row) => [row.place, row]))
  return record.layout.map((entry, place) => ({
    place,
    key: keyOf(entry),
    question: questions[place] ?? null,
    answer: readAnswer(given.get(place)?.answer ?? null),
    answeredAt: given.get(place)?.answered_at ?? null,
  }))
}

/** What the estimate takes from a diagnostic: its answers among the learner's others, oldest first. */
export function answersWith(bank: DiagnosticBank, asked: readonly AskedQuestion[]): StudyAnswer[] {
  const own = asked.flatMap(({ key, question, answer, answeredAt }): StudyAnswer[] => {
    if (question === null || answeredAt === null) return []
    const isRepeated = bank.open.get(key)?.isSeen === true
    const seen = { isFlagged: false, attemptId: null, ...(isRepeated ? { isRepeated } : {}) }
    return [{ key, domain: question.domain, isRight: isRight(question, answer), at: answeredAt, ...seen }]
  })
  // Finished ones are among the past answers, too: of two to a question the estimate takes the first.
  return [...bank.past, ...own].sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** The question to ask after those that were answered; null at the end. */
export function chooseNext(
  bank: DiagnosticBank,
  asked: readonly AskedQuestion[],
  { seed, size }: Pick<DiagnosticRecord, 'seed' | 'size'>,
  now: Date,
): AskableQuestion | null {
  const { items, blueprint } = bank.facts
  const weights = weightsOf(
    items.map(({ domain }) => domain),
    blueprint,
  )
  const answers = freshAnswers(answersWith(bank, asked), now).filter(({ domain }) => weights.has(domain))
  return nextQuestion({
    candidates: bank.candidates,
    asked: asked.map(({ key, question }) => ({ key, domain: question?.domain ?? '' })),
    weights,
    abilities: presentAbilities(answers, items, [...weights.keys()], now),
    seed,
    length: LENGTHS[size],
  })
}

/** The diagnostic for the browser: the question that is asked, without its key, and nothing of the others. */
export function viewOf(
  record: DiagnosticRecord,
  asked: readonly AskedQuestion[],
  bank: DiagnosticBank,
): DiagnosticView {
  const present = asked.at(-1)
  const isOpen = present !== undefined && present.answeredAt === null && bank.open.has(present.key)
  const question = isOpen ? present.question : null
  return {
    id: record.id,
    size: record.size,
    isFinished: record.finishedAt !== null,
    answeredCount: asked.filter(({ answeredAt }) => answeredAt !== null).length,
    mostQuestions: Math.max(mostOf(record.size, bank.candidates), asked.length),
    question:
      question === null || present === undefined ? null : { place: present.place, question: forTaking(question) },
  }
}

/** What was answered in a finished diagnostic. The keys of a short one are shown while its exam is a free trial. */
export function answeredIn(
  { size }: DiagnosticRecord,
  asked: readonly AskedQuestion[],
  bank: DiagnosticBank,
): DrillQuestion[] {
  return asked.flatMap(({ place, key, question, answer, answeredAt }) => {
    if (question === null || answeredAt === null) return []
    const revealed = size === 'full' || bank.open.has(key) ? forReview(question) : null
    const given = { answer, isRight: isRight(question, answer), isFlagged: false }
    return [{ place, question: forTaking(question), answer: given, revealed, caseStudyAt: null }]
  })
}
