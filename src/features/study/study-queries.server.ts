import { readAnswer } from '../attempts/attempts-queries.server.ts'
import { arranged, forReview, forTaking, isRight } from '../questions/types/grading-registry.ts'
import { kindOf } from '../questions/types/check-registry.ts'
import type { Question } from '../questions/types/question-types.schema.ts'
import { getExamCaseStudies } from '../catalogue/catalogue-queries.server.ts'
import type { CaseStudy } from '../questions/case-studies/case-study.schema.ts'
import { sql } from 'kysely'
import { PREPARED, type Db } from '../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../lib/ids.ts'
import { comesAfter, inPages, type OwnData } from '../../platform/own-data-export.server.ts'
import { exportOf as exportDays } from './readiness-history/readiness-history-queries.server.ts'
import { cachedQuery, userQuery, type CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import type { EntitledCourse, WithoutAccess } from '../access/access.schema.ts'
import { attemptsState } from '../attempts/review/attempt-history-queries.server.ts'
import { courseCalibration, type CourseCalibration } from '../attempts/calibrations/item-calibrations-queries.server.ts'
import type { Blueprint } from '../questions/questions.schema.ts'
import { dayCounter, dayIn, type CalendarDay } from '../../lib/calendar-day.ts'
import { aimOf, dueInstants, type ExamAim } from './repetition/exam-aim.ts'
import { exportMemoryFits, findFittedMemory, type FittedMemory } from './repetition/memory-fits-queries.server.ts'
import { isMissed } from './repetition/repetition.ts'
import { readinessOf, type CourseItem } from './readiness/readiness.ts'
import { itemOf, listExams, passingScoreOf, type Exam } from './study-exams-queries.server.ts'
import { STATED_SHIFT, type ExamShift } from './readiness/exam-shift.ts'
import { bringProgressUpToDate, isCounted } from './progress/study-progress-commands.server.ts'
import { missedIn, type Progress } from './progress/study-progress.ts'
import { exportResults } from './exam-results/exam-results-queries.server.ts'
import { exportPlans, findPlan, listPlans } from './plan/plan-queries.server.ts'
import { exportDevices } from './push/push-queries.server.ts'
import { exportReminders } from './reminders/reminders-queries.server.ts'
import { countStandings, endOfDay, keyOf } from './study.ts'
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

/** A current question of the course, answer key included, with its standing for the learner. Never sent to the browser. */
export type StudyQuestion = {
  readonly key: string
  readonly examId: ExamId
  readonly familyId: string
  readonly question: Question
  readonly standing: Standing
  readonly dueAt: Date | null
  /** When it was answered last. */
  readonly lastAt: Date | null
}

/** A learner's study of a course, and the standing of each of its questions. */
export type Study = {
  /** The new answers, from which readiness is estimated, oldest first. */
  readonly answers: readonly StudyAnswer[]
  readonly questions: readonly StudyQuestion[]
  /** The highest passing score among the exams of the course, in percent. */
  readonly passingScore: number
  /** The learner's day: in the zone of their plan, or else in UTC. */
  readonly today: CalendarDay
  readonly timeZone: string
  /** The day of the exam at which the cards are aimed; null without one, and from that day on. */
  readonly examDate: CalendarDay | null
  /** The reviews that the learner's parameters come from; null with the published ones. */
  readonly fitted: Repetition['fitted']
  /** Cards by the day on which they are due: those of today first. */
  readonly dueAhead: readonly number[]
}

/** Days after today that are looked ahead. */
const DAYS_AHEAD = 14

/** A learner's progress in a course, the exam at which their cards are aimed, and the parameters that were fitted to them. */
export type StudiedCourse = Progress & { readonly aim: ExamAim | null; readonly memory: FittedMemory | null }

/** By course id. */
export type History = ReadonlyMap<string, StudiedCourse>

/** Cached until an attempt, a drill, an exam date or the memory of the user changes, or the catalogue. */
const historyOfUser = userQuery('user-progress', readHistory, async (db, userId) => {
  const query = sql<{ state: string }>`${sql.raw(PREPARED)} select ${progressState(userId)} as state`
  return (await query.execute(db)).rows[0]?.state ?? ''
})

/** A text in SQL that changes whenever the user finishes an attempt, answers in a drill, flags there, or changes a plan,
 * and when FSRS is fitted to them. */
export const progressState = (userId: UserId) => sql<string>`${attemptsState(userId)} || ' ' || (
  select coalesce(sum(answer_count), 0) || ' ' || coalesce(sum(answers_written), 0)
  from drills where user_id = ${userId} and ${isCounted}) || ' ' || (
  select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from study_plans where user_id = ${userId}) || ' ' || coalesce((
  select xmin::text from memory_fits where user_id = ${userId}), '')`

type Cached = { readonly cachedQueries: CachedQueries; readonly db: Db }

/** A learner's progress in all courses. */
export function getHistory({ cachedQueries, db }: Cached, userId: UserId): Promise<History> {
  return cachedQueries.get(historyOfUser, db, userId)
}

/** A learner's progress in all courses from the database, to be cached. */
export async function readHistory(db: Db, userId: UserId): Promise<History> {
  const [progress, plans, memory] = await Promise.all([
    bringProgressUpToDate(db, { userId }),
    listPlans(db, userId),
    findFittedMemory(db, userId),
  ])
  return new Map([...progress].map(([courseId, one]) => [courseId, studied(one, plans.get(courseId) ?? null, memory)]))
}

function studied(
  progress: Progress,
  plan: Parameters<typeof aimOf>[0] | null,
  memory: FittedMemory | null,
): StudiedCourse {
  return { ...progress, aim: plan === null ? null : aimOf(plan), memory }
}

function studyOf(exams: readonly Exam[], past: StudiedCourse | undefined, now: Date): Study {
  const aim = past?.aim ?? null
  const today = dayIn(now, zoneOf(past))
  const daysUntil = dayCounter(today, zoneOf(past))
  const questions = studyQuestions(exams, past, { now, daysUntil })
  return {
    answers: past?.newAnswers ?? [],
    questions,
    passingScore: passingScoreOf(exams),
    today,
    timeZone: zoneOf(past),
    examDate: aim !== null && aim.examDate > today ? aim.examDate : null,
    fitted: fittedOf(past?.memory ?? null),
    dueAhead: dueByDay(questions, daysUntil),
  }
}

function fittedOf(memory: FittedMemory | null): Repetition['fitted'] {
  return memory === null ? null : { reviews: memory.reviews, heldOut: memory.heldOut }
}

function zoneOf(past: StudiedCourse | undefined): string {
  return past?.aim?.timeZone ?? 'UTC'
}

type DaysUntil = (instant: Date) => number

function dueByDay(questions: readonly StudyQuestion[], daysUntil: DaysUntil): number[] {
  const counts = Array.from({ length: DAYS_AHEAD + 1 }, () => 0)
  for (const { dueAt, standing } of questions) {
    if (dueAt === null) continue
    const day = standing.isDue ? 0 : daysUntil(dueAt)
    if (day < counts.length) counts[day] = (counts[day] ?? 0) + 1
  }
  return counts
}

function studyQuestions(
  exams: readonly Exam[],
  past: StudiedCourse | undefined,
  { now, daysUntil }: { readonly now: Date; readonly daysUntil: DaysUntil },
): StudyQuestion[] {
  const current = currentQuestions(exams)
  const cards = current.flatMap(({ key }) => {
    const card = past?.questions.get(key)?.card ?? null
    return card === null ? [] : [{ key, card }]
  })
  const instants = dueInstants(
    cards.map(({ card }) => card),
    past?.aim ?? null,
    now,
    past?.memory?.weights,
  )
  const dues = new Map(cards.map(({ key, card }, place) => [key, instants[place] ?? card.due]))
  const unseen = new Map<string, Standing>()
  return current.map(({ key, examId, familyId, question }) => {
    const { domain } = question
    const kind = kindOf(question)
    const seen = past?.questions.get(key)
    if (past === undefined || seen === undefined) {
      const alike = `${kind} ${domain}`
      const standing = unseen.get(alike) ?? unseenOf({ domain, kind })
      unseen.set(alike, standing)
      return { key, examId, familyId, question, standing, dueAt: null, lastAt: null }
    }
    const { card, lastAt, isFlagged } = seen
    const dueAt = dues.get(key) ?? null
    const isDue = card !== null && dueAt !== null && (isMissed(card) || daysUntil(dueAt) <= 0)
    const standing = { domain, kind, missedIn: missedIn(past, key), isUnseen: false, isFlagged, isDue }
    return { key, examId, familyId, question, standing, dueAt, lastAt }
  })
}

/** One for all unseen questions of a domain and type, which may be thousands. */
function unseenOf(alike: Pick<Standing, 'domain' | 'kind'>): Standing {
  return { ...alike, missedIn: null, isUnseen: true, isFlagged: false, isDue: false }
}

type CurrentQuestion = Pick<StudyQuestion, 'key' | 'examId' | 'familyId' | 'question'>

/** The questions of cached exams, which all learners of the course share. */
const questionsOfExams = new WeakMap<readonly Exam[], readonly CurrentQuestion[]>()

function currentQuestions(exams: readonly Exam[]): readonly CurrentQuestion[] {
  const known = questionsOfExams.get(exams)
  if (known !== undefined) return known
  const questions = exams.flatMap(({ id: examId, familyId, questions }) =>
    [...questions.values()].map((question) => ({
      key: keyOf({ familyId, questionId: question.id }),
      examId,
      familyId,
      question,
    })),
  )
  questionsOfExams.set(exams, questions)
  return questions
}

export type SeenQuestion = { readonly lastAt: Date; readonly dueAt: Date | null }

/** A study for the pages, which show numbers: it does not name its questions. */
export type StudySummary = Pick<Study, 'answers' | 'passingScore' | 'today' | 'timeZone' | 'dueAhead'> & {
  readonly items: readonly CourseItem[]
  readonly standings: readonly CountedStanding[]
  readonly repetition: Repetition
  /** The questions that were answered, without their names. */
  readonly seen: readonly SeenQuestion[]
}

/** The last summary of each cached progress, with the exams and the day that it is about. */
const summaries = new WeakMap<Progress, { readonly about: string; readonly summary: StudySummary }>()

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
  const [exams, calibrations] = await Promise.all([
    Promise.all(courseIds.map((courseId) => cachedQueries.get(currentExams, db, courseId))),
    Promise.all(courseIds.map((courseId) => cachedQueries.get(courseCalibration, db, courseId))),
  ])
  return new Map(
    courseIds.map((courseId, place) => {
      const current = exams[place] ?? []
      const past = history.get(courseId)
      const calibration = calibrations[place] ?? NOT_CALIBRATED
      const versions = current.map(({ id, rowVersion }) => `${id} ${rowVersion}`)
      const about = [dayIn(now, zoneOf(past)), calibration.at, ...versions].join()
      const known = past === undefined ? undefined : summaries.get(past)
      if (known?.about === about) return [courseId, known.summary] as const
      const summary = summaryOf(studyOf(current, past, now), calibration)
      if (past !== undefined) summaries.set(past, { about, summary })
      return [courseId, summary] as const
    }),
  )
}

