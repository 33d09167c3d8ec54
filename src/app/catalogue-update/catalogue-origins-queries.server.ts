import { z } from 'zod'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import {
  findDraft,
  listDraftCaseStudies,
  listDraftQuestions,
} from '../../features/authoring/drafts/drafts-queries.server.ts'
import { fail } from '../../features/catalogue/catalogue.schema.ts'
import { listStudySheets } from '../../features/catalogue/study-sheets/study-sheets-queries.server.ts'
import type { StudySheet } from '../../features/questions/study-sheet.schema.ts'
import { Blueprint, type CourseFacts } from '../../features/questions/questions.schema.ts'
import { CaseStudy } from '../../features/questions/case-studies/case-study.schema.ts'
import { fromStored } from '../../features/questions/types/content-registry.ts'
import type { ExamSettings } from '../../features/catalogue/exam-settings.schema.ts'
import {
  examTexts,
  DeliveredTexts,
  textHash,
  addDelivered,
  sheetTexts,
  type SheetName,
  type ExamContent,
  type ShopExam,
} from './catalogue-update.ts'

/** Where a course or an exam of the catalogue is in this shop. */
export type Match =
  | { readonly kind: 'there'; readonly shopId: string; readonly delivered: DeliveredTexts }
  | { readonly kind: 'new' }
  /** An admin deleted it: it does not come back. */
  | { readonly kind: 'deleted' }
  /** An admin made another one with its slug. */
  | { readonly kind: 'foreign' }

export type Origin = { readonly slug: string; readonly shopId: string; readonly delivered: DeliveredTexts }

export async function listOrigins(db: Db, kind: 'course' | 'exam'): Promise<Origin[]> {
  const rows = await db
    .selectFrom('catalogue_origins')
    .where('kind', '=', kind)
    .orderBy('slug')
    .select(['slug', 'shop_id', 'texts'])
    .execute()
  return rows.map(({ slug, shop_id: shopId, texts }) => ({ slug, shopId, delivered: DeliveredTexts.parse(texts) }))
}

export async function findOrigin(db: Db, kind: 'course' | 'exam', slug: string): Promise<Origin | null> {
  const origins = await listOrigins(db, kind)
  return origins.find((origin) => origin.slug === slug) ?? null
}

/** The texts of a course, by the names and in the form of the catalogue. */
export type CourseTexts = CourseFields & { readonly [Name in SheetName]?: StudySheet }

type CourseFields = {
  readonly title: string
  readonly description: string
  readonly category: CourseFacts['category']
  readonly imageUrl: string
  readonly blueprint: Blueprint | null
}

const courseColumns = ['title', 'description', 'category', 'image_url', 'blueprint'] as const
type CourseColumns = { [Name in (typeof courseColumns)[number]]: unknown }

export async function getCourseTexts(db: Db, courseId: string): Promise<CourseTexts> {
  const [row, sheets] = await Promise.all([
    db.selectFrom('courses').where('id', '=', courseId).select(courseColumns).executeTakeFirstOrThrow(),
    listStudySheets(db, courseId),
  ])
  return { ...toCourseTexts(row), ...sheetTexts(sheets) }
}

function toCourseTexts(row: CourseColumns): CourseFields {
  const { image_url: imageUrl, blueprint, ...rest } = row
  // jsonb does not keep the order of keys; parsing by the schema restores it.
  const read = Blueprint.nullable().safeParse(blueprint)
  return { ...rest, imageUrl, blueprint: read.success ? read.data : blueprint } as CourseFields
}

export async function matchCourse(db: Db, slug: string): Promise<Match> {
  const origin = await findOrigin(db, 'course', slug)
  if (origin !== null) {
    const row = await db.selectFrom('courses').where('id', '=', origin.shopId).select('id').executeTakeFirst()
    return row === undefined ? { kind: 'deleted' } : { kind: 'there', ...origin }
  }
  return matchUnrecordedCourse(db, slug)
}

