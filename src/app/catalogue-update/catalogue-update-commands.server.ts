import { caseStudiesOf } from '../../features/questions/case-studies/case-blocks.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import { mergeIntoDraft, replaceDraft } from '../../features/authoring/drafts/drafts-commands.server.ts'
import { findDraft } from '../../features/authoring/drafts/drafts-queries.server.ts'
import type { ChangedPart } from '../../features/authoring/drafts/drafts.schema.ts'
import { storeVerifications } from '../../features/authoring/freshness/verification-commands.server.ts'
import { publishDraftIn } from '../../features/authoring/drafts/versions-commands.server.ts'
import { lockExam } from '../../features/catalogue/exam-locks-commands.server.ts'
import { storeStudySheet } from '../../features/catalogue/study-sheets/study-sheets-commands.server.ts'
import { storeDrawings } from '../../features/catalogue/images/images-commands.server.ts'
import { toStored } from '../../features/questions/types/content-registry.ts'
import { Failure } from '../../lib/failure.ts'
import type { CourseId } from '../../lib/ids.ts'
import type { Clock } from '../../platform/clock.server.ts'
import { audit } from '../../platform/audit-log/audit-log-commands.server.ts'
import type { ContentCourse } from '../server/content.server.ts'
import {
  addCatalogueCourse,
  addCatalogueExam,
  courseTextsOf,
  questionsOf,
  saveOrigin,
  settingsOf,
  type ContentExam,
} from './catalogue-additions-commands.server.ts'
import {
  findOrigin,
  getCourseTexts,
  listExamsOfCatalogue,
  listOrigins,
  matchCourse,
  matchMissingExam,
  readShopExam,
  type CourseTexts,
  type Match,
  type Origin,
} from './catalogue-origins-queries.server.ts'
import {
  isEmptyPlan,
  isSheetName,
  planCourse,
  planExam,
  shareQuestions,
  stateOfDraft,
  addDelivered,
  type CatalogueExam,
  type DraftState,
  type ExamPlan,
  type Kept,
  type Moved,
} from './catalogue-update.ts'

export type UpdateMode = 'dry-run' | 'apply' | 'publish'

export type ExamUpdate = {
  readonly slug: string
  /**
   * `withdrawn`: no longer in the catalogue, it stays in the shop; `deleted`: an admin deleted it; `foreign`: an admin made
   * another.
   */
  readonly state: Match['kind'] | 'withdrawn'
  readonly settings: readonly string[]
  readonly added: readonly string[]
  readonly corrected: readonly { readonly id: string; readonly parts: readonly ChangedPart[] }[]
  /** Questions that say the same here, and were verified later in the catalogue. */
  readonly verified: readonly string[]
  /** The keys of case studies that are new or corrected. */
  readonly caseStudies: readonly string[]
  readonly kept: readonly Kept[]
  readonly withdrawn: readonly string[]
  readonly moved: readonly Moved[]
  /** What is in the draft afterwards. */
  readonly draft: DraftState
  readonly publishedVersion: number | null
  /** Why nothing was changed; null when nothing is wrong. */
  readonly problem: string | null
}

export type CourseUpdate = {
  readonly slug: string
  readonly title: string
  readonly state: Match['kind'] | 'withdrawn'
  readonly texts: readonly string[]
  readonly kept: readonly Kept[]
  readonly exams: readonly ExamUpdate[]
}

export type CatalogueUpdate = { readonly mode: UpdateMode; readonly courses: readonly CourseUpdate[] }

type Update = { readonly mode: UpdateMode; readonly clock: Clock }

/**
 * Brings a newer catalogue into the shop. A dry run only compares. `apply` changes drafts and adds new courses as drafts;
 * `publish` also publishes these drafts, adds new exams to existing courses, and changes course texts, which have no draft.
 * Each exam and each course has its own transaction, so that the next update continues an interrupted one.
 */
