import { readAnswer } from '../attempts/attempts-queries.server.ts'
import { arranged, forReview, forTaking, isRight } from '../questions/types/grading-registry.ts'
import type { Answer, Question } from '../questions/types/question-types.schema.ts'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { PREPARED, type Db } from '../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../lib/ids.ts'
import { comesAfter, inPages, type OwnData } from '../../platform/own-data-export.server.ts'
import { cachedQuery, userQuery, type CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import type { EntitledCourse, WithoutAccess } from '../access/access.schema.ts'
import { attemptsState, listFinishedAnswers } from '../attempts/review/attempt-history-queries.server.ts'
import { getExamQuestions } from '../catalogue/catalogue-queries.server.ts'
import type { Blueprint } from '../questions/questions.schema.ts'
import { cardsOf } from './repetition.ts'
import { newAnswers, readinessOf } from './readiness.ts'
import { countStandings, endOfDay, keyOf, seenOf, standingsOf } from './study.ts'
import {
  type CountedStanding,
  DrillFilters,
  DrillLayout,
  fail,
  type DrillAnswer,
  type DrillSummary,
  type DrillView,
  type Readiness,
  type Repetition,
  type Standing,
  type StudyAnswer,
} from './study.schema.ts'

type Exam = {
  readonly id: ExamId
  readonly familyId: string
  readonly courseId: CourseId
  readonly rowVersion: number
  readonly passingScore: number
  readonly questions: ReadonlyMap<string, Question>
}

const CACHED_EXAMS = 60
const cachedQuestions = new LRUCache<string, ReadonlyMap<string, Question>>({ max: CACHED_EXAMS })

/** The current exams of some courses, and the given versions, with their questions. */
async function listExams(
  db: Db,
  of: { courseIds: readonly CourseId[]; examIds: ReadonlySet<string> },
): Promise<Map<string, Exam>> {
  if (of.courseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', 'in', of.courseIds)
    .where((eb) =>
      eb.or([eb('is_current_version', '=', true), ...(of.examIds.size === 0 ? [] : [eb('id', 'in', [...of.examIds])])]),
    )
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'family_id', 'course_id', 'passing_score', 'row_version'])
    .execute()
  return new Map(
    await Promise.all(
      rows.map(async (row) => {
        const exam: Exam = {
          id: row.id as ExamId,
          familyId: row.family_id,
          courseId: row.course_id as CourseId,
          rowVersion: row.row_version,
          passingScore: row.passing_score,
          questions: await getCachedQuestions(db, row.id as ExamId, row.row_version),
        }
        return [row.id, exam] as const
      }),
    ),
  )
}

/** The questions of exam versions. */
async function listVersions(db: Db, examIds: ReadonlySet<string>): Promise<Map<string, ReadonlyMap<string, Question>>> {
  if (examIds.size === 0) return new Map()
  const rows = await db
    .selectFrom('test_questions')
    .where('id', 'in', [...examIds])
    .select(['id', 'row_version'])
    .execute()
  return new Map(
    await Promise.all(
      rows.map(async ({ id, row_version }) => [id, await getCachedQuestions(db, id as ExamId, row_version)] as const),
    ),
  )
}

/** Cached per version of the row: every visit needs the answer keys of hundreds of questions. */
async function getCachedQuestions(db: Db, examId: ExamId, rowVersion: number): Promise<ReadonlyMap<string, Question>> {
  const cacheKey = `${examId} ${rowVersion}`
  const cached = cachedQuestions.get(cacheKey)
  if (cached !== undefined) return cached
  const questions = new Map((await getExamQuestions(db, examId)).map((question) => [question.id, question]))
  cachedQuestions.set(cacheKey, questions)
  return questions
}

/** A current question of the course, answer key included, with its standing for the learner. Never sent to the browser. */
export type StudyQuestion = {
  readonly key: string
  readonly examId: ExamId
  readonly familyId: string
  readonly question: Question
  readonly standing: Standing
  readonly dueAt: Date | null
}

/** A learner's study of a course, and the standing of each of its questions. */
export type Study = {
  /** The new answers, from which readiness is estimated, oldest first. */
  readonly answers: readonly StudyAnswer[]
  readonly questions: readonly StudyQuestion[]
  /** The highest passing score among the exams of the course, in percent. */
  readonly passingScore: number
}

/** What all answers of a learner in a course have come to, by question key. It does not grow with their number. */
type CourseHistory = {
  readonly newAnswers: readonly StudyAnswer[]
  readonly standings: ReturnType<typeof standingsOf>
  readonly cards: ReturnType<typeof cardsOf>
}

export type History = ReadonlyMap<string, CourseHistory>