/** Finds a course in a shop that was seeded before origins were recorded: by its slug, or by a former one. */
async function matchUnrecordedCourse(db: Db, slug: string): Promise<Match> {
  const former = await findAuditSubject(db, { action: 'course.update', slug })
  const row = await db
    .selectFrom('courses')
    .where((eb) => eb.or([eb('slug', '=', slug), ...(former === null ? [] : [eb(sql`id::text`, '=', former)])]))
    .orderBy((eb) => eb('slug', '=', slug), 'desc')
    .select(['id', 'user_id'])
    .limit(1)
    .executeTakeFirst()
  if (row === undefined)
    return { kind: (await findAuditSubject(db, { action: 'course.deleted', slug })) === null ? 'new' : 'deleted' }
  if (row.user_id !== null || (await isMadeByAdmin(db, 'course.insert', row.id))) return { kind: 'foreign' }
  return { kind: 'there', shopId: row.id, delivered: await courseAtSeeding(db, row.id) }
}

/** The texts of the course when it was seeded. The audit log has the former value of each field that was changed since. */
async function courseAtSeeding(db: Db, courseId: string): Promise<DeliveredTexts> {
  const row = await db
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select([...courseColumns, 'created_at'])
    .executeTakeFirstOrThrow()
  const changes = await db
    .selectFrom('audit_log')
    .where('subject_table', '=', 'courses')
    .where('subject_id', '=', courseId)
    .where('action', '=', 'course.update')
    .orderBy('id', 'desc')
    .select('before')
    .execute()
  const { created_at: at, ...columns } = row
  // The oldest entry is applied last.
  const seeded = changes.reduce<CourseColumns>(
    (texts, { before }) => ({ ...texts, ...pickCourseColumns(z.record(z.string(), z.unknown()).parse(before)) }),
    columns,
  )
  return addDelivered({}, hashesOf(toCourseTexts(seeded)), at)
}

function pickCourseColumns(entry: Record<string, unknown>): Partial<CourseColumns> {
  return Object.fromEntries(courseColumns.flatMap((name) => (name in entry ? [[name, entry[name]]] : [])))
}

export function hashesOf(texts: CourseTexts): [string, string][] {
  return Object.entries(texts).map(([name, value]) => [name, textHash(value)])
}

/** The exams of a course that came from the catalogue, with the slugs that they have there. */
export async function listExamsOfCatalogue(db: Db, courseId: string): Promise<Origin[]> {
  const rows = await db
    .selectFrom('test_questions as exam')
    .innerJoin('test_questions as first', 'first.id', 'exam.family_id')
    .where('exam.course_id', '=', courseId)
    .where('exam.is_current_version', '=', true)
    .orderBy('exam.position')
    .orderBy('exam.id')
    .select(['exam.family_id', 'exam.slug', 'first.user_id'])
    .execute()
  const origins = await listOrigins(db, 'exam')
  const exams: Origin[] = []
  for (const { family_id: shopId, slug, user_id: madeBy } of rows) {
    const origin = origins.find((one) => one.shopId === shopId)
    if (origin !== undefined) exams.push(origin)
    else if (madeBy === null && !(await isMadeByAdmin(db, 'exam.insert', shopId)))
      exams.push({ slug, shopId, delivered: await examAtSeeding(db, shopId) })
  }
  return exams
}

/** Finds an exam of the catalogue that `listExamsOfCatalogue` does not return. */
export async function matchMissingExam(db: Db, courseId: string, slug: string): Promise<Match['kind']> {
  if ((await findOrigin(db, 'exam', slug)) !== null) return 'deleted'
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .where('slug', '=', slug)
    .select('is_current_version')
    .execute()
  if (rows.some((row) => row.is_current_version)) return 'foreign'
  if (rows.length > 0) return 'deleted'
  return (await findAuditSubject(db, { action: 'exam.deleted', slug })) === null ? 'new' : 'deleted'
}

