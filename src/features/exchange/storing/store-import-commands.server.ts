import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { cents } from '../../../lib/money.ts'
import { examSlug } from '../../../lib/slug.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { judgeEdit, MAX_QUESTIONS } from '../../authoring/drafts/drafts.ts'
import { fail as failDraft, type QuestionEdit } from '../../authoring/drafts/drafts.schema.ts'
import { putIntoDraft } from '../../authoring/drafts/drafts-commands.server.ts'
import type { Category } from '../../catalogue/catalogue.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { addCourse, addExam } from '../../catalogue/catalogue-commands.server.ts'
import { toStored } from '../../questions/questions.ts'
import { type ExamFacts, QuestionKey } from '../../questions/questions.schema.ts'
import { matchWithBank } from '../dry-run/dry-run-commands.server.ts'
import { isOwnFormat } from '../imports/imports.ts'
import {
  fail,
  type CorrectedQuestion,
  ReadCourse,
  ReadExam,
  type Stored,
  type Target,
} from '../imports/imports.schema.ts'
import { storeImagesOf } from './store-images-commands.server.ts'
import {
  findCourseBySlug,
  findFamilyBySlug,
  findFamilyInCourse,
  listChangedByFamily,
  listPlacesByExam,
  questionsAt,
} from './store-import-queries.server.ts'

/** Null: somebody at the shell of the server. */
type AdminAction = { readonly actorId: UserId | null; readonly now: Date }
type Store = AdminAction & { readonly importId: string; readonly target: Target; readonly withReview: boolean }
type StoredExam = Stored['exams'][number]

/**
 * Puts the questions of an import where the admin says: the good ones, and those for review when they are wanted. What the
 * bank has already stays out, so that storing twice, or importing a file twice, changes nothing.
 * @throws Failure import.missing, import.unread, import.nothing, course.not-found, exam.not-found, draft.full
 */
export async function storeImport(db: Db, store: Store): Promise<Stored> {
  return db.transaction().execute(async (tx) => {
    // Two that store the same file at once would not see each other's questions.
    await lock(tx, 'imports')
    const { importId } = store
    const taken = await selectImportForUpdate(tx, importId)
    await storeImagesOf(tx, store)
    await matchWithBank(tx, importId, isOwnFormat(taken.format))
    const stored = await putIn(tx, store, taken)
    if (stored.exams.length === 0) throw fail('import.nothing')
    await tx
      .updateTable('imports')
      .set({
        stored_at: store.now,
        updated_at: store.now,
        target_course_id: stored.courseId,
        target_family_id: stored.exams.length === 1 ? (stored.exams[0]?.id ?? null) : null,
      })
      .where('id', '=', importId)
      .execute()
    await note(tx, store, 'import.store', importId, {
      target: store.target.kind,
      added: stored.added,
      changed: stored.changed,
      exams: stored.exams.map(({ id }) => id),
    })
    return stored
  })
}

