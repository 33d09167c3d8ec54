import { toStored } from '../../questions/types/content-registry.ts'
import { contentTextOf } from '../../questions/types/parts/content-text.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { getExamCaseStudies } from '../../catalogue/catalogue-queries.server.ts'
import {
  findDraft,
  getChanges,
  getCurrentExam,
  getDraft,
  listDraftCaseStudies,
  listDraftQuestions,
} from './drafts-queries.server.ts'
import { publishVerification } from '../freshness/verification-commands.server.ts'
import { MAX_QUESTIONS } from './drafts.ts'
import { fail, type DraftView } from './drafts.schema.ts'
import { type ExamSettings } from '../../catalogue/exam-settings.schema.ts'
import { lockExam } from '../../catalogue/exam-locks-commands.server.ts'

/** `actorId` is null when the command line acts. */
export type AdminAction = { readonly actorId: UserId | null; readonly now: Date }

/** Begins the one draft of an exam as a copy of its current version, or returns the existing one. @throws Failure exam.not-found */
export async function beginDraft(db: Db, begin: AdminAction & { examId: string }): Promise<DraftView> {
  return db.transaction().execute((tx) => openDraft(tx, begin))
}

export async function openDraft(tx: Db, begin: AdminAction & { examId: string }): Promise<DraftView> {
  const { actorId, now } = begin
  const { familyId } = await getCurrentExam(tx, begin.examId)
  await lockExam(tx, familyId)
  const existing = await findDraft(tx, familyId)
  if (existing !== null) return existing
  const { id, settings, versionNumber } = await getCurrentExam(tx, familyId)
  await tx
    .insertInto('exam_drafts')
    .values({
      family_id: familyId,
      from_exam_id: id,
      case_studies: JSON.stringify(await getExamCaseStudies(tx, id)),
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
  await auditExam(tx, begin, 'exam.draft.begin', familyId, null, { fromVersion: versionNumber })
  return getDraft(tx, familyId)
}

/**
 * Replaces the settings, and the questions if given, of the draft, which is begun if there is none. A draft that somebody else
 * changed is replaced only with its version.
 * @throws Failure exam.not-found, draft.moved-on, draft.full
 */
export async function replaceDraft(
  tx: Db,
  replace: AdminAction & {
    examId: string
    settings: Partial<ExamSettings>
    questions?: readonly Question[]
    version?: number | undefined
  },
): Promise<DraftView> {
  const { familyId } = await getCurrentExam(tx, replace.examId)
  await openDraft(tx, replace)
  const draft = await requireDraftForUpdate(tx, familyId)
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
    const former = JSON.stringify((await listDraftQuestions(tx, familyId)).map(toStored))
    await tx.deleteFrom('exam_draft_questions').where('family_id', '=', familyId).execute()
    await sql`
      insert into exam_draft_questions (family_id, question_id, place, question, updated_at, updated_by)
      select ${familyId}, question ->> 'id', place, with_verification(question, old), ${replace.now}, ${replace.actorId}
      from jsonb_array_elements(${stored}::jsonb) with ordinality as one (question, place)
      left join jsonb_array_elements(${former}::jsonb) as old on old ->> 'id' = question ->> 'id'`.execute(tx)
    await publishVerification(tx, familyId)
  }
  await auditExam(tx, replace, 'exam.draft.replace', familyId, draft.settings, {
    ...settings,
    ...(questions === undefined ? {} : { questions: questions.length }),
  })
  return getDraft(tx, familyId)
}

/**
 * Stores questions in the draft of an exam, which is begun if there is none. New ones go to the end; a question whose key exists
 * is replaced in its place, and an editor who has it open gets a conflict on saving.
 * @throws Failure exam.not-found, draft.full
 */
export async function mergeIntoDraft(
  tx: Db,
  store: AdminAction & { examId: string; questions: RawBuilder<string>; caseStudies?: readonly CaseStudy[] },
): Promise<{ familyId: string; added: number; changed: number }> {
  const { familyId } = await getCurrentExam(tx, store.examId)
  await openDraft(tx, store)
  await requireDraftForUpdate(tx, familyId)
  await touchDraft(tx, familyId, store)
  const { rows } = await sql<{ isNew: boolean }>`
    insert into exam_draft_questions as stored (family_id, question_id, place, question, updated_at, updated_by)
    select ${familyId}, question ->> 'id',
      place + (select coalesce(max(place), 0) from exam_draft_questions where family_id = ${familyId}),
      question, ${store.now}, ${store.actorId}
    from jsonb_array_elements(${store.questions}) with ordinality as one (question, place)
    on conflict (family_id, question_id) do update
      set question = with_verification(excluded.question, stored.question), row_version = nextval('draft_versions'),
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
      where stored.question is distinct from with_verification(excluded.question, stored.question)
    returning xmax = 0 as "isNew"`.execute(tx)
  await mergeCaseStudies(tx, familyId, store.caseStudies ?? [], store)
  await publishVerification(tx, familyId)
  const { questionCount } = await getDraft(tx, familyId)
  if (questionCount > MAX_QUESTIONS) throw fail('draft.full')
  const added = rows.filter(({ isNew }) => isNew).length
  const counts = { added, changed: rows.length - added }
  await auditExam(tx, store, 'exam.draft.put', familyId, null, counts)
  return { familyId, ...counts }
}

/** Adds case studies to a draft; one whose key exists is replaced. */
async function mergeCaseStudies(
  tx: Db,
  familyId: string,
  arriving: readonly CaseStudy[],
  by: AdminAction,
): Promise<void> {
  if (arriving.length === 0) return
  const stored = await listDraftCaseStudies(tx, familyId)
  const merged = new Map([...stored, ...arriving].map((one) => [one.id, one]))
  await tx
    .updateTable('exam_drafts')
    .set({ case_studies: JSON.stringify([...merged.values()]) })
    .where('family_id', '=', familyId)
    .execute()
  for (const after of arriving) {
    const before = stored.find(({ id }) => id === after.id) ?? null
    if (before !== null && contentTextOf(before) === contentTextOf(after)) continue
    const action = before === null ? 'exam.draft.case-study.add' : 'exam.draft.case-study'
    await auditExam(tx, by, action, familyId, before, after)
  }
}

/**
 * Changes the settings in the draft. An outdated version fails with the stored settings.
 * @throws Failure exam.not-found, draft.none, draft.changed-elsewhere
 */
export async function changeSettings(
  db: Db,
  change: AdminAction & { examId: string; settings: ExamSettings; version: number },
): Promise<DraftView> {
  return db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, change.examId)
    const before = await requireDraftForUpdate(tx, familyId)
    if (before.settingsVersion !== change.version) throw fail('draft.changed-elsewhere', { facts: { stored: before } })
    await touchDraft(tx, familyId, change)
    await tx
      .updateTable('exam_drafts')
      .set({ ...toColumns(change.settings), settings_version: nextVersion })
      .where('family_id', '=', familyId)
      .execute()
    await auditExam(tx, change, 'exam.draft.settings', familyId, before.settings, change.settings)
    return getDraft(tx, familyId)
  })
}