/** Cached until an attempt or a drill of the user changes, or the catalogue. */
const historyOfUser = userQuery(
  'user-progress',
  (db, userId) => readHistory(db, { userId }),
  async (db, userId) => {
    const { rows } = await sql<{
      state: string
    }>`${sql.raw(PREPARED)} select ${progressState(userId)} as state`.execute(db)
    return rows[0]?.state ?? ''
  },
)

/** A text in SQL that changes whenever the user finishes an attempt, answers in a drill or flags there. */
export const progressState = (userId: UserId) => sql<string>`${attemptsState(userId)} || ' ' || (
  select count(*) || ' ' || coalesce(sum(drill_answers.xmin::text::bigint), 0)
  from drill_answers join drills on drills.id = drill_id where user_id = ${userId})`

type Cached = { readonly cachedQueries: CachedQueries; readonly db: Db }

/** A learner's history in all courses. */
export function getHistory({ cachedQueries, db }: Cached, userId: UserId): Promise<History> {
  return cachedQueries.get(historyOfUser, db, userId)
}

/** A learner's history from the database, to be cached. */
export async function readHistory(
  db: Db,
  of: { readonly userId: UserId; readonly courseIds?: readonly CourseId[] },
): Promise<History> {
  const [finished, drilled] = await Promise.all([listFinishedAnswers(db, of), listDrilledAnswers(db, of)])
  const given = [
    ...finished.flatMap(({ questions, finishedAt: at, ...of }) =>
      seenOf(questions).map((question) => ({ ...of, ...question, at })),
    ),
    ...drilled.map((answer) => ({ ...answer, attemptId: null })),
  ]
  const exams = await listVersions(db, new Set<string>(given.map(({ examId }) => examId)))
  const byCourse = new Map<string, StudyAnswer[]>()
  for (const { courseId, examId, answer, isFlagged, at, attemptId, ...of } of given) {
    const question = exams.get(examId)?.get(of.questionId)
    if (question === undefined) continue
    const answers = byCourse.get(courseId) ?? []
    byCourse.set(courseId, answers)
    const { domain } = question
    answers.push({ key: keyOf(of), domain, isRight: isRight(question, answer), isFlagged, at, attemptId })
  }
  return new Map(
    [...byCourse].map(([courseId, unsorted]) => {
      const answers = unsorted.sort((a, b) => a.at.getTime() - b.at.getTime())
      const history = { newAnswers: newAnswers(answers), standings: standingsOf(answers), cards: cardsOf(answers) }
      return [courseId, history] as const
    }),
  )
}

function studyOf(exams: readonly Exam[], past: CourseHistory | undefined, now: Date): Study {
  return {
    answers: past?.newAnswers ?? [],
    questions: studyQuestions(exams, past, now),
    passingScore: Math.max(0, ...exams.map((exam) => exam.passingScore)),
  }
}

function studyQuestions(exams: readonly Exam[], past: CourseHistory | undefined, now: Date): StudyQuestion[] {
  const dueBefore = endOfDay(now)
  return exams.flatMap(({ id: examId, familyId, questions }) =>
    [...questions.values()].map((question) => {
      const key = keyOf({ familyId, questionId: question.id })
      const seen = past?.standings.get(key)
      const card = past?.cards.get(key)
      return {
        key,
        examId,
        familyId,
        question,
        dueAt: card?.dueAt ?? null,
        standing: {
          domain: question.domain,
          missedIn: seen?.missedIn ?? null,
          isUnseen: seen === undefined,
          isFlagged: seen?.isFlagged ?? false,
          isDue: card !== undefined && (card.isMissed || card.dueAt <= dueBefore),
        },
      }
    }),
  )
}

/** A study for the pages, which show numbers: it does not name its questions. */
type StudySummary = Pick<Study, 'answers' | 'passingScore'> & {
  readonly questionDomains: readonly string[]
  readonly standings: readonly CountedStanding[]
  readonly repetition: Repetition
}

/** The last summary of each cached history, with the exams and the day that it is about. */
const summaries = new WeakMap<CourseHistory, { readonly about: string; readonly summary: StudySummary }>()

/** The current exams of a course. Answer keys are among them, so this stays inside the feature. */
const currentExams = cachedQuery('exam', async (db, courseId: CourseId) => [
  ...(await listExams(db, { courseIds: [courseId], examIds: new Set() })).values(),
])

/** The summaries of several courses, by course id. */
export async function listSummaries(
  { cachedQueries, db }: Cached,
  of: { readonly courseIds: readonly CourseId[]; readonly history: History; readonly now: Date },
): Promise<Map<string, StudySummary>> {
  const { courseIds, history, now } = of
  const exams = await Promise.all(courseIds.map((courseId) => cachedQueries.get(currentExams, db, courseId)))
  return new Map(
    courseIds.map((courseId, place) => {
      const current = exams[place] ?? []
      const past = history.get(courseId)
      const versions = current.map(({ id, rowVersion }) => `${id} ${rowVersion}`)
      const about = [endOfDay(now).toISOString(), ...versions].join()
      const known = past === undefined ? undefined : summaries.get(past)
      if (known?.about === about) return [courseId, known.summary] as const
      const summary = summaryOf(studyOf(current, past, now))
      if (past !== undefined) summaries.set(past, { about, summary })
      return [courseId, summary] as const
    }),
  )
}