/** A study as numbers. */
export function summaryOf(
  { answers, questions, passingScore, today, timeZone, examDate, fitted, dueAhead }: Study,
  calibration: CourseCalibration = NOT_CALIBRATED,
): StudySummary {
  return {
    answers,
    passingScore,
    today,
    timeZone,
    dueAhead,
    items: questions.map((question) => itemOf(question.key, question, calibration)),
    standings: countStandings(questions.map(({ standing }) => standing)),
    repetition: { ...repetitionOf(questions), examDate, fitted },
    seen: questions.flatMap(({ lastAt, dueAt }) => (lastAt === null ? [] : [{ lastAt, dueAt }])),
  }
}

const NOT_CALIBRATED: CourseCalibration = { at: null, items: new Map() }

/** The number of questions due today, and the instant of the next one. */
function repetitionOf(questions: readonly StudyQuestion[]): Omit<Repetition, 'examDate' | 'fitted'> {
  const later = questions.flatMap(({ dueAt, standing }) => (dueAt === null || standing.isDue ? [] : [dueAt.getTime()]))
  return {
    dueCount: questions.filter(({ standing }) => standing.isDue).length,
    nextDueAt: later.length === 0 ? null : new Date(Math.min(...later)).toISOString(),
  }
}

/** The last estimate of each cached summary, with the day, the blueprint and the results that it is about. */
const estimates = new WeakMap<StudySummary, { readonly about: string; readonly readiness: Readiness }>()

