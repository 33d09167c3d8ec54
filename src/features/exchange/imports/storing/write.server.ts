import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../../db/open.server.ts'
import { Failure, fill } from '../../../../lib/failure.ts'
import type { CourseId, PersonId } from '../../../../lib/ids.ts'
import { examSlug } from '../../../../lib/slug.ts'
import { audit } from '../../../../platform/audit.server.ts'
import { getCurrentExam } from '../../../catalogue/drafts/read.server.ts'
import { judgeEdit, MAX_QUESTIONS } from '../../../catalogue/drafts/rules.ts'
import { fail as failDraft, type QuestionEdit } from '../../../catalogue/drafts/schema.ts'
import { putIntoDraft } from '../../../catalogue/drafts/write.server.ts'
import { keepPicture } from '../../../catalogue/pictures/write.server.ts'
import { fail as failCatalogue } from '../../../catalogue/schema.ts'
import { addCourse, addExam } from '../../../catalogue/write.server.ts'
import { PICTURE_SCHEME, picturesShownBy, withAddresses } from '../../../questions/formats/pictures.ts'
import { judgeQuestion, toStored } from '../../../questions/rules.ts'
import { QuestionKey, StoredQuestion } from '../../../questions/schema.ts'
import { copy } from '../copy.ts'
import { matchWithBank } from '../reading/write.server.ts'
import { isOwnFormat } from '../rules.ts'
import { fail, type Mended, ReadExam, type Stored, type Target } from '../schema.ts'
import { findFamilyBySlug, getStoredJson, listChangedByFamily, listPlacesByExam } from './read.server.ts'

/** Null: somebody at the shell of the server. */
type By = { readonly actorId: PersonId | null; readonly now: Date }
type Store = By & { readonly importId: string; readonly target: Target; readonly withReview: boolean }
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
    const taken = await takeImport(tx, importId)
    await keepPicturesOf(tx, store)
    await matchWithBank(tx, importId, isOwnFormat(taken.format))
    const stored = await putIn(tx, store, taken.exams)
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

async function takeImport(tx: Db, importId: string) {
  const row = await tx
    .selectFrom('imports')
    .where('id', '=', importId)
    .select(['state', 'format', 'exams', 'target_family_id'])
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw fail('import.missing')
  if (row.state !== 'read') throw fail('import.unread')
  return { format: row.format, exams: z.array(ReadExam).parse(row.exams), targetFamilyId: row.target_family_id }
}

