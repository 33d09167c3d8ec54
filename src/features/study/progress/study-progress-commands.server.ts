import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, ExamId, UserId } from '../../../lib/ids.ts'
import { readAnswer } from '../../attempts/attempts-queries.server.ts'
import { between, listFinishedAnswers, type GivenIn } from '../../attempts/review/attempt-history-queries.server.ts'
import { isRight } from '../../questions/types/grading-registry.ts'
import type { Answer } from '../../questions/types/question-types.schema.ts'
import { listVersions } from '../study-exams-queries.server.ts'
import { recordReadinessDays, type AnsweredDay } from '../readiness-history/readiness-history-commands.server.ts'
import { NO_PROGRESS, progressByDay, type MeasuredAnswer, type Progress } from './study-progress.ts'
import { PUBLISHED_WEIGHTS, type Weights } from '../repetition/repetition.ts'
import { readProgress, writeProgress } from './study-progress.schema.ts'
import { keyOf, seenOf } from '../study.ts'
import { DrillLayout } from '../study.schema.ts'

/** Whether the answers of a drill count: those of a diagnostic do from its end on, because nothing may tell before which are right. */
export const isCounted = sql<boolean>`(drills.diagnostic is null or drills.finished_at is not null)`

/**
 * The answers of a learner in a course, and the stored progress, which covers those up to an instant. A `mark` is a number of answers
 * and the sum of the transactions that wrote them, so it changes with every answer, flag and result.
 */
type CourseRow = {
  readonly courseId: CourseId
  readonly mark: string
  readonly until: string
  /** The present mark of the answers that the stored progress covers. */
  readonly coveredMark: string
  readonly storedMark: string | null
  readonly storedUntil: string | null
  readonly progress: unknown
  /** The versions of the answered exams when the progress was stored, and those of the course's exams today. */
  readonly storedVersions: Readonly<Record<string, number>> | null
  readonly versions: Readonly<Record<string, number>> | null
  /** The fit of the learner's memory, and the one with which the stored cards were computed; null for the published parameters. */
  readonly fittedAt: string | null
  readonly storedFittedAt: string | null
  readonly weights: Weights | null
  /** The zone of the learner's plan, and the one in whose days the stored progress counts. */
  readonly timeZone: string
  readonly storedTimeZone: string
}

/**
 * A learner's progress by course: the stored one, extended by the answers since. It reads all answers of a course again only if
 * earlier ones changed: by a flag in a drill, a corrected answer key, or the attempts of a guest who signed in; or if the parameters of
 * their cards or the zone of their plan did.
 */
export async function bringProgressUpToDate(
  db: Db,
  of: { readonly userId: UserId; readonly courseId?: CourseId },
): Promise<Map<CourseId, Progress>> {
  const rows = await listCourses(db, of)
  return new Map(
    await Promise.all(rows.map(async (row) => [row.courseId, await progressOf(db, of.userId, row)] as const)),
  )
}

async function progressOf(db: Db, userId: UserId, row: CourseRow): Promise<Progress> {
  const { courseId, mark, until, storedUntil, storedMark, coveredMark } = row
  const isSame = row.fittedAt === row.storedFittedAt && row.timeZone === row.storedTimeZone
  const isTrue = storedMark === coveredMark && isSameVersions(row) && isSame
  const before = isTrue ? readProgress(row.progress) : NO_PROGRESS
  if (isTrue && mark === storedMark) return before
  const given = { userId, courseId, after: isTrue ? storedUntil : null, until }
  const by = { weights: row.weights ?? PUBLISHED_WEIGHTS, timeZone: row.timeZone }
  // The answers since are few; all of them may be many.
  const pages = isTrue ? [await listMeasuredAnswers(db, given)] : measuredAnswerPages(db, given)
  const days = new Map<string, AnsweredDay>()
  const examIds = new Set<string>()
  let progress = before
  for await (const { answers, exams } of pages) {
    for (const { day, lastAt, progress: then } of progressByDay(progress, answers, by)) {
      days.set(day, { day, lastAt, newAnswers: then.newAnswers })
      progress = then
    }
    for (const id of exams.keys()) examIds.add(id)
  }
  // Before the progress is stored: if this process ends in between, the next one records the days again.
  const recorded = { userId, courseId, timeZone: row.timeZone, days: [...days.values()], isRecomputed: !isTrue }
  await recordReadinessDays(db, recorded)
  const versions = Object.fromEntries([...examIds].map((id) => [id, row.versions?.[id] ?? 0]))
  await store(db, {
    userId,
    courseId,
    mark,
    until,
    progress,
    versions: { ...(isTrue && row.storedVersions), ...versions },
    fittedAt: row.fittedAt,
    timeZone: row.timeZone,
  })
  return progress
}