/** The texts of the exam when it was seeded: those of its first version, as they were before corrections of that version. */
async function examAtSeeding(db: Db, familyId: string): Promise<DeliveredTexts> {
  const versions = await readVersions(db, familyId)
  const first = versions.find(({ versionNumber }) => versionNumber === 1)
  if (first === undefined) return {}
  const entries = await db
    .selectFrom('audit_log')
    .where('subject_table', '=', 'test_questions')
    .where('subject_id', '=', familyId)
    .where('action', 'in', ['exam.key', 'exam.free-trial'])
    .orderBy('id')
    .select(['action', 'before'])
    .execute()
  const corrected = new Set(
    entries.flatMap(({ action, before }) =>
      action === 'exam.key' ? [z.object({ questionId: z.string() }).parse(before).questionId] : [],
    ),
  )
  const switched = entries.find(({ action }) => action === 'exam.free-trial')
  const settings = {
    ...first.settings,
    ...(switched === undefined
      ? {}
      : { isFreeTrial: z.object({ is_free_trial: z.boolean() }).parse(switched.before).is_free_trial }),
  }
  const questions = first.questions.filter(({ id }) => !corrected.has(id))
  return addDelivered({}, examTexts({ ...first, settings, questions }), first.createdAt)
}

async function isMadeByAdmin(db: Db, action: string, id: string): Promise<boolean> {
  const entry = await db
    .selectFrom('audit_log')
    .where('action', '=', action)
    .where('subject_id', '=', id)
    .where('actor_id', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return entry !== undefined
}

/** The id of the row that had this slug before the action. */
async function findAuditSubject(db: Db, entry: { action: string; slug: string }): Promise<string | null> {
  const row = await db
    .selectFrom('audit_log')
    .where('action', '=', entry.action)
    .where(sql`before ->> 'slug'`, '=', entry.slug)
    .orderBy('id')
    .select('subject_id')
    .executeTakeFirst()
  return row?.subject_id ?? null
}

type Version = ExamContent & {
  readonly versionNumber: number
  readonly isCurrent: boolean
  readonly createdAt: Date
}

async function readVersions(db: Db, familyId: string): Promise<Version[]> {
  const rows = await db
    .selectFrom('test_questions')
    .where('family_id', '=', familyId)
    .orderBy('version_number')
    .select([
      'version_number',
      'is_current_version',
      'created_at',
      'questions',
      'case_studies',
      'test_name',
      'time_limit',
      'passing_score',
      'scoring_policy',
      'is_free_trial',
    ])
    .execute()
  return rows.map((row) => ({
    versionNumber: row.version_number,
    isCurrent: row.is_current_version,
    createdAt: row.created_at,
    questions: z.array(z.unknown()).parse(row.questions).map(fromStored),
    caseStudies: z.array(CaseStudy).parse(row.case_studies),
    settings: {
      title: row.test_name,
      timeLimitMinutes: row.time_limit,
      passingScore: row.passing_score,
      scoringPolicy: row.scoring_policy,
      isFreeTrial: row.is_free_trial,
    } satisfies ExamSettings,
  }))
}

async function readDraftTexts(db: Db, familyId: string): Promise<Pick<ExamContent, 'questions' | 'caseStudies'>> {
  return {
    questions: await listDraftQuestions(db, familyId),
    caseStudies: await listDraftCaseStudies(db, familyId),
  }
}

/** Everything about an exam that the update compares; under its lock before a write. @throws Failure exam.not-found */
export async function readShopExam(
  db: Db,
  { shopId, delivered }: Pick<Origin, 'shopId' | 'delivered'>,
): Promise<ShopExam & { readonly draftVersion: number | null }> {
  const versions = await readVersions(db, shopId)
  const current = versions.find(({ isCurrent }) => isCurrent)
  if (current === undefined) throw fail('exam.not-found')
  const draft = await findDraft(db, shopId)
  const begun = await db
    .selectFrom('exam_drafts')
    .where('family_id', '=', shopId)
    .select('created_at')
    .executeTakeFirst()
  const published = new Map<string, Set<string>>()
  for (const version of versions)
    for (const [name, hash] of examTexts(version)) published.set(name, (published.get(name) ?? new Set()).add(hash))
  const last = Math.max(...versions.map(({ createdAt }) => createdAt.getTime()))
  return {
    current,
    draft: draft === null ? null : { settings: draft.settings, ...(await readDraftTexts(db, shopId)) },
    draftVersion: draft?.version ?? null,
    history: { draftSince: begun?.created_at.toISOString() ?? null, lastPublishedAt: new Date(last).toISOString() },
    published,
    delivered,
  }
}
