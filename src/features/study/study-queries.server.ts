import { readAnswer } from '../attempts/attempts-queries.server.ts'
import { arranged, forReview, forTaking, isRight } from '../questions/types/grading-registry.ts'
import type { Answer, Question } from '../questions/types/question-types.schema.ts'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../lib/ids.ts'
import { comesAfter, inPages, type OwnData } from '../../platform/own-data-export.server.ts'
import type { EntitledCourse, WithoutAccess } from '../access/access.schema.ts'
import { listFinishedAnswers, type FinishedAnswers } from '../attempts/review/attempt-history-queries.server.ts'
import { getExamQuestions } from '../catalogue/catalogue-queries.server.ts'
import type { Blueprint } from '../questions/questions.schema.ts'
import { cardsOf } from './repetition.ts'
import { readinessOf } from './readiness.ts'
import { endOfDay, keyOf, seenOf, standingsOf } from './study.ts'
import {
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
  readonly isCurrent: boolean
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
    .select(['id', 'family_id', 'course_id', 'is_current_version', 'passing_score', 'row_version'])
    .execute()
  return new Map(
    await Promise.all(
      rows.map(async (row) => {
        const exam: Exam = {
          id: row.id as ExamId,
          familyId: row.family_id,
          courseId: row.course_id as CourseId,
          isCurrent: row.is_current_version,
          passingScore: row.passing_score,
          questions: await getCachedQuestions(db, row.id as ExamId, row.row_version),
        }
        return [row.id, exam] as const
      }),
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

/** A learner's answers in a course, oldest first, and the standing of each of its questions. */
export type Study = {
  readonly answers: readonly StudyAnswer[]
  readonly questions: readonly StudyQuestion[]
  /** The highest passing score among the exams of the course, in percent. */
  readonly passingScore: number
}

type StudyQuery = {
  readonly userId: UserId
  readonly now: Date
  /** Their answers in finished exams, if the caller has them already. */
  readonly finished?: readonly FinishedAnswers[]
}

/** A learner's study of several courses, by course id. */
export async function listStudies(
  db: Db,
  of: StudyQuery & { readonly courseIds: readonly CourseId[] },
): Promise<Map<string, Study>> {
  const { userId, courseIds } = of
  if (courseIds.length === 0) return new Map()
  const [finished, drilled] = await Promise.all([
    of.finished ?? listFinishedAnswers(db, { userId, courseIds }),
    listDrilledAnswers(db, of),
  ])
  const attempts = finished.filter(({ courseId }) => courseIds.includes(courseId))
  const examIds = new Set<string>([...attempts, ...drilled].map(({ examId }) => examId))
  const exams = await listExams(db, { courseIds: of.courseIds, examIds })
  const allAnswers = [
    ...attempts.flatMap(({ questions, finishedAt: at, ...of }) =>
      seenOf(questions).map((question) => ({ ...of, ...question, at })),
    ),
    ...drilled.map((answer) => ({ ...answer, attemptId: null })),
  ]
  return new Map(
    of.courseIds.map((courseId) => {
      const answers = allAnswers
        .filter((answer) => answer.courseId === courseId)
        .flatMap(({ examId, answer, isFlagged, at, attemptId, ...of }): StudyAnswer[] => {
          const question = exams.get(examId)?.questions.get(of.questionId)
          if (question === undefined) return []
          const { domain } = question
          return [{ key: keyOf(of), domain, isRight: isRight(question, answer), isFlagged, at, attemptId }]
        })
        .sort((a, b) => a.at.getTime() - b.at.getTime())
      const current = [...exams.values()].filter((exam) => exam.courseId === courseId && exam.isCurrent)
      const passingScore = Math.max(0, ...current.map((exam) => exam.passingScore))
      return [courseId, { answers, questions: studyQuestions(current, answers, of.now), passingScore }] as const
    }),
  )
}

function studyQuestions(exams: readonly Exam[], answers: readonly StudyAnswer[], now: Date): StudyQuestion[] {
  const standings = standingsOf(answers)
  const cards = cardsOf(answers)
  const dueBefore = endOfDay(now)
  return exams.flatMap(({ id: examId, familyId, questions }) =>
    [...questions.values()].map((question) => {
      const key = keyOf({ familyId, questionId: question.id })
      const seen = standings.get(key)
      const card = cards.get(key)
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

/** The number of questions due today, and the instant of the next one. */
export function repetitionOf({ questions }: Study): Repetition {
  const later = questions.flatMap(({ dueAt, standing }) => (dueAt === null || standing.isDue ? [] : [dueAt.getTime()]))
  return {
    dueCount: questions.filter(({ standing }) => standing.isDue).length,
    nextDueAt: later.length === 0 ? null : new Date(Math.min(...later)).toISOString(),
  }
}

/** The expected score on the real exam, by the course's blueprint. */
export function estimateReadiness(study: Study, blueprint: Blueprint | null, now: Date): Readiness {
  const { answers, questions, passingScore } = study
  const questionDomains = questions.map(({ question }) => question.domain)
  return readinessOf({ answers, questionDomains, blueprint, passingScore, now })
}

export async function getStudy(db: Db, of: StudyQuery & { readonly courseId: CourseId }): Promise<Study> {
  const studies = await listStudies(db, { ...of, courseIds: [of.courseId] })
  return studies.get(of.courseId) ?? { answers: [], questions: [], passingScore: 0 }
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
  of: { userId: UserId; courseIds: readonly CourseId[] },
): Promise<DrilledAnswer[]> {
  if (of.courseIds.length === 0) return []
  const rows = await db
    .selectFrom('drill_answers')
    .innerJoin('drills', 'drills.id', 'drill_answers.drill_id')
    .where('drills.user_id', '=', of.userId)
    .where('drills.course_id', 'in', of.courseIds)
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
export type DrillProof = EntitledCourse | WithoutAccess

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