/** A learner's answers with their outcome by today's answer keys, oldest first, and the exams that they are of. */
export async function listMeasuredAnswers(db: Db, of: GivenIn) {
  const given = await listGivenAnswers(db, of)
  const exams = await listVersions(db, new Set<string>(given.map(({ examId }) => examId)))
  const answers = given.flatMap((one): MeasuredAnswer[] => {
    const { answer, isFlagged, at, attemptId, activeMs, confidence } = one
    const question = exams.get(one.examId)?.get(one.questionId)
    if (question === undefined) return []
    const [key, domain, isBlank] = [keyOf(one), question.domain, answer === null]
    const measured = { isBlank, activeMs, confidence }
    return [{ key, domain, isRight: isRight(question, answer), isFlagged, at, attemptId, ...measured }]
  })
  return { answers, exams }
}

function isSameVersions({ storedVersions, versions }: CourseRow): boolean {
  return Object.entries(storedVersions ?? {}).every(([id, version]) => versions?.[id] === version)
}

async function listCourses(
  db: Db,
  { userId, courseId = null }: { userId: UserId; courseId?: CourseId | null },
): Promise<CourseRow[]> {
  const { rows } = await sql<CourseRow>`
    with given as (
      select course_id, 1 as count, xmin::text::numeric as written, finished_at as first, finished_at as last, null::uuid as drill_id
      from attempts where user_id = ${userId} and state = 'finished' and finished_at is not null
      union all
      select course_id, answer_count, answers_written, answered_from, answered_until, id
      from drills where user_id = ${userId} and answer_count > 0 and ${isCounted}
    ), covered as (
      select given.*, inside.count as covered_count, inside.written as covered_written
      from given left join study_progress on user_id = ${userId} and study_progress.course_id = given.course_id
      -- Only in a drill of which a part is covered the answers are read.
      left join lateral (
        select given.count, given.written where last <= covered_until
        union all
        select count(*), sum(xmin::text::numeric) from drill_answers
        where drill_id = given.drill_id and answered_at <= covered_until having first <= covered_until and last > covered_until
      ) as inside on true
      where ${courseId}::uuid is null or given.course_id = ${courseId}
    ), totals as (
      select course_id, concat_ws(' ', sum(count), sum(written)) as mark, max(last) as until,
        concat_ws(' ', coalesce(sum(covered_count), 0), sum(covered_written)) as covered_mark
      from covered group by course_id
    )
    select totals.course_id as "courseId", totals.mark, until::text, covered_mark as "coveredMark",
      study_progress.mark as "storedMark", covered_until::text as "storedUntil", progress, exam_versions as "storedVersions",
      (select json_object_agg(id, row_version) from test_questions where course_id = totals.course_id) as versions,
      memory_fits.fitted_at::text as "fittedAt", study_progress.fitted_at::text as "storedFittedAt", weights,
      coalesce((select time_zone from study_plans where user_id = ${userId} and course_id = totals.course_id), 'UTC') as "timeZone",
      coalesce(study_progress.time_zone, 'UTC') as "storedTimeZone"
    from totals left join memory_fits on memory_fits.user_id = ${userId} and weights is not null left join study_progress on study_progress.user_id = ${userId} and study_progress.course_id = totals.course_id`.execute(
    db,
  )
  return rows
}

type Stored = {
  readonly userId: UserId
  readonly courseId: CourseId
  readonly mark: string
  readonly until: string
  readonly progress: Progress
  readonly versions: Readonly<Record<string, number>>
  readonly fittedAt: string | null
  readonly timeZone: string
}

/** Two requests may store at the same time; each stores what is correct for its mark. */
async function store(db: Db, stored: Stored): Promise<void> {
  const { userId, courseId, mark, until, progress, versions, fittedAt, timeZone } = stored
  await sql`
    insert into study_progress (user_id, course_id, mark, covered_until, exam_versions, progress, fitted_at, time_zone)
    values (${userId}, ${courseId}, ${mark}, ${until}, ${JSON.stringify(versions)}, ${writeProgress(progress)}, ${fittedAt}, ${timeZone})
    on conflict (user_id, course_id) do update set mark = excluded.mark, covered_until = excluded.covered_until,
      exam_versions = excluded.exam_versions, progress = excluded.progress, fitted_at = excluded.fitted_at,
      time_zone = excluded.time_zone`.execute(db)
}