/** A study as numbers. */
export function summaryOf({ answers, questions, passingScore }: Study): StudySummary {
  return {
    answers,
    passingScore,
    questionDomains: questions.map(({ question }) => question.domain),
    standings: countStandings(questions.map(({ standing }) => standing)),
    repetition: repetitionOf(questions),
  }
}

/** The number of questions due today, and the instant of the next one. */
function repetitionOf(questions: readonly StudyQuestion[]): Repetition {
  const later = questions.flatMap(({ dueAt, standing }) => (dueAt === null || standing.isDue ? [] : [dueAt.getTime()]))
  return {
    dueCount: questions.filter(({ standing }) => standing.isDue).length,
    nextDueAt: later.length === 0 ? null : new Date(Math.min(...later)).toISOString(),
  }
}

/** The expected score on the real exam, by the course's blueprint. */
export function estimateReadiness(study: StudySummary, blueprint: Blueprint | null, now: Date): Readiness {
  const { answers, questionDomains, passingScore } = study
  return readinessOf({ answers, questionDomains, blueprint, passingScore, now })
}

export async function getStudy(
  db: Db,
  of: { readonly userId: UserId; readonly courseId: CourseId; readonly now: Date },
): Promise<Study> {
  const courseIds = [of.courseId]
  const [history, exams] = await Promise.all([
    readHistory(db, { userId: of.userId, courseIds }),
    listExams(db, { courseIds, examIds: new Set() }),
  ])
  return studyOf([...exams.values()], history.get(of.courseId), of.now)
}

type DrilledAnswer = {
  readonly examId: ExamId
  readonly familyId: string
  readonly courseId: CourseId
  readonly questionId: string
  readonly answer: Answer | null
  readonly isFlagged: boolean
  readonly at: Date
}

/** All answers in drills, finished or not, oldest first. */
async function listDrilledAnswers(
  db: Db,
  of: { readonly userId: UserId; readonly courseIds?: readonly CourseId[] },
): Promise<DrilledAnswer[]> {
  const { courseIds } = of
  if (courseIds?.length === 0) return []
  const rows = await db
    .selectFrom('drill_answers')
    .innerJoin('drills', 'drills.id', 'drill_answers.drill_id')
    .where('drills.user_id', '=', of.userId)
    .$if(courseIds !== undefined, (query) => query.where('drills.course_id', 'in', courseIds ?? []))
    .where('drill_answers.answered_at', 'is not', null)
    .orderBy('drill_answers.answered_at')
    .select([
      'drills.id',
      'drills.course_id',
      'drills.layout',
      'drill_answers.place',
      'drill_answers.answer',
      'drill_answers.is_flagged',
      'drill_answers.answered_at',
    ])
    .execute()
  const layouts = new Map<string, DrillLayout>()
  return rows.flatMap((row) => {
    const layout = layouts.get(row.id) ?? DrillLayout.parse(row.layout)
    layouts.set(row.id, layout)
    const entry = layout[row.place]
    if (entry === undefined || row.answered_at === null) return []
    const { examId, familyId, questionId } = entry
    return [
      {
        examId: examId as ExamId,
        familyId,
        questionId,
        courseId: row.course_id as CourseId,
        answer: readAnswer(row.answer),
        isFlagged: row.is_flagged,
        at: row.answered_at,
      },
    ]
  })
}

/** A drill inside this feature. Never sent to the browser. */
export type DrillRecord = {
  readonly id: string
  readonly courseId: CourseId
  readonly filters: DrillFilters
  readonly layout: DrillLayout
  readonly startedAt: Date
  readonly finishedAt: Date | null
}

function drills(db: Db, userId: UserId) {
  return db
    .selectFrom('drills')
    .where('user_id', '=', userId)
    .select(['id', 'course_id', 'filters', 'layout', 'started_at', 'finished_at'])
}

type DrillRow = Awaited<ReturnType<ReturnType<typeof drills>['executeTakeFirstOrThrow']>>

