import { fromStored } from '../../questions/types/content-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, ExamId } from '../../../lib/ids.ts'
import { z } from 'zod'
import { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { getExamCaseStudies, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { compareExams } from './drafts.ts'
import {
  fail,
  type DraftChanges,
  type DraftQuestionView,
  type DraftView,
  type ExamRecord,
  type ExamVersion,
} from './drafts.schema.ts'
import { type ExamSettings } from '../../catalogue/exam-settings.schema.ts'

function currentExams(db: Db) {
  return db
    .selectFrom('test_questions as exam')
    .innerJoin('courses', 'courses.id', 'exam.course_id')
    .where('exam.is_current_version', '=', true)
    .select([
      'exam.id',
      'exam.family_id',
      'exam.course_id',
      'exam.slug',
      'exam.test_name',
      'exam.version_number',
      'exam.question_count',
      'exam.time_limit',
      'exam.passing_score',
      'exam.scoring_policy',
      'exam.is_free_trial',
      'courses.title as course_title',
      'courses.slug as course_slug',
      'courses.status as course_status',
    ])
}

type CurrentRow = Awaited<ReturnType<ReturnType<typeof currentExams>['executeTakeFirstOrThrow']>>

type SettingsRow = Pick<CurrentRow, 'test_name' | 'time_limit' | 'passing_score' | 'scoring_policy' | 'is_free_trial'>

function toSettings(row: SettingsRow): ExamSettings {
  return {
    title: row.test_name,
    timeLimitMinutes: row.time_limit,
    passingScore: row.passing_score,
    scoringPolicy: row.scoring_policy,
    isFreeTrial: row.is_free_trial,
  }
}

/** The current version of an exam, found by the id of any version. */
export type CurrentExam = Omit<ExamRecord, 'versions' | 'draft'> & { readonly id: ExamId }

/** @throws Failure exam.not-found */
export async function getCurrentExam(db: Db, examId: string): Promise<CurrentExam> {
  const row = await currentExams(db)
    .where('exam.family_id', 'in', (eb) =>
      eb.selectFrom('test_questions as version').where('version.id', '=', examId).select('version.family_id'),
    )
    .executeTakeFirst()
  if (row === undefined) throw failCatalogue('exam.not-found')
  return toCurrent(row)
}

function toCurrent(row: CurrentRow): CurrentExam {
  return {
    id: row.id as ExamId,
    familyId: row.family_id,
    courseId: row.course_id,
    courseTitle: row.course_title,
    courseSlug: row.course_slug,
    courseStatus: row.course_status,
    slug: row.slug,
    versionNumber: row.version_number,
    questionCount: row.question_count,
    settings: toSettings(row),
  }
}

/** An exam with its versions and its draft. @throws Failure exam.not-found */
export async function getExamRecord(db: Db, examId: string): Promise<ExamRecord> {
  const exam = await getCurrentExam(db, examId)
  const [versions, draft] = await Promise.all([listVersions(db, exam.familyId), findDraft(db, exam.familyId)])
  return { ...exam, versions, draft }
}

/** The titles of a course's exams, in order. */
export async function listExamNames(db: Db, courseId: string): Promise<{ id: string; title: string }[]> {
  const rows = await currentExams(db)
    .where('exam.course_id', '=', courseId)
    .orderBy('exam.position')
    .orderBy('exam.id')
    .execute()
  return rows.map((row) => ({ id: row.family_id, title: row.test_name }))
}

/** The exams of a course for its editors. */
export async function listExamRecords(db: Db, courseId: CourseId): Promise<ExamRecord[]> {
  const rows = await currentExams(db)
    .where('exam.course_id', '=', courseId)
    .orderBy('exam.position')
    .orderBy('exam.id')
    .execute()
  return Promise.all(
    rows.map(async (row) => ({
      ...toCurrent(row),
      versions: await listVersions(db, row.family_id),
      draft: await findDraft(db, row.family_id),
    })),
  )
}

/** The latest content of an exam: its draft, or else its current version. */
type LatestExam = Pick<CurrentExam, 'id' | 'familyId' | 'slug' | 'settings'> & {
  readonly draftVersion: number | null
  readonly questions: readonly Question[]
  readonly caseStudies: readonly CaseStudy[]
}

/** The latest content of a course's exams, in order. */
export async function listLatestExams(db: Db, courseId: string): Promise<LatestExam[]> {
  const rows = await currentExams(db)
    .where('exam.course_id', '=', courseId)
    .orderBy('exam.position')
    .orderBy('exam.id')
    .execute()
  const exams: LatestExam[] = []
  for (const row of rows) exams.push(await latestOf(db, toCurrent(row)))
  return exams
}

/** @throws Failure exam.not-found */
export async function getLatestExam(db: Db, examId: string): Promise<LatestExam> {
  return latestOf(db, await getCurrentExam(db, examId))
}

async function latestOf(db: Db, { id, familyId, slug, settings }: CurrentExam): Promise<LatestExam> {
  const draft = await findDraft(db, familyId)
  if (draft === null) {
    const [questions, caseStudies] = [await getExamQuestions(db, id), await getExamCaseStudies(db, id)]
    return { id, familyId, slug, settings, draftVersion: null, questions, caseStudies }
  }
  const [questions, caseStudies] = [await listDraftQuestions(db, familyId), await listDraftCaseStudies(db, familyId)]
  return { id, familyId, slug, settings: draft.settings, draftVersion: draft.version, questions, caseStudies }
}

/** Every version of an exam, the newest first. */
export async function listVersions(db: Db, familyId: string): Promise<ExamVersion[]> {
  const rows = await db
    .selectFrom('test_questions')
    .where('family_id', '=', familyId)
    .orderBy('version_number', 'desc')
    .select(['id', 'version_number', 'is_current_version', 'test_name', 'question_count', 'created_at'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    versionNumber: row.version_number,
    isCurrent: row.is_current_version,
    title: row.test_name,
    questionCount: row.question_count,
    createdAt: row.created_at.toISOString(),
  }))
}

export async function findDraft(db: Db, familyId: string): Promise<DraftView | null> {
  const row = await db
    .selectFrom('exam_drafts as draft')
    .innerJoin('test_questions as origin', 'origin.id', 'draft.from_exam_id')
    .leftJoin('users', 'users.id', 'draft.updated_by')
    .where('draft.family_id', '=', familyId)
    .select([
      'draft.test_name',
      'draft.time_limit',
      'draft.passing_score',
      'draft.scoring_policy',
      'draft.is_free_trial',
      'draft.settings_version',
      'draft.row_version',
      'draft.updated_at',
      'origin.version_number',
      'users.name',
    ])
    .select((eb) =>
      eb
        .selectFrom('exam_draft_questions as question')
        .whereRef('question.family_id', '=', 'draft.family_id')
        .select((questions) => questions.fn.countAll<number>().as('count'))
        .as('question_count'),
    )
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    fromVersion: row.version_number,
    settings: toSettings(row),
    settingsVersion: row.settings_version,
    version: row.row_version,
    questionCount: row.question_count ?? 0,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.name,
  }
}

