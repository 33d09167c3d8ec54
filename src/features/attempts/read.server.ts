import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { ExtraTime } from '../../lib/extra-time.ts'
import type { AttemptId, CourseId, ExamId, GuestId, PersonId } from '../../lib/ids.ts'
import { personRead, type KeptReads } from '../../platform/cache/kept-reads.server.ts'
import { inOnePage, inPages, type OwnData } from '../../platform/own-data.server.ts'
import { getExamQuestions } from '../catalogue/read.server.ts'
import { forReview, forTaking } from '../questions/rules.ts'
import { Blueprint, type Question } from '../questions/schema.ts'
import { budgetOf, type RealExam } from './scoring/rules.ts'
import { creditPercentOf, isRight, minutesWith, remainingSeconds } from './rules.ts'
import {
  AttemptResult,
  fail,
  Layout,
  ScoringPolicy,
  type AnswerState,
  type AttemptSummary,
  type AttemptView,
  type FinishedBy,
  type Mode,
  type RegradeNote,
  type ReviewView,
  type ServerClock,
  type Taker,
} from './schema.ts'

/** One attempt as this room works with it; it never leaves the server. */
export type AttemptRecord = {
  readonly id: AttemptId
  readonly examId: ExamId
  readonly familyId: string
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
    examId: row.exam_id as ExamId,
    familyId: row.family_id,
    courseId: row.course_id as CourseId,
    owner:
      row.user_id === null
        ? { kind: 'guest', guestId: row.guest_id as GuestId }
        : { kind: 'person', personId: row.user_id as PersonId },
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

export function takerId(taker: Taker): PersonId | GuestId {
  return taker.kind === 'person' ? taker.personId : taker.guestId
}

function isOwn(owner: Taker, taker: Taker | null): boolean {
  return taker !== null && owner.kind === taker.kind && takerId(owner) === takerId(taker)
}

/** Any attempt, whoever's it is. With `lock`, nobody else writes to it until the transaction ends. */
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
 * The taker's own attempt. Another's is not found. Where nobody is signed in and the attempt is a person's, a session has
 * ended: that is said, so that a learner in the middle of an exam can sign in again.
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

export async function findExtraTime(db: Db, personId: PersonId): Promise<ExtraTime> {
  const row = await db.selectFrom('profiles').where('id', '=', personId).select('extra_time').executeTakeFirst()
  return row?.extra_time ?? 'none'
}

/** What is put down so far, by question. */
export async function listAnswers(db: Db, attemptId: AttemptId): Promise<Map<string, AnswerState>> {
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', '=', attemptId)
    .select([
      'question_id',
      'selection',
      'is_flagged',
      'struck',
      'note',
      'confidence',
      'active_ms',
      'seq',
      'checked_at',
    ])
    .execute()
  return new Map(
    rows.map((row) => [
      row.question_id,
      {
        selection: row.selection,
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

export function clockOf(attempt: Pick<AttemptRecord, 'deadlineAt' | 'state'>, now: Date): ServerClock {
  const left = remainingSeconds(attempt.deadlineAt, now)
  return { now: now.toISOString(), remainingSeconds: attempt.state === 'finished' && left !== null ? 0 : left }
}

/** The questions of an attempt's own version of the exam in the order that is shown, keys included. */
export async function listQuestionsAsShown(db: Db, attempt: AttemptRecord): Promise<Question[]> {
  const byId = new Map((await getExamQuestions(db, attempt.examId)).map((question) => [question.id, question]))
  return attempt.layout.flatMap(({ question: id, answers }) => {
    const question = byId.get(id)
    return question === undefined ? [] : [withAnswersInOrder(question, answers)]
  })
}

function withAnswersInOrder(question: Question, order: readonly string[]): Question {
  const place = new Map(order.map((id, index) => [id, index]))
  const placeOf = (id: string) => place.get(id) ?? order.length
  return { ...question, answers: question.answers.toSorted((a, b) => placeOf(a.id) - placeOf(b.id)) }
}

/** What the course says about the real exam, for the estimate and the weights of a result. */
export async function getRealExam(db: Db, courseId: CourseId): Promise<RealExam> {
  const row = await db
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select(['category', 'blueprint'])
    .executeTakeFirstOrThrow()
  const blueprint = Blueprint.safeParse(row.blueprint)
  return { category: row.category, blueprint: blueprint.success ? blueprint.data : null }
}

async function getTitles(db: Db, attempt: AttemptRecord) {
  const row = await db
    .selectFrom('test_questions')
    .innerJoin('courses', 'courses.id', 'test_questions.course_id')
    .where('test_questions.id', '=', attempt.examId)
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

/** Whether the exam is a free trial now, whichever version the attempt has. */
export async function isStillTrial(db: Db, attempt: AttemptRecord): Promise<boolean> {
  const row = await db
    .selectFrom('test_questions')
    .where('family_id', '=', attempt.familyId)
    .where('is_current_version', '=', true)
    .select('is_free_trial')
    .executeTakeFirst()
  return row?.is_free_trial === true
}

/** What the browser gets while an attempt runs: no key but those of questions that were checked. */
export async function getAttemptView(db: Db, attempt: AttemptRecord, now: Date): Promise<AttemptView> {
  const [{ names }, questions, answers] = await Promise.all([
    getTitles(db, attempt),
    listQuestionsAsShown(db, attempt),
    listAnswers(db, attempt.id),
  ])
  const isDue = (question: Question) => attempt.mode !== 'timed' && answers.get(question.id)?.isChecked === true
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
    answers: Object.fromEntries(answers),
    revealed: Object.fromEntries(questions.filter(isDue).map((question) => [question.id, forReview(question)])),
    clock: clockOf(attempt, now),
  }
}

/** What was chosen too late, by question. */
async function listLateSelections(db: Db, attemptId: AttemptId): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('late_answers')
    .where('attempt_id', '=', attemptId)
    .select(['question_id', 'selection'])
    .execute()
  return new Map(rows.map((row) => [row.question_id, row.selection]))
}

/** The mended keys that changed a result, the oldest first, each with what it was before. */
async function listRegradeNotes(db: Db, attemptId: AttemptId): Promise<RegradeNote[]> {
  const rows = await db
    .selectFrom('former_results')
    .innerJoin('regrades', 'regrades.id', 'former_results.regrade_id')
    .where('former_results.attempt_id', '=', attemptId)
    .orderBy('regrades.at')
    .select(['regrades.at', 'regrades.reason', 'former_results.score_percent', 'former_results.is_passed'])
    .execute()
  return rows.map((row) => ({
    at: row.at.toISOString(),
    reason: row.reason,
    scorePercent: Number(row.score_percent),
    isPassed: row.is_passed,
  }))
}

/** @throws Failure attempt.not-finished */
export async function getReview(db: Db, attempt: AttemptRecord): Promise<ReviewView> {
  const { result, finishedAt, finishedBy } = attempt
  if (result === null || finishedAt === null || finishedBy === null) throw fail('attempt.not-finished')
  const [{ names, usualMinutes }, questions, answers, late, regrades] = await Promise.all([
    getTitles(db, attempt),
    listQuestionsAsShown(db, attempt),
    listAnswers(db, attempt.id),
    listLateSelections(db, attempt.id),
    listRegradeNotes(db, attempt.id),
  ])
  return {
    id: attempt.id,
    ...names,
    mode: attempt.mode,
    startedAt: attempt.startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    finishedBy,
    timeLimitMinutes: attempt.timeLimitMinutes,
    extraTime: attempt.extraTime,
    scoringPolicy: attempt.scoringPolicy,
    budgetMs: budgetOf(minutesWith(attempt.extraTime, attempt.timeLimitMinutes ?? usualMinutes), attempt.layout.length),
    result,
    regrades,
    questions: questions.map((question) => {
      const answer = answers.get(question.id)
      const selection = answer?.selection ?? []
      return {
        question: forReview(question),
        selection,
        isRight: isRight(question, selection),
        creditPercent: creditPercentOf(question, selection, attempt.scoringPolicy),
        isFlagged: answer?.isFlagged ?? false,
        note: answer?.note ?? '',
        confidence: answer?.confidence ?? null,
        activeMs: answer?.activeMs ?? 0,
        lateSelection: late.get(question.id) ?? null,
      }
    }),
  }
}

function summaries(db: Db) {
  return db
    .selectFrom('attempts')
    .innerJoin('test_questions', 'test_questions.id', 'attempts.exam_id')
    .innerJoin('courses', 'courses.id', 'attempts.course_id')
    .select([
      'attempts.id',
      'attempts.exam_id',
      'attempts.family_id',
      'attempts.course_id',
      'attempts.mode',
      'attempts.state',
      'attempts.started_at',
      'attempts.finished_at',
      'attempts.deadline_at',
      'attempts.score_percent',
      'attempts.is_passed',
      'test_questions.slug',
      'test_questions.test_name',
      'courses.slug as course_slug',
      sql<number>`jsonb_array_length(attempts.layout)`.as('question_count'),
    ])
    .select((eb) =>
      eb
        .selectFrom('attempt_answers')
        .whereRef('attempt_answers.attempt_id', '=', 'attempts.id')
        .where(sql<boolean>`cardinality(attempt_answers.selection) > 0`)
        .select((answers) => answers.fn.countAll<number>().as('answered'))
        .as('answered_count'),
    )
    .orderBy('attempts.started_at', 'desc')
    .orderBy('attempts.id')
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof summaries>['executeTakeFirstOrThrow']>>

function toSummary(row: SummaryRow): AttemptSummary {
  return {
    id: row.id,
    examId: row.exam_id,
    familyId: row.family_id,
    examSlug: row.slug,
    examTitle: row.test_name,
    courseId: row.course_id,
    courseSlug: row.course_slug,
    mode: row.mode,
    state: row.state,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    scorePercent: row.score_percent === null ? null : Number(row.score_percent),
    isPassed: row.is_passed,
    answeredCount: row.answered_count ?? 0,
    questionCount: row.question_count,
  }
}

/** The attempts of a person, newest first: all, or so many. */
export async function listAttempts(db: Db, of: { personId: PersonId; limit?: number }): Promise<AttemptSummary[]> {
  const rows = await summaries(db)
    .where('attempts.user_id', '=', of.personId)
    .$if(of.limit !== undefined, (query) => query.limit(of.limit ?? 0))
    .execute()
  return rows.map(toSummary)
}

/** What a person has taken so far, for their own pages. */
export type Progress = { readonly attempts: readonly AttemptSummary[]; readonly finished: readonly FinishedAnswers[] }

/**
 * Kept until an attempt begins, ends or is graded anew. Each use asks for the transactions that wrote the person's attempts; a
 * notification of each start and end would make their commits wait for each other (decision 0011).
 */
const progressOfPerson = personRead(
  'user-progress',
  async (db, personId): Promise<Progress> => {
    const [attempts, finished] = await Promise.all([
      listAttempts(db, { personId }),
      listFinishedAnswers(db, { personId }),
    ])
    return { attempts, finished }
  },
  async (db, personId) => {
    const { state } = await db
      .selectFrom('attempts')
      .where('user_id', '=', personId)
      .select(sql<string>`coalesce(md5(string_agg(id::text || xmin::text, ' ' order by id)), '')`.as('state'))
      .executeTakeFirstOrThrow()
    return state
  },
)

/** As it is kept; only what is answered of the open attempts is counted each time, since saves are not told of. */
export async function getProgress(
  { keptReads, db }: { readonly keptReads: KeptReads; readonly db: Db },
  personId: PersonId,
): Promise<Progress> {
  const { attempts, finished } = await keptReads.get(progressOfPerson, db, personId)
  const open = attempts.filter(({ state }) => state === 'open').map(({ id }) => id)
  if (open.length === 0) return { attempts, finished }
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', 'in', open)
    .where(sql<boolean>`cardinality(selection) > 0`)
    .groupBy('attempt_id')
    .select((eb) => ['attempt_id', eb.fn.countAll<number>().as('answered')])
    .execute()
  const answered = new Map(rows.map((row) => [row.attempt_id, row.answered]))
  return {
    attempts: attempts.map((one) =>
      one.state === 'open' ? { ...one, answeredCount: answered.get(one.id) ?? 0 } : one,
    ),
    finished,
  }
}

/** A taker's attempts at one exam, all versions, newest first. */
export async function listAttemptsAtExam(db: Db, of: { taker: Taker; familyId: string }): Promise<AttemptSummary[]> {
  const column = of.taker.kind === 'person' ? 'attempts.user_id' : 'attempts.guest_id'
  const rows = await summaries(db)
    .where(column, '=', takerId(of.taker))
    .where('attempts.family_id', '=', of.familyId)
    .execute()
  return rows.map(toSummary)
}

export async function countAttemptsOfCourse(
  db: Db,
  courseId: string,
): Promise<{ readonly ofPeople: number; readonly ofGuests: number }> {
  const { people, guests } = await db
    .selectFrom('attempts')
    .where('course_id', '=', courseId)
    .select((eb) => [
      eb.fn.count<number>('user_id').as('people'),
      eb.fn.countAll<number>().filterWhere('user_id', 'is', null).as('guests'),
    ])
    .executeTakeFirstOrThrow()
  return { ofPeople: people, ofGuests: guests }
}

/** How many attempts each version of some exams has, open and finished. */
export async function countAttemptsByVersion(db: Db, examIds: readonly string[]): Promise<Map<string, number>> {
  if (examIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('attempts')
    .where('exam_id', 'in', examIds)
    .groupBy('exam_id')
    .select((eb) => ['exam_id', eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map((row) => [row.exam_id, row.count]))
}

/** A finished attempt with what was put down for each of its questions, in the order that was shown. */
export type FinishedAnswers = {
  readonly attemptId: AttemptId
  readonly examId: ExamId
  readonly familyId: string
  readonly courseId: CourseId
  readonly finishedAt: Date
  readonly questions: readonly {
    readonly questionId: string
    readonly selection: readonly string[]
    readonly isFlagged: boolean
  }[]
}

/** Every finished attempt of a person, oldest first: at all courses, or at some. */
export async function listFinishedAnswers(
  db: Db,
  of: { personId: PersonId; courseIds?: readonly CourseId[] },
): Promise<FinishedAnswers[]> {
  const { personId, courseIds } = of
  if (courseIds?.length === 0) return []
  let finished = db
    .selectFrom('attempts')
    .where('attempts.user_id', '=', personId)
    .where('attempts.state', '=', 'finished')
  if (courseIds !== undefined) finished = finished.where('attempts.course_id', 'in', courseIds)
  const [attempts, answers] = await Promise.all([
    finished
      .select(['id', 'exam_id', 'family_id', 'course_id', 'finished_at'])
      .select(sql<string[]>`jsonb_path_query_array(layout, '$[*].question')`.as('question_ids'))
      .orderBy('finished_at')
      .orderBy('id')
      .execute(),
    finished
      .innerJoin('attempt_answers', 'attempt_answers.attempt_id', 'attempts.id')
      .select(['attempts.id', 'question_id', 'selection', 'is_flagged'])
      .execute(),
  ])
  const given = new Map(answers.map((row) => [`${row.id} ${row.question_id}`, row]))
  return attempts.flatMap((row) =>
    row.finished_at === null
      ? []
      : [
          {
            attemptId: row.id as AttemptId,
            examId: row.exam_id as ExamId,
            familyId: row.family_id,
            courseId: row.course_id as CourseId,
            finishedAt: row.finished_at,
            questions: row.question_ids.map((questionId) => {
              const answer = given.get(`${row.id} ${questionId}`)
              return { questionId, selection: answer?.selection ?? [], isFlagged: answer?.is_flagged ?? false }
            }),
          },
        ],
  )
}

/**
 * Everything that this room knows of a person. What was put down is theirs; what is right is not in it: a result is there
 * only once the attempt is finished, and no key at all.
 */
export function exportOf(db: Db, personId: PersonId): OwnData[] {
  const attempts = (after: { id: string; started_at: Date } | null, limit: number) =>
    db
      .selectFrom('attempts')
      .innerJoin('test_questions', 'test_questions.id', 'attempts.exam_id')
      .where('attempts.user_id', '=', personId)
      .$if(after !== null, (query) =>
        query.where((eb) =>
          eb(eb.refTuple('attempts.started_at', 'attempts.id'), '>', eb.tuple(after!.started_at, after!.id)),
        ),
      )
      .orderBy('attempts.started_at')
      .orderBy('attempts.id')
      .limit(limit)
      .select([
        'attempts.id',
        'attempts.course_id',
        'attempts.exam_id',
        'test_questions.test_name as exam',
        'test_questions.version_number as exam_version',
        'attempts.mode',
        'attempts.state',
        'attempts.scoring_policy',
        'attempts.passing_score',
        'attempts.time_limit_minutes',
        'attempts.extra_time',
        'attempts.started_at',
        'attempts.deadline_at',
        'attempts.finished_at',
        'attempts.finished_by',
        'attempts.score_percent',
        'attempts.is_passed',
        sql<object | null>`attempts.result`.as('result'),
        sql<object>`attempts.layout`.as('questions_and_answers_as_shown'),
      ])
      .execute()
  const answers = (after: { attempt_id: string; question_id: string } | null, limit: number) =>
    db
      .selectFrom('attempt_answers')
      .innerJoin('attempts', 'attempts.id', 'attempt_answers.attempt_id')
      .where('attempts.user_id', '=', personId)
      .$if(after !== null, (query) =>
        query.where((eb) =>
          eb(
            eb.refTuple('attempt_answers.attempt_id', 'attempt_answers.question_id'),
            '>',
            eb.tuple(after!.attempt_id, after!.question_id),
          ),
        ),
      )
      .orderBy('attempt_answers.attempt_id')
      .orderBy('attempt_answers.question_id')
      .limit(limit)
      .select([
        'attempt_answers.attempt_id',
        'attempt_answers.question_id',
        'attempt_answers.selection',
        'attempt_answers.is_flagged',
        'attempt_answers.struck',
        'attempt_answers.note',
        'attempt_answers.confidence',
        'attempt_answers.active_ms',
        'attempt_answers.checked_at',
        'attempt_answers.saved_at',
      ])
      .execute()
  const late = (after: { attempt_id: string; question_id: string } | null, limit: number) =>
    db
      .selectFrom('late_answers')
      .innerJoin('attempts', 'attempts.id', 'late_answers.attempt_id')
      .where('attempts.user_id', '=', personId)
      .$if(after !== null, (query) =>
        query.where((eb) =>
          eb(
            eb.refTuple('late_answers.attempt_id', 'late_answers.question_id'),
            '>',
            eb.tuple(after!.attempt_id, after!.question_id),
          ),
        ),
      )
      .orderBy('late_answers.attempt_id')
      .orderBy('late_answers.question_id')
      .limit(limit)
      .select([
        'late_answers.attempt_id',
        'late_answers.question_id',
        'late_answers.selection',
        'late_answers.arrived_at',
      ])
      .execute()
  const former = () =>
    db
      .selectFrom('former_results')
      .innerJoin('attempts', 'attempts.id', 'former_results.attempt_id')
      .innerJoin('regrades', 'regrades.id', 'former_results.regrade_id')
      .where('attempts.user_id', '=', personId)
      .orderBy('regrades.at')
      .select([
        'former_results.attempt_id',
        'former_results.score_percent',
        'former_results.is_passed',
        sql<object>`former_results.result`.as('result'),
        'regrades.reason as changed_because',
        'regrades.at as changed_at',
      ])
      .execute()
  return [
    { name: 'attempts', pages: inPages(attempts) },
    { name: 'answers', pages: inPages(answers) },
    { name: 'late_answers', pages: inPages(late) },
    { name: 'former_results', pages: inOnePage(former) },
  ]
}
