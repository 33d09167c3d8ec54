import { toStored } from '../../questions/types/content-registry.ts'
import type { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import { findDraftQuestion, getCurrentExam, listDraftCaseStudies } from './drafts-queries.server.ts'
import { changedParts, judgeEdit, MAX_QUESTIONS } from './drafts.ts'
import { copy } from './drafts.copy.ts'
import { publishVerification } from '../freshness/verification-commands.server.ts'
import { verificationProblems } from '../freshness/verification.ts'
import { fail, type DraftQuestionView, type SavedQuestion } from './drafts.schema.ts'
import {
  auditExam,
  nextVersion,
  requireDraftForUpdate,
  touchDraft,
  type AdminAction,
} from './drafts-commands.server.ts'

/** @throws Failure exam.not-found, draft.none, draft.refused (with its fields), draft.full, draft.changed-elsewhere */
export async function addQuestion(
  db: Db,
  add: AdminAction & { examId: string; edit: QuestionEdit; id?: string | undefined },
): Promise<SavedQuestion> {
  return db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, add.examId)
    await requireDraftForUpdate(tx, familyId)
    const id = add.id ?? `q-${randomUUID()}`
    const existing = await findDraftQuestion(tx, { familyId, questionId: id })
    if (existing !== null) return addAgain(tx, { ...add, familyId, existing })
    await touchDraft(tx, familyId, add)
    const { question, notes } = acceptEdit(add.edit, { id, stored: null, now: add.now })
    await refuseUnknownCaseStudy(tx, familyId, question, null)
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
    await auditExam(tx, add, 'exam.draft.question.add', familyId, null, toStored(question))
    return { question, version, notes: [...notes] }
  })
}

/**
 * A new question that exists already, because its first reply was lost. If the text has changed since, it is stored, unless
 * somebody else changed the question.
 */
async function addAgain(
  tx: Db,
  again: AdminAction & { familyId: string; edit: QuestionEdit; existing: DraftQuestionView },
): Promise<SavedQuestion> {
  const { existing, familyId, edit } = again
  const { question, notes } = acceptEdit(edit, { id: existing.question.id, stored: null, now: again.now })
  await refuseUnknownCaseStudy(tx, familyId, question, existing.question)
  const isVerifiedAnew =
    existing.question.verifiedOn !== question.verifiedOn || existing.question.guide !== question.guide
  if (!isVerifiedAnew && changedParts(existing.question, question).length === 0)
    return { question: existing.question, version: existing.version, notes: [] }
  const { updated_by: author } = await tx
    .selectFrom('exam_draft_questions')
    .where('family_id', '=', familyId)
    .where('question_id', '=', question.id)
    .select('updated_by')
    .executeTakeFirstOrThrow()
  if (author !== again.actorId) throw fail('draft.changed-elsewhere', { facts: { stored: existing } })
  await touchDraft(tx, familyId, again)
  const version = await storeQuestion(tx, { ...again, question })
  await auditExam(tx, again, 'exam.draft.question', familyId, toStored(existing.question), toStored(question))
  return { question, version, notes: [...notes] }
}

/**
 * Changes a question in the draft; its id and those of its options stay. An outdated version fails with the stored question.
 * @throws Failure exam.not-found, draft.none, draft.question-gone, draft.changed-elsewhere, draft.refused
 */
export async function changeQuestion(
  db: Db,
  change: AdminAction & { examId: string; questionId: string; edit: QuestionEdit; version: number },
): Promise<SavedQuestion> {
  return db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, change.examId)
    const before = await getQuestionForUpdate(tx, { ...change, familyId })
    const { question, notes } = acceptEdit(change.edit, { id: change.questionId, stored: before, now: change.now })
    await refuseUnknownCaseStudy(tx, familyId, question, before)
    const version = await storeQuestion(tx, { ...change, familyId, question })
    await publishVerification(tx, familyId)
    await auditExam(tx, change, 'exam.draft.question', familyId, toStored(before), toStored(question))
    return { question, version, notes: [...notes] }
  })
}

/** @throws Failure exam.not-found, draft.none, draft.question-gone, draft.changed-elsewhere */
export async function deleteQuestion(
  db: Db,
  remove: AdminAction & { examId: string; questionId: string; version: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { familyId } = await getCurrentExam(tx, remove.examId)
    const before = await getQuestionForUpdate(tx, { ...remove, familyId })
    await tx
      .deleteFrom('exam_draft_questions')
      .where('family_id', '=', familyId)
      .where('question_id', '=', remove.questionId)
      .execute()
    await auditExam(tx, remove, 'exam.draft.question.delete', familyId, toStored(before), null)
  })
}

/** The stored question, locked for this transaction. @throws Failure draft.none, draft.question-gone, draft.changed-elsewhere */
async function getQuestionForUpdate(
  tx: Db,
  of: AdminAction & { familyId: string; questionId: string; version: number },
) {
  await requireDraftForUpdate(tx, of.familyId)
  const stored = await findDraftQuestion(tx, of)
  if (stored === null) throw fail('draft.question-gone')
  if (stored.version !== of.version) throw fail('draft.changed-elsewhere', { facts: { stored } })
  await touchDraft(tx, of.familyId, of)
  return stored.question
}

function acceptEdit(edit: QuestionEdit, about: { id: string; stored: Question | null; now: Date }) {
  const judged = judgeEdit(edit, about)
  const problems = [...(judged.verdict === 'refused' ? judged.problems : []), ...verificationProblems(edit, about.now)]
  if (judged.verdict === 'accepted' && problems.length === 0) return judged
  const [first] = problems
  throw fail('draft.refused', {
    fields: problems,
    ...(first === undefined ? {} : { sentence: first.message }),
  })
}

/**
 * An edit chooses only case studies that the draft has. A question that names a lost one keeps it until another is chosen: publishing
 * refuses it.
 * @throws Failure draft.refused
 */
async function refuseUnknownCaseStudy(
  tx: Db,
  familyId: string,
  { caseStudy }: Question,
  stored: Question | null,
): Promise<void> {
  if (caseStudy === undefined || caseStudy === stored?.caseStudy) return
  if ((await listDraftCaseStudies(tx, familyId)).some(({ id }) => id === caseStudy)) return
  const sentence = copy['editor.case-study.unknown']
  throw fail('draft.refused', { fields: [{ field: 'caseStudy', message: sentence }], sentence })
}

export async function storeQuestion(
  tx: Db,
  store: AdminAction & { familyId: string; question: Question },
): Promise<number> {
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
