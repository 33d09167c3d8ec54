import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import type { PersonId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit.server.ts'
import { toQuestion, toStored } from '../../questions/rules.ts'
import { StoredQuestion, type Question, type StoredJson } from '../../questions/schema.ts'
import {
  findDraft,
  findDraftQuestion,
  getChanges,
  getCurrentExam,
  getDraft,
  listDraftQuestions,
  type CurrentExam,
  type QuestionVersion,
} from './read.server.ts'
import { changedParts, isChanged, judgeEdit, MAX_QUESTIONS, withKey } from './rules.ts'
import {
  fail,
  type DraftQuestionView,
  type DraftView,
  type ExamSettings,
  type Published,
  type QuestionEdit,
  type SavedQuestion,
} from './schema.ts'

/** Null: somebody at the shell of the server. */
export type By = { readonly actorId: PersonId | null; readonly now: Date }

/**
 * The keys of an exam stand still until the transaction ends: whoever grades by them holds them, with as many others as like.
 * Taken before any attempt is locked, always, so that nobody waits in a circle.
 */
export async function holdKeys(tx: Db, familyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`exam:${familyId}`}, 0))`.execute(tx)
}

/** Nobody else grades by, mends or publishes the exam until the transaction ends; waits for those who are at it. */
export async function takeExam(tx: Db, familyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exam:${familyId}`}, 0))`.execute(tx)
}

/** As `takeExam`, by the id of any of its versions. */
export async function takeExamOf(tx: Db, examId: string): Promise<void> {
  const row = await tx.selectFrom('test_questions').where('id', '=', examId).select('family_id').executeTakeFirst()
  if (row !== undefined) await takeExam(tx, row.family_id)
}

/** Begins the one draft of an exam as a copy of its current version, or gives the one that is there. @throws Failure exam.not-found */
export async function beginDraft(db: Db, begin: By & { examId: string }): Promise<DraftView> {
  return db.transaction().execute((tx) => openDraft(tx, begin))
}

export async function openDraft(tx: Db, begin: By & { examId: string }): Promise<DraftView> {
  const { actorId, now } = begin
  const { familyId } = await getCurrentExam(tx, begin.examId)
  await takeExam(tx, familyId)
  const existing = await findDraft(tx, familyId)
  if (existing !== null) return existing
  const { id, settings, versionNumber } = await getCurrentExam(tx, familyId)
  await tx
    .insertInto('exam_drafts')
    .values({
      family_id: familyId,
      from_exam_id: id,
      ...toColumns(settings),
      created_at: now,
      updated_at: now,
      updated_by: actorId,
    })
    .execute()
  await sql`
    insert into exam_draft_questions (family_id, question_id, place, question, updated_at)
    select family_id, question ->> 'id', place, question, ${now}
    from test_questions cross join jsonb_array_elements(questions) with ordinality as one (question, place)
    where id = ${id}`.execute(tx)
  await note(tx, begin, 'exam.draft.begin', familyId, null, { fromVersion: versionNumber })
  return getDraft(tx, familyId)
}

/**
 * Puts settings and questions into the draft as a whole, begun when there is none. A draft that somebody else has changed is
 * replaced only by whoever names its version.
 * @throws Failure exam.not-found, draft.moved-on, draft.full
 */
export async function replaceDraft(
  tx: Db,
  replace: By & {
    examId: string
    settings: Partial<ExamSettings>
    questions?: readonly Question[]
    version?: number | undefined
  },
): Promise<DraftView> {
  const { familyId } = await getCurrentExam(tx, replace.examId)
  await openDraft(tx, replace)
  const draft = await takeDraft(tx, familyId)
  const { updated_by: author } = await tx
    .selectFrom('exam_drafts')
    .where('family_id', '=', familyId)
    .select('updated_by')
    .executeTakeFirstOrThrow()
  if (author !== replace.actorId && draft.version !== replace.version)
    throw fail('draft.moved-on', { facts: { stored: draft } })
  const settings = { ...draft.settings, ...replace.settings }
  await touchDraft(tx, familyId, replace)
  await tx
    .updateTable('exam_drafts')
    .set({ ...toColumns(settings), settings_version: nextVersion })
    .where('family_id', '=', familyId)
    .execute()
  const { questions } = replace
  if (questions !== undefined) {
    if (questions.length > MAX_QUESTIONS) throw fail('draft.full')
    const stored = JSON.stringify(questions.map(toStored))
    await tx.deleteFrom('exam_draft_questions').where('family_id', '=', familyId).execute()
    await sql`
      insert into exam_draft_questions (family_id, question_id, place, question, updated_at, updated_by)
      select ${familyId}, question ->> 'id', place, question, ${replace.now}, ${replace.actorId}
      from jsonb_array_elements(${stored}::jsonb) with ordinality as one (question, place)`.execute(tx)
  }
  await note(tx, replace, 'exam.draft.replace', familyId, draft.settings, {
    ...settings,
    ...(questions === undefined ? {} : { questions: questions.length }),
  })
  return getDraft(tx, familyId)
}

/**
 * Puts questions into the draft of an exam, begun when there is none: new ones at the end, and one whose key it has in its
 * place. Whoever has such a question open is told when they save.
 * @throws Failure exam.not-found, draft.full
 */
export async function putIntoDraft(
  tx: Db,
  put: By & { examId: string; questions: StoredJson },
): Promise<{ familyId: string; added: number; changed: number }> {
  const { familyId } = await getCurrentExam(tx, put.examId)
  await openDraft(tx, put)
  await takeDraft(tx, familyId)
  await touchDraft(tx, familyId, put)
  const { rows } = await sql<{ isNew: boolean }>`
    insert into exam_draft_questions as kept (family_id, question_id, place, question, updated_at, updated_by)
    select ${familyId}, question ->> 'id',
      place + (select coalesce(max(place), 0) from exam_draft_questions where family_id = ${familyId}),
      question, ${put.now}, ${put.actorId}
    from jsonb_array_elements(${put.questions}::jsonb) with ordinality as one (question, place)
    on conflict (family_id, question_id) do update
      set question = excluded.question, row_version = nextval('draft_versions'), updated_at = excluded.updated_at,
        updated_by = excluded.updated_by
      where kept.question is distinct from excluded.question
    returning xmax = 0 as "isNew"`.execute(tx)
  const { questionCount } = await getDraft(tx, familyId)
  if (questionCount > MAX_QUESTIONS) throw fail('draft.full')
  const added = rows.filter(({ isNew }) => isNew).length
  const counts = { added, changed: rows.length - added }
  await note(tx, put, 'exam.draft.put', familyId, null, counts)
  return { familyId, ...counts }
}

function toColumns(settings: ExamSettings) {
  return {
    test_name: settings.title,
    time_limit: settings.timeLimitMinutes,
    passing_score: settings.passingScore,
    scoring_policy: settings.scoringPolicy,
    is_free_trial: settings.isFreeTrial,
  }
}

export async function note(tx: Db, by: By, action: string, id: string, before: object | null, after: object | null) {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'test_questions', id, before, after })
}

const nextVersion = sql<number>`nextval('draft_versions')`

/** The draft, ours to change until the transaction ends. @throws Failure draft.none */
export async function takeDraft(tx: Db, familyId: string): Promise<DraftView> {
  const draft = await lockDraft(tx, familyId)
  if (draft === null) throw fail('draft.none')
  return draft
}

async function lockDraft(tx: Db, familyId: string): Promise<DraftView | null> {
  await tx.selectFrom('exam_drafts').where('family_id', '=', familyId).select('family_id').forUpdate().execute()
  return findDraft(tx, familyId)
}

/** Says that the draft has changed, by whom and when. */
export async function touchDraft(tx: Db, familyId: string, by: By): Promise<void> {
  await tx
    .updateTable('exam_drafts')
    .set({ row_version: nextVersion, updated_at: by.now, updated_by: by.actorId })
    .where('family_id', '=', familyId)
    .execute()
}

/**
 * Changes the settings in the draft. Who read others than are stored is told, with what is stored.
 * @throws Failure exam.not-found, draft.none, draft.changed-elsewhere
 */
export async function changeSettings(
  db: Db,
  change: By & { examId: string; settings: ExamSettings; version: number },
): Promise<DraftView> {
  return db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, change.examId)
    const before = await takeDraft(tx, familyId)
    if (before.settingsVersion !== change.version) throw fail('draft.changed-elsewhere', { facts: { stored: before } })
    await touchDraft(tx, familyId, change)
    await tx
      .updateTable('exam_drafts')
      .set({ ...toColumns(change.settings), settings_version: nextVersion })
      .where('family_id', '=', familyId)
      .execute()
    await note(tx, change, 'exam.draft.settings', familyId, before.settings, change.settings)
    return getDraft(tx, familyId)
  })
}

/**
 * A new question that is there already: its answer got lost on its way, and is given again. What was typed meanwhile changes it,
 * unless somebody else has.
 */
async function sendAgain(
  tx: Db,
  again: By & { familyId: string; edit: QuestionEdit; there: DraftQuestionView },
): Promise<SavedQuestion> {
  const { there, familyId, edit } = again
  const { question, notes } = takeEdit(edit, { id: there.question.id, stored: null })
  if (changedParts(there.question, question).length === 0)
    return { question: there.question, version: there.version, notes: [] }
  const { updated_by: author } = await tx
    .selectFrom('exam_draft_questions')
    .where('family_id', '=', familyId)
    .where('question_id', '=', question.id)
    .select('updated_by')
    .executeTakeFirstOrThrow()
  if (author !== again.actorId) throw fail('draft.changed-elsewhere', { facts: { stored: there } })
  await touchDraft(tx, familyId, again)
  const version = await storeQuestion(tx, { ...again, question })
  await note(tx, again, 'exam.draft.question', familyId, toStored(there.question), toStored(question))
  return { question, version, notes: [...notes] }
}

/** @throws Failure exam.not-found, draft.none, draft.refused (with its fields), draft.full, draft.changed-elsewhere */
export async function addQuestion(
  db: Db,
  add: By & { examId: string; edit: QuestionEdit; id?: string | undefined },
): Promise<SavedQuestion> {
  return db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, add.examId)
    await takeDraft(tx, familyId)
    const id = add.id ?? `q-${randomUUID()}`
    const there = await findDraftQuestion(tx, { familyId, questionId: id })
    if (there !== null) return sendAgain(tx, { ...add, familyId, there })
    await touchDraft(tx, familyId, add)
    const { question, notes } = takeEdit(add.edit, { id, stored: null })
    const { count, last } = await tx
      .selectFrom('exam_draft_questions')
      .where('family_id', '=', familyId)
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('place').as('last')])
      .executeTakeFirstOrThrow()
    if (count >= MAX_QUESTIONS) throw fail('draft.full')
    const stored = JSON.stringify(toStored(question))
    const { row_version: version } = await tx
      .insertInto('exam_draft_questions')
      .values({
        family_id: familyId,
        question_id: question.id,
        place: (last ?? 0) + 1,
        question: stored,
        updated_at: add.now,
        updated_by: add.actorId,
      })
      .returning('row_version')
      .executeTakeFirstOrThrow()
    await note(tx, add, 'exam.draft.question.add', familyId, null, toStored(question))
    return { question, version, notes: [...notes] }
  })
}

function takeEdit(edit: QuestionEdit, about: { id: string; stored: Question | null }) {
  const judged = judgeEdit(edit, about)
  if (judged.verdict === 'taken') return judged
  const [first] = judged.problems
  throw fail('draft.refused', {
    fields: judged.problems,
    ...(first === undefined ? {} : { sentence: first.message }),
  })
}

/** The question as it is stored, ours to change. @throws Failure draft.none, draft.question-gone, draft.changed-elsewhere */
async function takeQuestion(tx: Db, of: By & { familyId: string; questionId: string; version: number }) {
  await takeDraft(tx, of.familyId)
  const stored = await findDraftQuestion(tx, of)
  if (stored === null) throw fail('draft.question-gone')
  if (stored.version !== of.version) throw fail('draft.changed-elsewhere', { facts: { stored } })
  await touchDraft(tx, of.familyId, of)
  return stored.question
}

/**
 * Changes a question in the draft; its id and those of its answers stay. Who read another than is stored is told, with what is
 * stored.
 * @throws Failure exam.not-found, draft.none, draft.question-gone, draft.changed-elsewhere, draft.refused
 */
export async function changeQuestion(
  db: Db,
  change: By & { examId: string; questionId: string; edit: QuestionEdit; version: number },
): Promise<SavedQuestion> {
  return db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, change.examId)
    const before = await takeQuestion(tx, { ...change, familyId })
    const { question, notes } = takeEdit(change.edit, { id: change.questionId, stored: before })
    const version = await storeQuestion(tx, { ...change, familyId, question })
    await note(tx, change, 'exam.draft.question', familyId, toStored(before), toStored(question))
    return { question, version, notes: [...notes] }
  })
}

export async function storeQuestion(tx: Db, store: By & { familyId: string; question: Question }): Promise<number> {
  const { row_version: version } = await tx
    .updateTable('exam_draft_questions')
    .set({
      question: JSON.stringify(toStored(store.question)),
      row_version: nextVersion,
      updated_at: store.now,
      updated_by: store.actorId,
    })
    .where('family_id', '=', store.familyId)
    .where('question_id', '=', store.question.id)
    .returning('row_version')
    .executeTakeFirstOrThrow()
  return version
}

/** @throws Failure exam.not-found, draft.none, draft.question-gone, draft.changed-elsewhere */
export async function deleteQuestion(
  db: Db,
  remove: By & { examId: string; questionId: string; version: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, remove.examId)
    const before = await takeQuestion(tx, { ...remove, familyId })
    await tx
      .deleteFrom('exam_draft_questions')
      .where('family_id', '=', familyId)
      .where('question_id', '=', remove.questionId)
      .execute()
    await note(tx, remove, 'exam.draft.question.delete', familyId, toStored(before), null)
  })
}

/**
 * Takes the whole draft away, if it is still the one that was looked at. No draft: nothing to do.
 * @throws Failure exam.not-found, draft.moved-on
 */
export async function discardDraft(db: Db, discard: By & { examId: string; version: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const exam = await getCurrentExam(tx, discard.examId)
    await takeExam(tx, exam.familyId)
    const draft = await lockDraft(tx, exam.familyId)
    if (draft === null) return
    if (draft.version !== discard.version) throw fail('draft.moved-on', { facts: { stored: draft } })
    const { settings, added, removed, changed } = await getChanges(tx, exam)
    await tx.deleteFrom('exam_drafts').where('family_id', '=', exam.familyId).execute()
    const counts = { settings: settings.length, added: added.length, removed: removed.length, changed: changed.length }
    await note(tx, discard, 'exam.draft.discard', exam.familyId, { fromVersion: draft.fromVersion, ...counts }, null)
  })
}

/**
 * Makes the draft the version that new attempts get. Attempts that were begun keep theirs. Of several who publish at once the
 * first does; the others are told that there is no draft any more.
 * @throws Failure exam.not-found, draft.none, draft.moved-on, draft.no-questions, draft.no-changes
 */
export async function publishDraft(db: Db, publish: By & { examId: string; version: number }): Promise<Published> {
  return db.transaction().execute((tx) => publishDraftIn(tx, publish))
}

/** As `publishDraft`, in a transaction that does more. */
export async function publishDraftIn(tx: Db, publish: By & { examId: string; version: number }): Promise<Published> {
  const { familyId } = await getCurrentExam(tx, publish.examId)
  await takeExam(tx, familyId)
  const draft = await takeDraft(tx, familyId)
  if (draft.version !== publish.version) throw fail('draft.moved-on', { facts: { stored: draft } })
  if (draft.questionCount === 0) throw fail('draft.no-questions')
  const exam = await getCurrentExam(tx, familyId)
  const changes = await getChanges(tx, exam)
  if (!isChanged(changes)) throw fail('draft.no-changes')
  const published = await insertVersion(tx, exam, draft, publish.now)
  await tx.deleteFrom('exam_drafts').where('family_id', '=', familyId).execute()
  await note(
    tx,
    publish,
    'exam.publish',
    familyId,
    { versionNumber: exam.versionNumber, ...exam.settings },
    {
      versionNumber: published.versionNumber,
      ...draft.settings,
      added: changes.added.map(({ id }) => id),
      removed: changes.removed.map(({ id }) => id),
      changed: changes.changed.map(({ id }) => id),
    },
  )
  return published
}

async function insertVersion(tx: Db, exam: CurrentExam, draft: DraftView, now: Date): Promise<Published> {
  const { familyId } = exam
  const questions = await listDraftQuestions(tx, familyId)
  const { last } = await tx
    .selectFrom('test_questions')
    .where('family_id', '=', familyId)
    .select((eb) => eb.fn.max('version_number').as('last'))
    .executeTakeFirstOrThrow()
  const kept = await tx
    .updateTable('test_questions')
    .set({ is_current_version: false })
    .where('id', '=', exam.id)
    .returning(['course_id', 'slug', 'category', 'user_id', 'position'])
    .executeTakeFirstOrThrow()
  const versionNumber = last + 1
  const { id } = await tx
    .insertInto('test_questions')
    .values({
      ...kept,
      ...toColumns(draft.settings),
      questions: JSON.stringify(questions.map(toStored)),
      version_number: versionNumber,
      parent_exam_id: familyId,
      created_from_version: draft.fromVersion,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('courses').set({ updated_at: now }).where('id', '=', kept.course_id).execute()
  return { examId: id, versionNumber }
}

/**
 * Puts another key, and where one is given another explanation, to a question in every version that holds these answers and
 * asks for as many of them, and in the draft. The caller has taken the exam. Gives the versions with what stood there before.
 */
export async function mendKey(
  tx: Db,
  mend: By & { familyId: string; questionId: string; rightAnswerIds: readonly string[]; explanation: string | null },
): Promise<QuestionVersion[]> {
  const { familyId, questionId, explanation, now } = mend
  const mended = (question: Question) => {
    const next = withKey(question, mend.rightAnswerIds)
    return next === null ? null : { ...next, explanation: explanation ?? next.explanation }
  }
  const versions = await tx
    .selectFrom('test_questions')
    .where('family_id', '=', familyId)
    .orderBy('version_number')
    .select(['id', 'version_number', 'questions'])
    .execute()
  const done: QuestionVersion[] = []
  for (const row of versions) {
    const questions = z.array(StoredQuestion).parse(row.questions).map(toQuestion)
    const before = questions.find(({ id }) => id === questionId)
    const after = before === undefined ? null : mended(before)
    if (before === undefined || after === null) continue
    const all = questions.map((question) => (question.id === questionId ? after : question))
    await tx
      .updateTable('test_questions')
      .set({ questions: JSON.stringify(all.map(toStored)), updated_at: now })
      .where('id', '=', row.id)
      .execute()
    done.push({ examId: row.id, versionNumber: row.version_number, question: before })
  }
  await mendDraft(tx, mend, mended)
  return done
}

async function mendDraft(
  tx: Db,
  mend: By & { familyId: string; questionId: string },
  mended: (question: Question) => Question | null,
): Promise<void> {
  if ((await lockDraft(tx, mend.familyId)) === null) return
  const stored = await findDraftQuestion(tx, mend)
  const question = stored === null ? null : mended(stored.question)
  if (question === null) return
  await touchDraft(tx, mend.familyId, mend)
  await storeQuestion(tx, { ...mend, question })
}