/** The version of the exam in which each question was answered last, by question key. Its answer key was shown then. */
export async function listShownVersions(
  db: Db,
  of: { readonly userId: UserId; readonly courseId: CourseId; readonly now: Date },
): Promise<Map<string, ExamId>> {
  const given = await listGivenAnswers(db, { ...of, after: null, until: of.now.toISOString() })
  return new Map(given.map((answer) => [keyOf(answer), answer.examId]))
}

export type GivenAnswer = {
  readonly examId: ExamId
  readonly familyId: string
  readonly questionId: string
  readonly answer: Answer | null
  readonly isFlagged: boolean
  readonly at: Date
  readonly attemptId: string | null
  readonly activeMs: number
  readonly confidence: 'sure' | 'unsure' | null
}

/** About how many answers are read at once. Between two pages the server answers requests. */
const ANSWERS_PER_PAGE = 1_000

/** A learner's answers with their outcome as `listMeasuredAnswers` lists them, page by page. */
export async function* measuredAnswerPages(db: Db, of: GivenIn) {
  let { after } = of
  for (const until of await listPageEnds(db, of)) {
    yield await listMeasuredAnswers(db, { ...of, after, until })
    after = until
  }
}

/** The instants at which pages of a learner's answers end. Answers of the same instant share a page. */
async function listPageEnds(db: Db, of: GivenIn): Promise<string[]> {
  const { rows } = await sql<{ until: string }>`
    with given as (
      select finished_at as at, jsonb_array_length(layout) as count from attempts
      where user_id = ${of.userId} and course_id = ${of.courseId} and state = 'finished' and ${between('attempts.finished_at', of)}
      union all
      select answered_at, 1 from drill_answers join drills on drills.id = drill_id
      where user_id = ${of.userId} and course_id = ${of.courseId} and ${isCounted} and ${between('drill_answers.answered_at', of)}
    ), counted as (select at, sum(count) over (order by at) as total from given)
    select max(at)::text as until from counted group by div(total, ${ANSWERS_PER_PAGE}) order by max(at)`.execute(db)
  return rows.map(({ until }) => until)
}

/** The answers to seen questions in finished attempts and in drills, oldest first. */
export async function listGivenAnswers(db: Db, of: GivenIn): Promise<GivenAnswer[]> {
  const [finished, drilled] = await Promise.all([listFinishedAnswers(db, of), listDrilledAnswers(db, of)])
  return [
    ...finished.flatMap(({ questions, finishedAt: at, ...attempt }) =>
      seenOf(questions).map((question) => ({ ...attempt, ...question, at })),
    ),
    ...drilled,
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** The answers in drills of a course, finished or not, oldest first. */
async function listDrilledAnswers(db: Db, of: GivenIn): Promise<GivenAnswer[]> {
  const rows = await db
    .selectFrom('drill_answers')
    .innerJoin('drills', 'drills.id', 'drill_answers.drill_id')
    .where('drills.user_id', '=', of.userId)
    .where('drills.course_id', '=', of.courseId)
    .where(isCounted)
    .where(between('drill_answers.answered_at', of))
    .orderBy('drill_answers.answered_at')
    .select(['drill_id', 'place', 'answer', 'is_flagged', 'answered_at'])
    .execute()
  const layouts = await listLayouts(db, new Set(rows.map((row) => row.drill_id)))
  return rows.flatMap((row) => {
    const entry = layouts.get(row.drill_id)?.[row.place]
    if (entry === undefined || row.answered_at === null) return []
    const { examId, familyId, questionId } = entry
    return [
      {
        examId: examId as ExamId,
        familyId,
        questionId,
        answer: readAnswer(row.answer),
        isFlagged: row.is_flagged,
        at: row.answered_at,
        attemptId: null,
        activeMs: 0,
        confidence: null,
      },
    ]
  })
}

/** The layouts of drills, each once: one is larger than all answers of its drill. */
async function listLayouts(db: Db, drillIds: ReadonlySet<string>): Promise<Map<string, DrillLayout>> {
  if (drillIds.size === 0) return new Map()
  const rows = await db
    .selectFrom('drills')
    .where('id', 'in', [...drillIds])
    .select(['id', 'layout'])
    .execute()
  return new Map(rows.map(({ id, layout }) => [id, DrillLayout.parse(layout)]))
}