async function lock(tx: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

async function selectImportForUpdate(tx: Db, importId: string) {
  const row = await tx
    .selectFrom('imports')
    .where('id', '=', importId)
    .select(['state', 'format', 'courses', 'exams', 'target_family_id'])
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw fail('import.missing')
  if (row.state !== 'read') throw fail('import.unread')
  return {
    format: row.format,
    courses: z.array(ReadCourse).parse(row.courses),
    exams: z.array(ReadExam).parse(row.exams),
    targetFamilyId: row.target_family_id,
  }
}

/** What the file says besides its questions. */
type Read = { readonly courses: readonly ReadCourse[]; readonly exams: readonly ReadExam[] }

function putIn(tx: Db, store: Store, read: Read): Promise<Stored> {
  const { target } = store
  const { exams } = read
  switch (target.kind) {
    case 'exam':
      return putIntoExam(tx, store, target.examId)
    case 'new-exam':
      return addExams(tx, store, { courseId: target.courseId as CourseId, exam: target.exam, exams })
    case 'new-course':
      return addWholeCourse(tx, store, target, exams)
    case 'own-places':
      return putWhereTheyBelong(tx, store, exams)
    case 'own-courses':
      return putIntoOwnCourses(tx, store, target.status, read)
  }
}

const verdictsOf = ({ withReview }: Store) => (withReview ? ['good', 'needs-review'] : ['good'])

async function putIntoExam(tx: Db, store: Store, examId: string): Promise<Stored> {
  const { familyId, courseId } = await getCurrentExam(tx, examId)
  const news = await listPlacesByExam(tx, { importId: store.importId, verdicts: verdictsOf(store) })
  const changed = await listChangedByFamily(tx, store.importId)
  const places = [
    ...news.flatMap(({ places }) => places),
    ...changed.flatMap((one) => (one.familyId === familyId ? one.places : [])),
  ]
  return total(places.length === 0 ? [] : [await putPlaces(tx, store, familyId, places)], courseId)
}

/** Changed questions into the exams that hold them; new ones into the exam whose slug their file names. */
async function putWhereTheyBelong(tx: Db, store: Store, exams: readonly ReadExam[]): Promise<Stored> {
  const byFamily = new Map<string, number[]>()
  const add = (familyId: string, places: readonly number[]) =>
    byFamily.set(familyId, [...(byFamily.get(familyId) ?? []), ...places])
  for (const { familyId, places } of await listChangedByFamily(tx, store.importId)) add(familyId, places)
  const news = await listPlacesByExam(tx, { importId: store.importId, verdicts: verdictsOf(store) })
  for (const { examPlace, places } of news) {
    const slug = exams[examPlace - 1]?.facts.slug
    const familyId = slug === undefined ? null : await findFamilyBySlug(tx, slug)
    if (familyId !== null) add(familyId, places)
  }
  const stored: StoredExam[] = []
  // In the order in which a replacement of words takes them: who takes several exams never waits for another who does.
  for (const [familyId, places] of [...byFamily].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    stored.push(await putPlaces(tx, store, familyId, places))
  return total(stored, null)
}

/**
 * Each course that the file describes, with its exams; one that is there by its slug gets what it lacks. What a file puts into
 * no course waits for another target.
 */
async function putIntoOwnCourses(
  tx: Db,
  store: Store,
  status: 'draft' | 'published',
  { courses, exams }: Read,
): Promise<Stored> {
  await lock(tx, 'courses')
  await lock(tx, 'exams')
  const groups = await listPlacesByExam(tx, { importId: store.importId, verdicts: verdictsOf(store) })
  const stored: StoredExam[] = []
  const courseIds: string[] = []
  for (const course of courses) {
    const own = groups.flatMap(({ examPlace, places }) => {
      const exam = exams[examPlace - 1]
      return exam?.course === course.slug ? [{ said: exam.facts, places }] : []
    })
    if (own.length === 0) continue
    const known = await findCourseBySlug(tx, course.slug)
    const courseId = (known ?? (await addOwnCourse(tx, store, status, course))) as CourseId
    courseIds.push(courseId)
    for (const { said, places } of own) {
      const familyId = said.slug === undefined ? null : await findFamilyInCourse(tx, said.slug, courseId)
      if (familyId !== null) stored.push(await putPlaces(tx, store, familyId, places))
      else {
        const exam = { title: course.facts.title, timeLimitMinutes: 60, passingScore: 70, ...said }
        const position = said.order ?? (await lastPosition(tx, courseId)) + 1
        stored.push(
          ...(await addParts(tx, store, { courseId, exam, category: course.facts.category, position, places })),
        )
      }
    }
  }
  for (const { familyId, places } of await listChangedByFamily(tx, store.importId))
    stored.push(await putPlaces(tx, store, familyId, places))
  return total(stored, courseIds.length === 1 ? (courseIds[0] ?? null) : null)
}

async function addOwnCourse(
  tx: Db,
  { actorId, now }: AdminAction,
  status: 'draft' | 'published',
  { slug, facts }: ReadCourse,
): Promise<CourseId> {
  const { title, description, priceCents, category, blueprint, imageUrl } = facts
  const price = cents(priceCents)
  const course = { title, description, priceCents: price, category, blueprint, imageUrl, slug, status }
  const id = await addCourse(tx, { ...course, ownerId: actorId, now })
  await audit(tx, { at: now, actorId, action: 'course.insert', table: 'courses', id, before: null, after: course })
  return id
}

async function putPlaces(tx: Db, by: AdminAction & { importId: string }, familyId: string, places: readonly number[]) {
  const { importId, actorId, now } = by
  const { added, changed } = await putIntoDraft(tx, {
    examId: familyId,
    questions: questionsAt({ importId, places }),
    actorId,
    now,
  })
  await settlePlaces(tx, { importId, places, familyId })
  const { settings } = await getCurrentExam(tx, familyId)
  return { id: familyId, title: settings.title, added, changed }
}

async function addWholeCourse(
  tx: Db,
  store: Store,
  target: Extract<Target, { kind: 'new-course' }>,
  exams: readonly ReadExam[],
): Promise<Stored> {
  await lock(tx, 'courses')
  const { title, category, price, status } = target.course
  const { actorId, now } = store
  const courseId = await addCourse(tx, {
    title,
    description: '',
    priceCents: price,
    category,
    blueprint: null,
    ownerId: actorId,
    status,
    now,
  })
  const after = { title, category, price, status }
  await audit(tx, { at: now, actorId, action: 'course.insert', table: 'courses', id: courseId, before: null, after })
  return addExams(tx, store, { courseId, exam: target.exam, exams })
}

type NewExams = {
  readonly courseId: CourseId
  readonly exam: Extract<Target, { kind: 'new-exam' }>['exam']
  readonly exams: readonly ReadExam[]
}

/** One exam for each that the file names, or one for all; those that are too large in parts. */
async function addExams(tx: Db, store: Store, { courseId, exam, exams }: NewExams): Promise<Stored> {
  await lock(tx, 'exams')
  const { importId } = store
  const course = await tx
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select('category')
    .forShare()
    .executeTakeFirst()
  if (course === undefined) throw failCatalogue('course.not-found')
  const { category } = course
  const groups = await listPlacesByExam(tx, { importId, verdicts: verdictsOf(store) })
  let position = await lastPosition(tx, courseId)
  const stored: StoredExam[] = []
  for (const { examPlace, places } of groups) {
    const said = exams[examPlace - 1]?.facts ?? {}
    // One exam has what the form says; several have what the file says.
    const facts = groups.length > 1 ? { ...exam, ...said } : { ...said, ...exam }
    const added = await addParts(tx, store, { courseId, exam: facts, category, position: position + 1, places })
    position += added.length
    stored.push(...added)
  }
  return total(stored, courseId)
}

/** A new exam, or several where one can not hold all of its questions. */
async function addParts(
  tx: Db,
  { importId, actorId, now }: AdminAction & { importId: string },
  add: {
    courseId: CourseId
    exam: Partial<ExamFacts> & Pick<ExamFacts, 'title' | 'timeLimitMinutes' | 'passingScore'>
    category: Category | null
    position: number
    places: readonly number[]
  },
): Promise<StoredExam[]> {
  const { courseId, exam, category } = add
  const stored: StoredExam[] = []
  const parts = inParts(add.places, MAX_QUESTIONS)
  for (const [index, places] of parts.entries()) {
    const title = parts.length === 1 ? exam.title : withNumber(exam.title, index + 1)
    const id = await addExam(tx, {
      courseId,
      title,
      slug: examSlug({ title, ...(exam.slug === undefined ? {} : { slug: exam.slug }) }, now),
      questions: questionsAt({ importId, places }),
      passingScore: exam.passingScore,
      timeLimitMinutes: exam.timeLimitMinutes,
      isFreeTrial: exam.isFreeTrial ?? false,
      ...(exam.scoringPolicy === undefined ? {} : { scoringPolicy: exam.scoringPolicy }),
      position: add.position + index,
      category,
      now,
    })
    const after = { title, questions: places.length, import: importId }
    await audit(tx, { at: now, actorId, action: 'exam.insert', table: 'test_questions', id, before: null, after })
    await settlePlaces(tx, { importId, places, familyId: id })
    stored.push({ id, title, added: places.length, changed: 0 })
  }
  return stored
}

async function lastPosition(tx: Db, courseId: CourseId): Promise<number> {
  const { last } = await tx
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** Titles have at most 199 characters. */
function withNumber(title: string, number: number): string {
  return `${title.slice(0, 190)} (${number})`
}

async function settlePlaces(tx: Db, settled: { importId: string; places: readonly number[]; familyId: string }) {
  await sql`
    update import_questions
    set outcome = 'stored', there_family_id = ${settled.familyId}, there_question_id = question ->> 'id'
    where import_id = ${settled.importId} and place = any(${settled.places}::int[])`.execute(tx)
}

function total(exams: StoredExam[], courseId: string | null): Stored {
  const sum = (name: 'added' | 'changed') => exams.reduce((so, exam) => so + exam[name], 0)
  return { added: sum('added'), changed: sum('changed'), exams, courseId }
}

/**
 * Mends a question that was refused or is for review. When the import has gone into one exam, it goes there too; else it
 * waits for the others.
 * @throws Failure import.missing, import.unread, import.question-missing, import.question-settled, draft.refused
 */
export async function correctQuestion(
  db: Db,
  correct: AdminAction & { importId: string; place: number; edit: QuestionEdit },
): Promise<CorrectedQuestion> {
  return db.transaction().execute(async (tx) => {
    await lock(tx, 'imports')
    const { importId, place, edit } = correct
    const taken = await selectImportForUpdate(tx, importId)
    const row = await tx
      .selectFrom('import_questions')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .select(['key', 'outcome', 'reasons'])
      .executeTakeFirst()
    if (row === undefined) throw fail('import.question-missing')
    if (row.outcome !== 'open') throw fail('import.question-settled')
    const id = keyOfCorrected(row)
    const judged = judgeEdit(edit, { id, stored: null })
    if (judged.verdict === 'refused') {
      const [first] = judged.problems
      const sentence = first === undefined ? {} : { sentence: first.message }
      throw failDraft('draft.refused', { fields: judged.problems, ...sentence })
    }
    const { question, notes } = judged
    const verdict = question.needsReview ? ('needs-review' as const) : ('good' as const)
    await tx
      .updateTable('import_questions')
      .set({
        key: id,
        judged: verdict,
        verdict,
        question: JSON.stringify(toStored(question)),
        reasons: JSON.stringify(notes),
      })
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .execute()
    await storeImagesOf(tx, correct)
    await matchWithBank(tx, importId, isOwnFormat(taken.format))
    await note(tx, correct, 'import.mend', importId, { place, verdict })
    const after = await tx
      .selectFrom('import_questions')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .select(['verdict', 'outcome'])
      .executeTakeFirstOrThrow()
    if (taken.targetFamilyId === null || after.verdict === 'there') return { ...after, notes: [...notes] }
    await putPlaces(tx, correct, taken.targetFamilyId, [place])
    return { verdict: after.verdict, outcome: 'stored', notes: [...notes] }
  })
}

/** A key that is taken or can't be one is given up: what is mended is a question of its own. */
function keyOfCorrected(row: { key: string; reasons: unknown }): string {
  const codes = z.array(z.object({ code: z.string() })).parse(row.reasons)
  const isTaken = codes.some(({ code }) => code === 'key-taken')
  return isTaken || !QuestionKey.safeParse(row.key).success ? `q-${randomUUID()}` : row.key
}

/** Says that questions shall not go in: the named ones, or all that are refused. Says how many. */
export async function dismissQuestions(
  db: Db,
  dismiss: AdminAction & { importId: string; places?: readonly number[] | undefined },
): Promise<number> {
  const { importId, places } = dismiss
  return db.transaction().execute(async (tx) => {
    await selectImportForUpdate(tx, importId)
    let query = tx
      .updateTable('import_questions')
      .set({ outcome: 'dismissed' })
      .where('import_id', '=', importId)
      .where('outcome', '=', 'open')
    query = places === undefined ? query.where('verdict', '=', 'refused') : query.where('place', 'in', [-1, ...places])
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
    const count = Number(numUpdatedRows)
    await note(tx, dismiss, 'import.dismiss', importId, { questions: count })
    return count
  })
}

async function note(tx: Db, by: AdminAction, action: string, id: string, after: object) {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'imports', id, before: null, after })
}