/**
 * Discards the draft if it still has the given version. Without a draft it does nothing.
 * @throws Failure exam.not-found, draft.moved-on
 */
export async function discardDraft(db: Db, discard: AdminAction & { examId: string; version: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const exam = await getCurrentExam(tx, discard.examId)
    await lockExam(tx, exam.familyId)
    const draft = await lockDraft(tx, exam.familyId)
    if (draft === null) return
    if (draft.version !== discard.version) throw fail('draft.moved-on', { facts: { stored: draft } })
    const { settings, added, removed, changed } = await getChanges(tx, exam)
    await tx.deleteFrom('exam_drafts').where('family_id', '=', exam.familyId).execute()
    const counts = { settings: settings.length, added: added.length, removed: removed.length, changed: changed.length }
    await auditExam(
      tx,
      discard,
      'exam.draft.discard',
      exam.familyId,
      { fromVersion: draft.fromVersion, ...counts },
      null,
    )
  })
}

/** The draft, locked until the transaction ends. @throws Failure draft.none */
export async function requireDraftForUpdate(tx: Db, familyId: string): Promise<DraftView> {
  const draft = await lockDraft(tx, familyId)
  if (draft === null) throw fail('draft.none')
  return draft
}

export async function lockDraft(tx: Db, familyId: string): Promise<DraftView | null> {
  await tx.selectFrom('exam_drafts').where('family_id', '=', familyId).select('family_id').forUpdate().execute()
  return findDraft(tx, familyId)
}

/** Increments the version of the draft and notes its editor. */
export async function touchDraft(tx: Db, familyId: string, by: AdminAction): Promise<void> {
  await tx
    .updateTable('exam_drafts')
    .set({ row_version: nextVersion, updated_at: by.now, updated_by: by.actorId })
    .where('family_id', '=', familyId)
    .execute()
}

export const nextVersion = sql<number>`nextval('draft_versions')`

export function toColumns(settings: ExamSettings) {
  return {
    test_name: settings.title,
    time_limit: settings.timeLimitMinutes,
    passing_score: settings.passingScore,
    scoring_policy: settings.scoringPolicy,
    is_free_trial: settings.isFreeTrial,
  }
}

export async function auditExam(
  tx: Db,
  by: AdminAction,
  action: string,
  id: string,
  before: object | null,
  after: object | null,
) {
  await audit(tx, { at: by.now, actorId: by.actorId, action, table: 'test_questions', id, before, after })
}