/** @throws Failure draft.none */
export async function getDraft(db: Db, familyId: string): Promise<DraftView> {
  const draft = await findDraft(db, familyId)
  if (draft === null) throw fail('draft.none')
  return draft
}

/** The questions of a draft in order, answer keys included. */
export async function listDraftQuestions(db: Db, familyId: string): Promise<Question[]> {
  const rows = await db
    .selectFrom('exam_draft_questions')
    .where('family_id', '=', familyId)
    .orderBy('place')
    .orderBy('question_id')
    .select('question')
    .execute()
  return rows.map(({ question }) => fromStored(question))
}

/** The case studies of a draft. */
export async function listDraftCaseStudies(db: Db, familyId: string): Promise<CaseStudy[]> {
  const row = await db
    .selectFrom('exam_drafts')
    .where('family_id', '=', familyId)
    .select('case_studies')
    .executeTakeFirst()
  return z.array(CaseStudy).parse(row?.case_studies ?? [])
}

export async function findDraftQuestion(
  db: Db,
  of: { familyId: string; questionId: string },
): Promise<DraftQuestionView | null> {
  const row = await db
    .selectFrom('exam_draft_questions as draft')
    .leftJoin('users', 'users.id', 'draft.updated_by')
    .where('draft.family_id', '=', of.familyId)
    .where('draft.question_id', '=', of.questionId)
    .select(['draft.question', 'draft.row_version', 'draft.updated_at', 'users.name'])
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    question: fromStored(row.question),
    version: row.row_version,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.name,
  }
}

/** The changes that publishing the draft would make. @throws Failure draft.none */
export async function getChanges(db: Db, exam: CurrentExam): Promise<DraftChanges> {
  const draft = await getDraft(db, exam.familyId)
  const [current, edited, caseStudies, editedCaseStudies] = await Promise.all([
    getExamQuestions(db, exam.id),
    listDraftQuestions(db, exam.familyId),
    getExamCaseStudies(db, exam.id),
    listDraftCaseStudies(db, exam.familyId),
  ])
  const changes = compareExams(
    { settings: exam.settings, questions: current, caseStudies },
    { settings: draft.settings, questions: edited, caseStudies: editedCaseStudies },
  )
  return { version: draft.version, ...changes }
}

/** A question in one version of its exam. */
export type QuestionVersion = { readonly examId: string; readonly versionNumber: number; readonly question: Question }

/** A question in every version of its exam that holds it: the versions that a corrected answer key affects. */
export async function listVersionsOfQuestion(
  db: Db,
  of: { familyId: string; questionId: string },
): Promise<QuestionVersion[]> {
  const rows = await db
    .selectFrom('test_questions')
    .where('family_id', '=', of.familyId)
    .orderBy('version_number')
    .select(['id', 'version_number'])
    .select(
      sql<unknown>`jsonb_path_query_first(questions, '$[*] ? (@.id == $id)', jsonb_build_object('id', ${of.questionId}::text))`.as(
        'question',
      ),
    )
    .execute()
  return rows.flatMap(({ id, version_number: versionNumber, question }) =>
    question === null ? [] : [{ examId: id, versionNumber, question: fromStored(question) }],
  )
}