/** The expected score on the real exam, by the course's blueprint. It changes by time once a day. */
export function estimateReadiness(
  study: StudySummary,
  blueprint: Blueprint | null,
  now: Date,
  /** How much harder the real exam is, by the results of learners. */
  shift: ExamShift = STATED_SHIFT,
): Readiness {
  const about = `${endOfDay(now).toISOString()} ${JSON.stringify([blueprint, shift])}`
  const known = estimates.get(study)
  if (known?.about === about) return known.readiness
  const { answers, items, passingScore } = study
  const readiness = readinessOf({ answers, items, blueprint, passingScore, now, shift })
  estimates.set(study, { about, readiness })
  return readiness
}

/** A study as it is now; that of a guest has no progress. */
export async function getStudy(
  db: Db,
  of: { readonly userId: UserId | null; readonly courseId: CourseId; readonly now: Date },
): Promise<Study> {
  const { userId, courseId } = of
  const [history, plan, memory, exams] = await Promise.all([
    userId === null ? new Map<CourseId, Progress>() : bringProgressUpToDate(db, { userId, courseId }),
    userId === null ? null : findPlan(db, { userId, courseId }),
    userId === null ? null : findFittedMemory(db, userId),
    listExams(db, { courseIds: [of.courseId], examIds: new Set() }),
  ])
  const progress = history.get(of.courseId)
  return studyOf([...exams.values()], progress && studied(progress, plan, memory), of.now)
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
  return (
    db
      .selectFrom('drills')
      .where('user_id', '=', userId)
      // Diagnostics show no answer before their end, so no call of drills may reach them.
      .where('diagnostic', 'is', null)
      .select(['id', 'course_id', 'filters', 'layout', 'started_at', 'finished_at'])
  )
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
export async function listDrillQuestions(
  db: Db,
  drill: Pick<DrillRecord, 'courseId' | 'layout'>,
): Promise<(Question | null)[]> {
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
  const { caseStudies, caseStudyAt } = await listDrillCaseStudies(db, drill, questions)
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
      return [{ place, question: forTaking(question), answer: given, revealed, caseStudyAt: caseStudyAt(place) }]
    }),
    caseStudies,
  }
}

