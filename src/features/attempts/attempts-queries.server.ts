import { sql } from 'kysely'
import { forReview, forTaking } from '../questions/types/grading-registry.ts'
import { Answer, type Question } from '../questions/types/question-types.schema.ts'
import { arranged } from '../questions/types/grading-registry.ts'
import { ScoringPolicy } from '../questions/types/question-base.schema.ts'
import type { Db } from '../../db/open.server.ts'
import type { ExtraTime } from '../../lib/extra-time.ts'
import type { AttemptId, CourseId, ExamId, GuestId, UserId } from '../../lib/ids.ts'
import type { WithoutAccess } from '../access/access.schema.ts'
import { shownCaseStudies } from '../questions/case-studies/case-blocks.ts'
import { listCaseStudiesOf, listQuestionsOf } from './attempt-questions-queries.server.ts'
import { Blueprint } from '../questions/questions.schema.ts'
import { remainingSeconds } from './attempts.ts'
import {
  AttemptResult,
  Drawn,
  fail,
  Layout,
  type AnswerState,
  type AttemptView,
  type FinishedBy,
  type Mode,
  type ServerClock,
  type Taker,
} from './attempts.schema.ts'
import type { RealExam } from './scaled-score.ts'

/**
 * Whether an attempt that is looked up by its id is open. Unlike `state = 'open'` it matches no partial index: where few attempts were
 * open at the last ANALYZE, the planner would read all that are open by such an index instead of the one by its primary key.
 */
export const isOpen = sql<boolean>`case state when 'open' then true else false end`

/** One attempt as this feature uses it; never sent to the browser. */
export type AttemptRecord = {
  readonly id: AttemptId
  /** The version of the exam that it has; null for a drawn exam. */
  readonly exam: { readonly examId: ExamId; readonly familyId: string } | null
  /** Null unless it was drawn from the bank of the course. */
  readonly drawn: Drawn | null
  readonly courseId: CourseId
  readonly owner: Taker
  readonly mode: Mode
  readonly state: 'open' | 'finished'
  readonly layout: Layout
  readonly scoringPolicy: ScoringPolicy
  readonly passingScore: number
  readonly timeLimitMinutes: number | null
  readonly extraTime: ExtraTime
  readonly writer: string | null
  readonly startedAt: Date
  readonly deadlineAt: Date | null
  readonly finishedAt: Date | null
  readonly finishedBy: FinishedBy | null
  readonly result: AttemptResult | null
}

function attempts(db: Db) {
  return db
    .selectFrom('attempts')
    .select([
      'attempts.id',
      'attempts.exam_id',
      'attempts.family_id',
      'attempts.drawn',
      'attempts.course_id',
      'attempts.user_id',
      'attempts.guest_id',
      'attempts.mode',
      'attempts.state',
      'attempts.layout',
      'attempts.scoring_policy',
      'attempts.passing_score',
      'attempts.time_limit_minutes',
      'attempts.extra_time',
      'attempts.writer',
      'attempts.started_at',
      'attempts.deadline_at',
      'attempts.finished_at',
      'attempts.finished_by',
      'attempts.result',
    ])
}

type AttemptRow = Awaited<ReturnType<ReturnType<typeof attempts>['executeTakeFirstOrThrow']>>

function toRecord(row: AttemptRow): AttemptRecord {
  return {
    id: row.id as AttemptId,
    exam:
      row.exam_id === null || row.family_id === null
        ? null
        : { examId: row.exam_id as ExamId, familyId: row.family_id },
    drawn: row.drawn === null ? null : Drawn.parse(row.drawn),
    courseId: row.course_id as CourseId,
    owner:
      row.user_id === null
        ? { kind: 'guest', guestId: row.guest_id as GuestId }
        : { kind: 'person', userId: row.user_id as UserId },
    mode: row.mode,
    state: row.state,
    layout: Layout.parse(row.layout),
    scoringPolicy: ScoringPolicy.parse(row.scoring_policy),
    passingScore: row.passing_score,
    timeLimitMinutes: row.time_limit_minutes,
    extraTime: row.extra_time,
    writer: row.writer,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    finishedAt: row.finished_at,
    finishedBy: row.finished_by,
    result: row.result === null ? null : AttemptResult.parse(row.result),
  }
}

export function takerId(taker: Taker): UserId | GuestId {
  return taker.kind === 'person' ? taker.userId : taker.guestId
}