export async function updateCatalogue(
  db: Db,
  update: Update & { readonly catalogue: readonly ContentCourse[] },
): Promise<CatalogueUpdate> {
  const { mode, catalogue } = update
  const courses: CourseUpdate[] = []
  for (const course of catalogue) courses.push(await updateCourse(db, update, course))
  const slugs = new Set(catalogue.map(({ slug }) => slug))
  for (const { slug, shopId } of await listOrigins(db, 'course')) {
    const row = slugs.has(slug) ? undefined : await findCourse(db, shopId)
    if (row !== undefined) courses.push({ ...unchanged(slug, row.title), state: 'withdrawn' })
  }
  return { mode, courses }
}

const unchanged = (slug: string, title: string) => ({ slug, title, texts: [], kept: [], exams: [] })

function findCourse(db: Db, id: string) {
  return db.selectFrom('courses').where('id', '=', id).select('title').executeTakeFirst()
}

async function updateCourse(db: Db, update: Update, course: ContentCourse): Promise<CourseUpdate> {
  const { slug, title } = course
  const match = await matchCourse(db, slug)
  if (match.kind === 'new' && update.mode !== 'dry-run') await addNewCourse(db, update, course)
  if (match.kind === 'new')
    return {
      ...unchanged(slug, title),
      state: 'new',
      exams: course.exams.map((exam) => newExam(exam.slug, questionsOf(exam))),
    }
  if (match.kind !== 'there') return { ...unchanged(slug, title), state: match.kind }

  const courseId = match.shopId as CourseId
  const there = await listExamsOfCatalogue(db, courseId)
  const having = []
  for (const exam of there) {
    const { current, draft } = await readShopExam(db, exam)
    having.push({ ...exam, has: new Set((draft ?? current).questions.map(({ id }) => id)) })
  }
  const inCatalogue = course.exams.map((exam) => ({ slug: exam.slug, questions: questionsOf(exam) }))
  const shares = shareQuestions(inCatalogue, having)
  // Stored before the texts that show them. The same drawing always has the same address.
  if (update.mode !== 'dry-run') await storeDrawings(db, course.drawings, update.clock.now())
  const exams: ExamUpdate[] = []
  const texts = await updateTexts(db, update, { slug, courseId, texts: courseTextsOf(course) })
  for (const exam of course.exams) {
    const { questions = [], moved = [] } = shares.get(exam.slug) ?? {}
    const caseStudies = caseStudiesOf(exam.caseStudies ?? [], questions)
    const wanted = { settings: settingsOf(exam), questions, caseStudies }
    const origin = there.find((one) => one.slug === exam.slug)
    if (origin !== undefined) exams.push({ ...(await updateExam(db, update, { origin, wanted })), moved })
    else exams.push({ ...(await addMissingExam(db, update, { exam, course, courseId, questions })), moved })
  }
  for (const origin of there.filter(({ slug: one }) => course.exams.every((exam) => exam.slug !== one))) {
    const questions = shares.get(origin.slug)?.questions ?? []
    const withdrawn = await updateExam(db, update, { origin, wanted: { settings: null, questions, caseStudies: [] } })
    exams.push({ ...withdrawn, state: 'withdrawn' })
  }
  return { slug, title, state: 'there', ...texts, exams }
}

const nothing = {
  settings: [],
  added: [],
  corrected: [],
  verified: [],
  caseStudies: [],
  kept: [],
  withdrawn: [],
  moved: [],
  draft: 'none',
  publishedVersion: null,
  problem: null,
} as const

const newExam = (slug: string, questions: CatalogueExam['questions']): ExamUpdate => ({
  ...nothing,
  slug,
  state: 'new',
  added: questions.map(({ id }) => id),
})

/** A new course waits as a draft: putting it on sale, at its price, is for an admin. */
async function addNewCourse(db: Db, { clock }: Update, course: ContentCourse): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const table of ['courses', 'exams'])
      await sql`select pg_advisory_xact_lock(hashtextextended(${table}, 0))`.execute(tx)
    if ((await matchCourse(tx, course.slug)).kind !== 'new') return
    const now = clock.now()
    const id = await addCatalogueCourse(tx, course, { status: 'draft', now })
    const { title, slug, priceCents, exams } = course
    const after = { title, slug, priceCents, status: 'draft', exams: exams.length }
    await audit(tx, { at: now, actorId: null, action: 'course.insert', table: 'courses', id, before: null, after })
  })
}

