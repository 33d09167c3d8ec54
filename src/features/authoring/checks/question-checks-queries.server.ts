import { wordCheck } from '../../questions/checks/bank-checks.copy.ts'
import { contentText, fromStored } from '../../questions/types/content-registry.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { after, MINUTE_MS } from '../../../lib/time.ts'
import { CHECK_CODES, type BankCourse, CueMeasure } from '../../questions/checks/bank-checks.schema.ts'
import { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { isCue } from '../../questions/checks/cues.ts'
import { SEVERITIES } from '../../questions/formats/formats.schema.ts'
import { Blueprint } from '../../questions/questions.schema.ts'
import { listCourseChoices } from '../../catalogue/course-choices-queries.server.ts'
import { excerpt } from '../drafts/drafts.ts'
import type {
  CheckedCourses,
  CheckFailure,
  CheckState,
  CueView,
  FindingFilter,
  FindingView,
} from './question-checks.schema.ts'

const FINDINGS_PAGE = 50

/** Longer than any check takes: the process of an older one has died. */
const LOST_AFTER_MS = 15 * MINUTE_MS

export async function getCheckState(db: Db, now: Date): Promise<CheckState> {
  const { rows } = await sql<{
    checkedAt: Date | null
    questionCount: number | null
    isOld: boolean | null
    isRunning: boolean
    failure: CheckFailure | null
    cues: unknown
  }>`
    select done.finished_at as "checkedAt", done.question_count as "questionCount", done.cues,
      done.change_number < (select coalesce(max(number), 0) from catalogue_changes) as "isOld",
      exists (
        select from bank_checks where finished_at is null and failed_at is null
          and asked_at > ${after(now, -LOST_AFTER_MS)}) as "isRunning",
      (select coalesce(failure, 'broken') from bank_checks
        where finished_at is null and (failed_at > coalesce(done.finished_at, '-infinity')
          or failed_at is null and asked_at <= ${after(now, -LOST_AFTER_MS)})
        order by asked_at desc limit 1) as failure
    from (select 1) as one
    left join lateral (
      select finished_at, question_count, change_number, cues from bank_checks
      where finished_at is not null order by finished_at desc limit 1) as done on true`.execute(db)
  const [row] = rows
  return {
    checkedAt: row?.checkedAt?.toISOString() ?? null,
    questionCount: row?.questionCount ?? 0,
    isRunning: row?.isRunning === true,
    failure: row?.failure ?? null,
    isOld: row?.isOld === true,
    cues: viewCues(row?.cues),
  }
}

/** Checks by earlier builds have no cues, and those by later ones may have cues that this build does not know. */
function viewCues(stored: unknown): CueView[] | null {
  const cues = z.array(CueMeasure).safeParse(stored)
  return cues.success ? cues.data.map((measure) => ({ ...measure, isOff: isCue(measure) })) : null
}

/** The running check, unless its process has died. */
export async function findRunningCheck(db: Db, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('bank_checks')
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('asked_at', '>', after(now, -LOST_AFTER_MS))
    .select('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Whether the check was neither finished nor marked as failed. */
export async function isCheckOpen(db: Db, checkId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bank_checks')
    .where('id', '=', checkId)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

const asideJoin = sql`
  left join set_aside_findings as aside on aside.family_id = finding.family_id
    and aside.question_id = finding.question_id and aside.code = finding.code and aside.fingerprint = finding.fingerprint`

const newest = sql`(select id from bank_checks where finished_at is not null order by finished_at desc limit 1)`

type KindCount = { readonly code: string; readonly count: number }

/** The exams with findings in a course, or in the course of an exam. */
async function countByExam(db: Db, of: Pick<FindingFilter, 'state' | 'course' | 'exam'>): Promise<ExamCount[]> {
  if (of.course === null && of.exam === null) return []
  const { rows } = await sql<ExamCount>`
    select finding.family_id as id, exam.test_name as title, count(*)::int as count
    from bank_findings as finding
    join test_questions as exam on exam.family_id = finding.family_id and exam.is_current_version ${asideJoin}
    where check_id = ${newest} and (aside.note is null) = ${of.state === 'open'}
      and finding.course_id = coalesce(${of.course}::uuid, (
        select course_id from test_questions one where one.family_id = ${of.exam}::uuid and one.is_current_version))
    group by finding.family_id, exam.test_name, exam.position, exam.id order by exam.position, exam.id`.execute(db)
  return rows
}

type ExamCount = { readonly id: string; readonly title: string; readonly count: number }

/** The number of findings of each kind, either open or set aside. */
async function countKinds(db: Db, state: FindingFilter['state']): Promise<KindCount[]> {
  const { rows } = await sql<KindCount>`
    select finding.code, count(*)::int as count from bank_findings as finding ${asideJoin}
    where check_id = ${newest} and (aside.note is null) = ${state === 'open'} group by finding.code`.execute(db)
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const placeOf = ({ code }: KindCount) => CHECK_CODES.findIndex((one) => one === code)

/** The courses with findings, for the filter, each with its number. */
export async function listCheckedCourses(
  db: Db,
  wanted: { readonly search: string; readonly state: FindingFilter['state'] },
): Promise<CheckedCourses> {
  const counts = sql`check_id = ${newest} and (aside.note is null) = ${wanted.state === 'open'}`
  const { choices, foundCount } = await listCourseChoices(
    db,
    wanted.search,
    sql<SqlBool>`exists (
      select from bank_findings as finding ${asideJoin} where finding.course_id = courses.id and ${counts})`,
  )
  const ids = choices.map(({ id }) => id)
  const { rows } = await sql<{ id: string; count: number }>`
    select finding.course_id as id, count(*)::int as count from bank_findings as finding ${asideJoin}
    where ${counts} and course_id = any(${ids}::uuid[]) group by finding.course_id`.execute(db)
  const countOf = new Map(rows.map(({ id, count }) => [id, count]))
  return { choices: choices.map((choice) => ({ ...choice, count: countOf.get(choice.id) ?? 0 })), foundCount }
}

/** The number of open errors, for the dashboard. */
export async function countOpenErrors(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from bank_findings as finding ${asideJoin}
    where check_id = ${newest} and severity = 'error' and aside.note is null`.execute(db)
  return rows[0]?.count ?? 0
}

const Row = z.object({
  id: z.number(),
  code: z.enum(CHECK_CODES),
  severity: z.enum(SEVERITIES),
  facts: z.array(z.union([z.string(), z.number()])),
  /** Earlier builds stored the sentence itself. */
  sentence: z.string().nullable(),
  courseTitle: z.string(),
  examId: z.string(),
  examTitle: z.string(),
  questionId: z.string(),
  stem: z.string().nullable(),
  type: z.string().nullable(),
  note: z.string().nullable(),
  setBy: z.string().nullable(),
  setAt: z.date().nullable(),
})

type FindingsPage = {
  readonly findings: FindingView[]
  readonly count: number
  readonly page: number
  readonly pageCount: number
  /** The kinds to filter by, with their counts. */
  readonly kinds: KindCount[]
  /** The exams of the selected course. */
  readonly exams: ExamCount[]
}

/** A page of the newest check's findings: errors first, then in the order of courses, exams and questions. */
export async function listFindings(db: Db, filter: FindingFilter): Promise<FindingsPage> {
  const { state, code, severity, course, exam } = filter
  const matchesFilter = sql<SqlBool>`
    finding.check_id = ${newest} and (aside.note is null) = ${state === 'open'}
    and ${code === null ? sql`true` : sql`finding.code = ${code}`}
    and ${severity === null ? sql`true` : sql`finding.severity = ${severity}`}
    and ${course === null ? sql`true` : sql`finding.course_id = ${course}`}
    and ${exam === null ? sql`true` : sql`finding.family_id = ${exam}`}`
  const [kinds, exams, all] = await Promise.all([
    countKinds(db, state),
    countByExam(db, filter),
    sql<{
      count: number
    }>`select count(*)::int as count from bank_findings as finding ${asideJoin} where ${matchesFilter}`.execute(db),
  ])
  const count = all.rows[0]?.count ?? 0
  const pageCount = Math.max(1, Math.ceil(count / FINDINGS_PAGE))
  const page = Math.min(filter.page, pageCount)
  const { rows } = await sql`
    with shown as (
      select finding.id, finding.code, finding.severity, finding.facts, finding.sentence, finding.course_id, finding.family_id,
        finding.question_id, aside.note, aside.set_by, aside.set_at
      from bank_findings as finding ${asideJoin} where ${matchesFilter}
      order by finding.severity, finding.id limit ${FINDINGS_PAGE} offset ${(page - 1) * FINDINGS_PAGE})
    select shown.id, shown.code, shown.severity, shown.facts, shown.sentence, courses.title as "courseTitle",
      shown.family_id as "examId", exam.test_name as "examTitle", shown.question_id as "questionId",
      question ->> 'stem' as stem, question ->> 'type' as type,
      shown.note, users.email as "setBy", shown.set_at as "setAt"
    from shown
    join courses on courses.id = shown.course_id
    join test_questions as exam on exam.family_id = shown.family_id and exam.is_current_version
    cross join lateral jsonb_path_query_first(exam.questions, '$[*] ? (@.id == $id)',
      jsonb_build_object('id', shown.question_id)) as question
    left join users on users.id = shown.set_by
    order by shown.severity, shown.id`.execute(db)
  return { findings: rows.map(toView), count, page, pageCount, kinds, exams }
}

function toView(row: unknown): FindingView {
  const { stem, type, note, setBy, setAt, facts, sentence, ...finding } = Row.parse(row)
  return {
    ...finding,
    sentence: sentence ?? wordCheck(finding.code, facts),
    stem: stem === null ? null : excerpt({ type, stem }),
    aside: note === null || setAt === null ? null : { note, by: setBy, at: setAt.toISOString() },
  }
}

/**
 * The input of a check: the current versions of all exams in courses that are not withdrawn. Exams are read one at a time, so
 * that other queries get their turn.
 */
export async function readBank(
  db: Db,
): Promise<{ courses: BankCourse[]; exams: Map<string, ReadExam>; changeNumber: number }> {
  const { rows: changes } = await sql<{ number: number }>`
    select coalesce(max(number), 0) as number from catalogue_changes`.execute(db)
  const rows = await db
    .selectFrom('test_questions as exam')
    .innerJoin('courses', 'courses.id', 'exam.course_id')
    .where('exam.is_current_version', '=', true)
    .where('courses.status', '!=', 'withdrawn')
    .orderBy('courses.title')
    .orderBy('courses.id')
    .orderBy('exam.position')
    .orderBy('exam.id')
    .select(['exam.id', 'exam.family_id', 'exam.slug', 'exam.test_name', 'courses.id as course_id'])
    .select(['courses.slug as course_slug', 'courses.title', 'courses.blueprint'])
    .execute()
  const courses = new Map<string, BankCourse>()
  const exams = new Map<string, ReadExam>()
  for (const row of rows) {
    const { questions, case_studies: caseStudies } = await db
      .selectFrom('test_questions')
      .where('id', '=', row.id)
      .select(['questions', 'case_studies'])
      .executeTakeFirstOrThrow()
    const blueprint = Blueprint.safeParse(row.blueprint)
    const course = courses.get(row.course_id) ?? {
      slug: row.course_slug,
      title: row.title,
      blueprint: blueprint.success ? blueprint.data : null,
      exams: [],
    }
    courses.set(row.course_id, course)
    const parsed = z.array(z.unknown()).parse(questions).map(fromStored)
    course.exams.push({
      slug: row.slug,
      title: row.test_name,
      caseStudies: z.array(CaseStudy).parse(caseStudies),
      questions: parsed.map((question) => ({ question })),
    })
    exams.set(row.slug, {
      courseId: row.course_id,
      familyId: row.family_id,
      questions: new Map(parsed.map((question) => [question.id, contentText(question)])),
    })
  }
  return { courses: [...courses.values()], exams, changeNumber: changes[0]?.number ?? 0 }
}

/** An exam with its questions as JSON, from which fingerprints are made. */
type ReadExam = {
  readonly courseId: string
  readonly familyId: string
  readonly questions: ReadonlyMap<string, string>
}