function toDrill(row: DrillRow): DrillRecord {
  return {
    id: row.id,
    courseId: row.course_id as CourseId,
    filters: DrillFilters.parse(row.filters),
    layout: DrillLayout.parse(row.layout),
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}

/** A drill of the user; with `lock`, it is locked until the transaction ends. @throws Failure drill.not-found */
export async function getOwnDrill(
  db: Db,
  of: { drillId: string; userId: UserId },
  options: { lock?: boolean } = {},
): Promise<DrillRecord> {
  const query = drills(db, of.userId).where('id', '=', of.drillId)
  const row = await (options.lock === true ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined) throw fail('drill.not-found')
  return toDrill(row)
}

export async function findOpenDrill(db: Db, of: { userId: UserId; courseId: CourseId }): Promise<DrillRecord | null> {
  const row = await drills(db, of.userId)
    .where('course_id', '=', of.courseId)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : toDrill(row)
}

export async function summarise(db: Db, drill: DrillRecord): Promise<DrillSummary> {
  const answered = (await listDrillAnswers(db, drill.id)).filter(({ isAnswered }) => isAnswered)
  return {
    id: drill.id,
    startedAt: drill.startedAt.toISOString(),
    answeredCount: answered.length,
    questionCount: drill.layout.length,
  }
}

export async function listDrillAnswers(db: Db, drillId: string) {
  const rows = await db
    .selectFrom('drill_answers')
    .where('drill_id', '=', drillId)
    .select(['place', 'answer', 'is_flagged', 'answered_at'])
    .execute()
  return rows.map((row) => ({
    place: row.place,
    answer: readAnswer(row.answer),
    isFlagged: row.is_flagged,
    isAnswered: row.answered_at !== null,
  }))
}

/** The questions of a drill from the versions that it was built from, with options in the shown order; null if one is gone. */
export async function listDrillQuestions(db: Db, drill: DrillRecord): Promise<(Question | null)[]> {
  const examIds = new Set(drill.layout.map(({ examId }) => examId))
  const exams = await listExams(db, { courseIds: [drill.courseId], examIds })
  return drill.layout.map(({ examId, questionId, shape }) => {
    const question = exams.get(examId)?.questions.get(questionId)
    return question === undefined ? null : arranged(question, shape)
  })
}

/** Access to the course of a drill. Without it only the result of a finished drill may be sent. */
type DrillProof = EntitledCourse | WithoutAccess

/** The drill for the browser: answer keys only for answered questions, and none without access. @throws Failure drill.not-found */
export async function getDrillView(
  db: Db,
  drill: DrillRecord,
  proof: DrillProof,
  titles: { courseSlug: string; courseTitle: string },
): Promise<DrillView> {
  const withheld = typeof proof === 'string' ? proof : null
  if (typeof proof === 'string' ? drill.finishedAt === null : proof.courseId !== drill.courseId)
    throw fail('drill.not-found')
  const [questions, answers] = await Promise.all([listDrillQuestions(db, drill), listDrillAnswers(db, drill.id)])
  const byPlace = new Map(answers.map((answer) => [answer.place, answer]))
  const isFinished = drill.finishedAt !== null
  return {
    id: drill.id,
    ...titles,
    isFinished,
    questionCount: drill.layout.length,
    withheld,
    questions: questions.flatMap((question, place) => {
      const { answer = null, isFlagged = false, isAnswered = false } = byPlace.get(place) ?? {}
      if (question === null || (isFinished && !isAnswered)) return []
      const given: DrillAnswer = { answer, isFlagged, isRight: isAnswered ? isRight(question, answer) : null }
      const revealed = isAnswered && withheld === null ? forReview(question) : null
      return [{ place, question: forTaking(question), answer: given, revealed }]
    }),
  }
}

/** The study data of a user: drills and answers, without answer keys. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  const drills = (after: { id: string; started_at: Date } | null, limit: number) =>
    db
      .selectFrom('drills')
      .where('user_id', '=', userId)
      .where(comesAfter(after, 'started_at', 'id'))
      .orderBy('started_at')
      .orderBy('id')
      .limit(limit)
      .select([
        'id',
        'course_id',
        'started_at',
        'finished_at',
        sql<object>`filters`.as('built_from'),
        sql<object>`layout`.as('questions_and_answers_as_shown'),
      ])
      .execute()
  const answers = (after: { drill_id: string; place: number } | null, limit: number) =>
    db
      .selectFrom('drill_answers')
      .innerJoin('drills', 'drills.id', 'drill_answers.drill_id')
      .where('drills.user_id', '=', userId)
      .where(comesAfter(after, 'drill_answers.drill_id', 'drill_answers.place'))
      .orderBy('drill_answers.drill_id')
      .orderBy('drill_answers.place')
      .limit(limit)
      .select([
        'drill_answers.drill_id',
        'drill_answers.place',
        sql<object | null>`drill_answers.answer`.as('answer'),
        'drill_answers.is_flagged',
        'drill_answers.answered_at',
      ])
      .execute()
  return [
    { name: 'drills', pages: inPages(drills) },
    { name: 'drill_answers', pages: inPages(answers) },
  ]
}