/** Learners see an exam from its first version, so it is added when it is published. */
async function addMissingExam(
  db: Db,
  { mode, clock }: Update,
  add: {
    readonly exam: ContentExam
    readonly course: ContentCourse
    readonly courseId: CourseId
    readonly questions: CatalogueExam['questions']
  },
): Promise<ExamUpdate> {
  const { exam, course, courseId, questions } = add
  const state = await matchMissingExam(db, courseId, exam.slug)
  if (state !== 'new') return { ...nothing, slug: exam.slug, state }
  const wanted = newExam(exam.slug, questions)
  if (mode !== 'publish' || questions.length === 0) return wanted
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('exams', 0))`.execute(tx)
    const { category } = await tx
      .selectFrom('courses')
      .where('id', '=', courseId)
      .select('category')
      .forShare()
      .executeTakeFirstOrThrow()
    if ((await matchMissingExam(tx, courseId, exam.slug)) !== 'new') return { ...nothing, slug: exam.slug, state }
    const now = clock.now()
    const id = await addCatalogueExam(tx, { exam, courseId, category, questions, now })
    const after = { title: exam.title, course: course.slug, questions: questions.length }
    await audit(tx, { at: now, actorId: null, action: 'exam.insert', table: 'test_questions', id, before: null, after })
    return { ...wanted, publishedVersion: 1 }
  })
}

/** An exam that cannot take the update stays as it is, and the others go on. */
async function updateExam(db: Db, update: Update, about: ExamToUpdate): Promise<ExamUpdate> {
  return compareAndLayIn(db, update, about).catch((problem: unknown) => {
    if (problem instanceof Failure)
      return { ...nothing, slug: about.origin.slug, state: 'there', problem: problem.message }
    throw problem
  })
}

type ExamToUpdate = { readonly origin: Origin; readonly wanted: CatalogueExam }

async function compareAndLayIn(db: Db, update: Update, about: ExamToUpdate): Promise<ExamUpdate> {
  const { mode, clock } = update
  const { wanted } = about
  if (mode === 'dry-run') {
    const exam = await readShopExam(db, about.origin)
    return reportOf(about.origin.slug, planExam(exam, wanted), {
      draft: stateOfDraft(exam, wanted),
      publishedVersion: null,
    })
  }
  return db.transaction().execute(async (tx) => {
    await lockExam(tx, about.origin.shopId)
    // Another update may have delivered the same in the meantime.
    const origin = (await findOrigin(tx, 'exam', about.origin.slug)) ?? about.origin
    const plan = planExam(await readShopExam(tx, origin), wanted)
    const by = { actorId: null, now: clock.now() }
    if (!isEmptyPlan(plan)) await layIntoDraft(tx, { ...by, examId: origin.shopId, plan })
    await storeVerifications(tx, { ...by, familyId: origin.shopId, questions: plan.verified, isTextCompared: true })
    if (plan.delivered.length > 0)
      await saveOrigin(tx, {
        kind: 'exam',
        ...origin,
        delivered: addDelivered(origin.delivered, plan.delivered, by.now),
      })
    const exam = await readShopExam(tx, origin)
    const draft = stateOfDraft(exam, wanted)
    if (mode !== 'publish' || draft !== 'catalogue' || exam.draftVersion === null)
      return reportOf(origin.slug, plan, { draft, publishedVersion: null })
    const published = await publishDraftIn(tx, { ...by, examId: origin.shopId, version: exam.draftVersion })
    return reportOf(origin.slug, plan, { draft: 'none', publishedVersion: published.versionNumber })
  })
}

async function layIntoDraft(tx: Db, lay: { actorId: null; now: Date; examId: string; plan: ExamPlan }): Promise<void> {
  const { plan, ...by } = lay
  const { caseStudies } = plan
  const questions = [...plan.added, ...plan.corrected.map(({ question }) => question)]
  const stored = JSON.stringify(questions.map(toStored))
  if (questions.length + caseStudies.length > 0)
    await mergeIntoDraft(tx, { ...by, caseStudies, questions: sql<string>`${stored}::jsonb` })
  if (Object.keys(plan.settings).length === 0) return
  const version = (await findDraft(tx, by.examId))?.version
  await replaceDraft(tx, { ...by, settings: plan.settings, version })
}

function reportOf(slug: string, plan: ExamPlan, after: Pick<ExamUpdate, 'draft' | 'publishedVersion'>): ExamUpdate {
  const { settings, added, corrected, verified, caseStudies, kept, withdrawn } = plan
  return {
    slug,
    state: 'there',
    settings: Object.keys(settings),
    added: added.map(({ id }) => id),
    corrected: corrected.map(({ question, parts }) => ({ id: question.id, parts })),
    verified: verified.map(({ id }) => id),
    caseStudies: caseStudies.map(({ id }) => id),
    kept,
    withdrawn,
    moved: [],
    problem: null,
    ...after,
  }
}

async function updateTexts(
  db: Db,
  { mode, clock }: Update,
  course: { readonly slug: string; readonly courseId: CourseId; readonly texts: CourseTexts },
): Promise<Pick<CourseUpdate, 'texts' | 'kept'>> {
  const { slug, courseId, texts } = course
  const plan = async (tx: Db) => {
    const match = await matchCourse(tx, slug)
    const delivered = match.kind === 'there' ? match.delivered : {}
    return { ...planCourse(await getCourseTexts(tx, courseId), texts, delivered), before: delivered }
  }
  if (mode !== 'publish') {
    const { taken, kept } = await plan(db)
    return { texts: taken, kept }
  }
  return db.transaction().execute(async (tx) => {
    await sql`select 1 from courses where id = ${courseId} for update`.execute(tx)
    const { taken, kept, delivered, before } = await plan(tx)
    const now = clock.now()
    if (delivered.length > 0)
      await saveOrigin(tx, {
        kind: 'course',
        slug,
        shopId: courseId,
        delivered: addDelivered(before, delivered, now),
      })
    const fields = taken.filter((name) => !isSheetName(name))
    if (fields.length > 0) await changeTexts(tx, { courseId, texts, taken: fields, now })
    await storeSheets(tx, { courseId, texts, taken, now })
    return { texts: taken, kept }
  })
}

type TextChange = { courseId: CourseId; texts: CourseTexts; taken: readonly string[]; now: Date }

/** Study sheets have no draft either: learners see them at once. */
async function storeSheets(tx: Db, { courseId, texts, taken, now }: TextChange): Promise<void> {
  const sheets = taken.flatMap((name) => (isSheetName(name) ? (texts[name] ?? []) : []))
  if (sheets.length === 0) return
  for (const sheet of sheets) await storeStudySheet(tx, courseId, sheet, now)
  await audit(tx, {
    at: now,
    actorId: null,
    action: 'study-sheets.update',
    table: 'courses',
    id: courseId,
    before: null,
    after: { sheets: sheets.map(({ domain }) => domain) },
  })
}

async function changeTexts(tx: Db, change: TextChange): Promise<void> {
  const { courseId, texts, now } = change
  const { title, description, category, imageUrl, blueprint } = texts
  const columns = {
    title,
    description,
    category,
    image_url: imageUrl,
    blueprint: blueprint === null ? null : JSON.stringify(blueprint),
  }
  const taken = new Set(change.taken.map((name) => (name === 'imageUrl' ? 'image_url' : name)))
  const pick = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => taken.has(name)))
  const before = await tx
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select(['title', 'description', 'category', 'image_url', 'blueprint'])
    .executeTakeFirstOrThrow()
  const after: Partial<typeof columns> = pick(columns)
  await tx
    .updateTable('courses')
    .set({ ...after, updated_at: now })
    .where('id', '=', courseId)
    .execute()
  await audit(tx, {
    at: now,
    actorId: null,
    action: 'course.update',
    table: 'courses',
    id: courseId,
    before: pick(before),
    after,
  })
}