/** The case studies of a drill, each once. Two exams may have some of equal ids. */
async function listDrillCaseStudies(db: Db, { layout }: DrillRecord, questions: readonly (Question | null)[]) {
  const caseStudies: CaseStudy[] = []
  const places = new Map<string, number>()
  const keyAt = (place: number) => `${layout[place]?.examId} ${questions[place]?.caseStudy}`
  for (const [place, question] of questions.entries()) {
    const examId = layout[place]?.examId
    if (question?.caseStudy === undefined || examId === undefined || places.has(keyAt(place))) continue
    const ofExam = await getExamCaseStudies(db, examId as ExamId)
    const caseStudy = ofExam.find(({ id }) => id === question.caseStudy)
    if (caseStudy !== undefined) places.set(keyAt(place), caseStudies.push(caseStudy) - 1)
  }
  return { caseStudies, caseStudyAt: (place: number) => places.get(keyAt(place)) ?? null }
}

/** The study data of a user: drills and answers, without answer keys, plans, and the fit of FSRS. */
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
        'diagnostic',
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
    ...exportDays(db, userId),
    ...exportPlans(db, userId),
    ...exportMemoryFits(db, userId),
    ...exportReminders(db, userId),
    ...exportDevices(db, userId),
    ...exportResults(db, userId),
  ]
}