function putIn(tx: Db, store: Store, exams: readonly ReadExam[]): Promise<Stored> {
  const { target } = store
  switch (target.kind) {
    case 'exam':
      return putIntoExam(tx, store, target.examId)
    case 'new-exam':
      return addExams(tx, store, { courseId: target.courseId as CourseId, exam: target.exam, exams })
    case 'new-course':
      return addWholeCourse(tx, store, target, exams)
    case 'own-places':
      return putWhereTheyBelong(tx, store, exams)
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
  for (const [familyId, places] of byFamily) stored.push(await putPlaces(tx, store, familyId, places))
  return total(stored, null)
}

async function putPlaces(tx: Db, by: By & { importId: string }, familyId: string, places: readonly number[]) {
  const { importId, actorId, now } = by
  const questions = await getStoredJson(tx, { importId, places })
  const { added, changed } = await putIntoDraft(tx, { examId: familyId, questions, actorId, now })
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
  const { importId, actorId, now } = store
  const course = await tx
    .selectFrom('courses')
    .where('id', '=', courseId)
    .select('category')
    .forShare()
    .executeTakeFirst()
  if (course === undefined) throw failCatalogue('course.not-found')
  const groups = await listPlacesByExam(tx, { importId, verdicts: verdictsOf(store) })
  let position = await lastPosition(tx, courseId)
  const stored: StoredExam[] = []
  for (const { examPlace, places } of groups) {
    const said = exams[examPlace - 1]?.facts ?? {}
    const facts = { ...exam, ...(groups.length > 1 ? said : {}) }
    const parts = inParts(places, MAX_QUESTIONS)
    for (const [index, part] of parts.entries()) {
      const title = parts.length === 1 ? facts.title : withNumber(facts.title, index + 1)
      position += 1
      const id = await addExam(tx, {
        courseId,
        title,
        slug: examSlug({ title, ...(said.slug === undefined ? {} : { slug: said.slug }) }, now),
        questions: await getStoredJson(tx, { importId, places: part }),
        passingScore: facts.passingScore,
        timeLimitMinutes: facts.timeLimitMinutes,
        isFreeTrial: said.isFreeTrial ?? false,
        position,
        category: course.category,
        now,
      })
      const after = { title, questions: part.length, import: importId }
      await audit(tx, { at: now, actorId, action: 'exam.insert', table: 'test_questions', id, before: null, after })
      await settlePlaces(tx, { importId, places: part, familyId: id })
      stored.push({ id, title, added: part.length, changed: 0 })
    }
  }
  return total(stored, courseId)
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
    set fate = 'stored', there_family_id = ${settled.familyId}, there_question_id = question ->> 'id'
    where import_id = ${settled.importId} and place = any(${settled.places}::int[])`.execute(tx)
}

function total(exams: StoredExam[], courseId: string | null): Stored {
  const sum = (name: 'added' | 'changed') => exams.reduce((so, exam) => so + exam[name], 0)
  return { added: sum('added'), changed: sum('changed'), exams, courseId }
}

/** Pictures that come with questions go into the store of pictures, and the texts show them by their address there. */
async function keepPicturesOf(tx: Db, store: By & { importId: string }): Promise<void> {
  const { rows } = await sql<{ place: number; question: unknown; lost: string[] }>`
    select place, question, lost from import_questions
    where import_id = ${store.importId} and fate = 'open' and strpos(question::text, ${`](${PICTURE_SCHEME}`}) > 0
    order by place`.execute(tx)
  const addresses = new Map<string, string>()
  for (const row of rows) {
    const stored = StoredQuestion.parse(row.question)
    const lost = [...row.lost]
    const texts = Object.values(stored).filter((text) => typeof text === 'string')
    for (const address of picturesShownBy(texts))
      if (address.startsWith(PICTURE_SCHEME) && !addresses.has(address))
        addresses.set(address, await keepOne(tx, store, address, lost))
    const shown = Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [
        name,
        typeof value === 'string' ? withAddresses(value, (address) => addresses.get(address)) : value,
      ]),
    )
    const { question } = judgeQuestion(shown)
    if (question === undefined) continue
    const needsReview = stored.needs_review || lost.length > row.lost.length
    await sql`
      update import_questions
      set question = ${JSON.stringify(toStored({ ...question, needsReview }))}::jsonb, lost = ${JSON.stringify(lost)}::jsonb
      where import_id = ${store.importId} and place = ${row.place}`.execute(tx)
  }
}

/** The address of a picture; of one that can't be kept, a name that leads nowhere. */
async function keepOne(tx: Db, store: By & { importId: string }, address: string, lost: string[]): Promise<string> {
  const hash = address.slice(PICTURE_SCHEME.length)
  const row = await tx
    .selectFrom('import_pictures')
    .where('import_id', '=', store.importId)
    .where('hash', '=', hash)
    .select('bytes')
    .executeTakeFirst()
  try {
    if (row !== undefined) {
      const { address: kept, isStill } = await keepPicture(tx, row.bytes, store)
      if (!isStill) lost.push(fill(copy['import.picture-moves'], { name: hash.slice(0, 8) }))
      return kept
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    lost.push(fill(copy['import.picture-left'], { name: hash.slice(0, 8), why: error.message }))
  }
  return `missing-${hash.slice(0, 8)}`
}

/**
 * Mends a question that was refused or is for review. When the import has gone into one exam, it goes there too; else it
 * waits for the others.
 * @throws Failure import.missing, import.unread, import.question-missing, import.question-settled, draft.refused
 */
export async function mendQuestion(
  db: Db,
  mend: By & { importId: string; place: number; edit: QuestionEdit },
): Promise<Mended> {
  return db.transaction().execute(async (tx) => {
    await lock(tx, 'imports')
    const { importId, place, edit } = mend
    const taken = await takeImport(tx, importId)
    const row = await tx
      .selectFrom('import_questions')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .select(['key', 'fate', 'reasons'])
      .executeTakeFirst()
    if (row === undefined) throw fail('import.question-missing')
    if (row.fate !== 'open') throw fail('import.question-settled')
    const id = keyOfMended(row)
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
    await keepPicturesOf(tx, mend)
    await matchWithBank(tx, importId, isOwnFormat(taken.format))
    await note(tx, mend, 'import.mend', importId, { place, verdict })
    const after = await tx
      .selectFrom('import_questions')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .select(['verdict', 'fate'])
      .executeTakeFirstOrThrow()
    if (taken.targetFamilyId === null || after.verdict === 'there') return { ...after, notes: [...notes] }
    await putPlaces(tx, mend, taken.targetFamilyId, [place])
    return { verdict: after.verdict, fate: 'stored', notes: [...notes] }
  })
}

/** A key that is taken or can't be one is given up: what is mended is a question of its own. */
function keyOfMended(row: { key: string; reasons: unknown }): string {
  const codes = z.array(z.object({ code: z.string() })).parse(row.reasons)
  const isTaken = codes.some(({ code }) => code === 'key-taken')
  return isTaken || !QuestionKey.safeParse(row.key).success ? `q-${randomUUID()}` : row.key
}

/** Says that questions shall not go in: the named ones, or all that are refused. Says how many. */
export async function dismissQuestions(
  db: Db,
  dismiss: By & { importId: string; places?: readonly number[] | undefined },
): Promise<number> {
  const { importId, places } = dismiss
  return db.transaction().execute(async (tx) => {
    await takeImport(tx, importId)
    let query = tx
      .updateTable('import_questions')
      .set({ fate: 'dismissed' })
      .where('import_id', '=', importId)
      .where('fate', '=', 'open')
    query = places === undefined ? query.where('verdict', '=', 'refused') : query.where('place', 'in', [-1, ...places])
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
    const count = Number(numUpdatedRows)
    await note(tx, dismiss, 'import.dismiss', importId, { questions: count })
    return count
  })
}

async function note(tx: Db, by: By, action: string, id: string, after: object) {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'imports', id, before: null, after })
}