function isOwn(owner: Taker, taker: Taker | null): boolean {
  return taker !== null && owner.kind === taker.kind && takerId(owner) === takerId(taker)
}

/** An attempt of any owner. With `lock`, no other transaction can write to it until this one ends. */
export async function findAttempt(db: Db, id: string, options: { lock?: boolean } = {}): Promise<AttemptRecord | null> {
  const query = attempts(db).where('attempts.id', '=', id)
  const row = await (options.lock === true ? query.forUpdate() : query).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** @throws Failure attempt.not-found */
export async function getAttempt(db: Db, id: string): Promise<AttemptRecord> {
  const attempt = await findAttempt(db, id)
  if (attempt === null) throw fail('attempt.not-found')
  return attempt
}

/**
 * An attempt of this taker; attempts of others are not found. If the attempt belongs to a user and nobody is signed in, the
 * session has ended: the failure says so, so that a learner in the middle of an exam can sign in again.
 * @throws Failure attempt.not-found, attempt.signed-out
 */
export async function getOwnAttempt(
  db: Db,
  id: string,
  taker: Taker | null,
  options: { lock?: boolean } = {},
): Promise<AttemptRecord> {
  const attempt = await findAttempt(db, id, options)
  if (attempt === null) throw fail('attempt.not-found')
  if (isOwn(attempt.owner, taker)) return attempt
  throw fail(taker?.kind !== 'person' && attempt.owner.kind === 'person' ? 'attempt.signed-out' : 'attempt.not-found')
}

export async function findOpenAttempt(
  db: Db,
  of: { taker: Taker; familyId: string; mode: Mode },
): Promise<AttemptRecord | null> {
  const row = await attempts(db)
    .where((eb) => eb(eb.fn.coalesce('attempts.user_id', 'attempts.guest_id'), '=', takerId(of.taker)))
    .where('attempts.family_id', '=', of.familyId)
    .where('attempts.mode', '=', of.mode)
    .where('attempts.state', '=', 'open')
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

export async function findLayout(db: Db, id: string): Promise<Layout | null> {
  const row = await db.selectFrom('attempts').where('id', '=', id).select('layout').executeTakeFirst()
  return row === undefined ? null : Layout.parse(row.layout)
}

export async function findExtraTime(db: Db, userId: UserId): Promise<ExtraTime> {
  const row = await db.selectFrom('profiles').where('id', '=', userId).select('extra_time').executeTakeFirst()
  return row?.extra_time ?? 'none'
}

/** The answers so far, by question id. */
export async function listAnswers(db: Db, attemptId: AttemptId): Promise<Map<string, AnswerState>> {
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', '=', attemptId)
    .select(['question_id', 'answer', 'is_flagged', 'struck', 'note', 'confidence', 'active_ms', 'seq', 'checked_at'])
    .execute()
  return new Map(
    rows.map((row) => [
      row.question_id,
      {
        answer: readAnswer(row.answer),
        isFlagged: row.is_flagged,
        struck: row.struck,
        note: row.note,
        confidence: row.confidence,
        activeMs: row.active_ms,
        seq: row.seq,
        isChecked: row.checked_at !== null,
      },
    ]),
  )
}

/** Parses an answer from the database. */
export function readAnswer(stored: unknown): Answer | null {
  return Answer.nullable().parse(stored)
}

export function clockOf(attempt: Pick<AttemptRecord, 'deadlineAt' | 'state'>, now: Date): ServerClock {
  const left = remainingSeconds(attempt.deadlineAt, now)
  return { now: now.toISOString(), remainingSeconds: attempt.state === 'finished' && left !== null ? 0 : left }
}

/** The questions of an attempt in the order that is shown, with their answer keys. */
export async function listQuestionsAsShown(db: Db, attempt: AttemptRecord): Promise<Question[]> {
  const byId = new Map((await listQuestionsOf(db, attempt)).map((question) => [question.id, question]))
  return attempt.layout.flatMap(({ question: id, shape }) => {
    const question = byId.get(id)
    return question === undefined ? [] : [arranged(question, shape)]
  })
}

/** The course's facts about the real exam, for the estimate and the weights of a result. */
export async function getRealExam(db: Db, courseId: CourseId): Promise<RealExam> {
  const row = await db
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select(['category', 'blueprint'])
    .executeTakeFirstOrThrow()
  const blueprint = Blueprint.safeParse(row.blueprint)
  return { category: row.category, blueprint: blueprint.success ? blueprint.data : null }
}

type Titles = {
  readonly names: {
    readonly examTitle: string
    readonly examSlug: string | null
    readonly courseSlug: string
    readonly courseTitle: string
  }
  /** The usual time limit of the exam. */
  readonly usualMinutes: number
}

export async function getTitles(db: Db, attempt: AttemptRecord): Promise<Titles> {
  const { exam, drawn } = attempt
  if (exam === null) {
    const course = await db
      .selectFrom('courses')
      .where('id', '=', attempt.courseId)
      .select(['slug', 'title'])
      .executeTakeFirstOrThrow()
    return {
      names: {
        examTitle: drawn?.title ?? '',
        examSlug: null,
        courseSlug: course.slug,
        courseTitle: course.title,
      },
      usualMinutes: attempt.timeLimitMinutes ?? 0,
    }
  }
  const row = await db
    .selectFrom('test_questions')
    .innerJoin('courses', 'courses.id', 'test_questions.course_id')
    .where('test_questions.id', '=', exam.examId)
    .select([
      'test_questions.test_name',
      'test_questions.slug',
      'test_questions.time_limit',
      'courses.slug as course_slug',
      'courses.title as course_title',
    ])
    .executeTakeFirstOrThrow()
  return {
    names: {
      examTitle: row.test_name,
      examSlug: row.slug,
      courseSlug: row.course_slug,
      courseTitle: row.course_title,
    },
    usualMinutes: row.time_limit,
  }
}

/** Whether the exam is a free trial now, whichever version the attempt has. A drawn exam never is. */
export async function isStillTrial(db: Db, { exam }: AttemptRecord): Promise<boolean> {
  if (exam === null) return false
  const row = await db
    .selectFrom('test_questions')
    .where('family_id', '=', exam.familyId)
    .where('is_current_version', '=', true)
    .select('is_free_trial')
    .executeTakeFirst()
  return row?.is_free_trial === true
}

/** An attempt for the browser. It has the answer keys of checked questions only, and none if `withheld` is not null. */
export async function getAttemptView(
  db: Db,
  attempt: AttemptRecord,
  now: Date,
  withheld: WithoutAccess | null = null,
): Promise<AttemptView> {
  const [{ names }, questions, caseStudies, answers] = await Promise.all([
    getTitles(db, attempt),
    listQuestionsAsShown(db, attempt),
    listCaseStudiesOf(db, attempt),
    listAnswers(db, attempt.id),
  ])
  const isDue = (question: Question) =>
    withheld === null && attempt.mode !== 'timed' && answers.get(question.id)?.isChecked === true
  return {
    id: attempt.id,
    ...names,
    mode: attempt.mode,
    state: attempt.state,
    passingScore: attempt.passingScore,
    timeLimitMinutes: attempt.timeLimitMinutes,
    extraTime: attempt.extraTime,
    writer: attempt.writer,
    questions: questions.map(forTaking),
    caseStudies: shownCaseStudies(caseStudies, questions),
    answers: Object.fromEntries(answers),
    revealed: Object.fromEntries(questions.filter(isDue).map((question) => [question.id, forReview(question)])),
    clock: clockOf(attempt, now),
  }
}

export async function countAttemptsOfCourse(
  db: Db,
  courseId: string,
): Promise<{ readonly ofUsers: number; readonly ofGuests: number }> {
  const { users, guests } = await db
    .selectFrom('attempts')
    .where('course_id', '=', courseId)
    .select((eb) => [
      eb.fn.count<number>('user_id').as('users'),
      eb.fn.countAll<number>().filterWhere('user_id', 'is', null).as('guests'),
    ])
    .executeTakeFirstOrThrow()
  return { ofUsers: users, ofGuests: guests }
}

/** The number of open and finished attempts of each exam version. */
export async function countAttemptsByVersion(db: Db, examIds: readonly string[]): Promise<Map<string, number>> {
  if (examIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('attempts')
    .where('exam_id', 'in', examIds)
    .groupBy('exam_id')
    .select((eb) => ['exam_id', eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.flatMap((row) => (row.exam_id === null ? [] : [[row.exam_id, row.count] as const])))
}
