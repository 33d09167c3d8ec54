import { fromStored, toStored } from '../../questions/types/content-registry.ts'
import { withAnswerKey } from '../../questions/types/grading-registry.ts'
import type { AnswerKey } from '../../questions/types/question-edit.schema.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { judgeCaseStudies } from '../../questions/case-studies/case-studies.ts'
import { caseStudySentences } from '../../questions/case-studies/case-study.copy.ts'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { storeQuestion } from './draft-questions-commands.server.ts'
import {
  findDraftQuestion,
  getChanges,
  getCurrentExam,
  listDraftCaseStudies,
  listDraftQuestions,
  type CurrentExam,
  type QuestionVersion,
} from './drafts-queries.server.ts'
import { isChanged } from './drafts.ts'
import { fail, type DraftView, type Published } from './drafts.schema.ts'
import {
  lockDraft,
  auditExam,
  requireDraftForUpdate,
  toColumns,
  touchDraft,
  type AdminAction,
} from './drafts-commands.server.ts'
import { lockExam } from '../../catalogue/exam-locks-commands.server.ts'

/**
 * Makes the draft the version that new attempts get; running attempts keep theirs. Of simultaneous calls the first publishes,
 * and the others fail with draft.none.
 * @throws Failure exam.not-found, draft.none, draft.moved-on, draft.no-questions, draft.no-changes, draft.case-studies
 */
export async function publishDraft(
  db: Db,
  publish: AdminAction & { examId: string; version: number },
): Promise<Published> {
  return db.transaction().execute((tx) => publishDraftIn(tx, publish))
}

/** As `publishDraft`, inside the caller's transaction. */
export async function publishDraftIn(
  tx: Db,
  publish: AdminAction & { examId: string; version: number },
): Promise<Published> {
  const { familyId } = await getCurrentExam(tx, publish.examId)
  await lockExam(tx, familyId)
  const draft = await requireDraftForUpdate(tx, familyId)
  if (draft.version !== publish.version) throw fail('draft.moved-on', { facts: { stored: draft } })
  if (draft.questionCount === 0) throw fail('draft.no-questions')
  const exam = await getCurrentExam(tx, familyId)
  const changes = await getChanges(tx, exam)
  if (!isChanged(changes)) throw fail('draft.no-changes')
  await refuseUnfitCaseStudies(tx, familyId)
  const published = await insertVersion(tx, exam, draft, publish.now)
  await tx.deleteFrom('exam_drafts').where('family_id', '=', familyId).execute()
  await auditExam(
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
      caseStudies: changes.caseStudies,
    },
  )
  return published
}

/** @throws Failure draft.case-studies, with the first problem */
async function refuseUnfitCaseStudies(tx: Db, familyId: string): Promise<void> {
  const questions = await listDraftQuestions(tx, familyId)
  const [problem] = judgeCaseStudies(await listDraftCaseStudies(tx, familyId), questions)
  if (problem !== undefined)
    throw fail('draft.case-studies', { sentence: caseStudySentences[problem.code](problem.about) })
}

async function insertVersion(tx: Db, exam: CurrentExam, draft: DraftView, now: Date): Promise<Published> {
  const { familyId } = exam
  const questions = await listDraftQuestions(tx, familyId)
  const { last } = await tx
    .selectFrom('test_questions')
    .where('family_id', '=', familyId)
    .select((eb) => eb.fn.max('version_number').as('last'))
    .executeTakeFirstOrThrow()
  const former = await tx
    .updateTable('test_questions')
    .set({ is_current_version: false })
    .where('id', '=', exam.id)
    .returning(['course_id', 'slug', 'category', 'user_id', 'position'])
    .executeTakeFirstOrThrow()
  const versionNumber = last + 1
  const { id } = await tx
    .insertInto('test_questions')
    .values({
      ...former,
      ...toColumns(draft.settings),
      questions: JSON.stringify(questions.map(toStored)),
      case_studies: JSON.stringify(await listDraftCaseStudies(tx, familyId)),
      version_number: versionNumber,
      parent_exam_id: familyId,
      created_from_version: draft.fromVersion,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('courses').set({ updated_at: now }).where('id', '=', former.course_id).execute()
  return { examId: id, versionNumber }
}

/**
 * Corrects the answer key of a question, and the explanation if one is given, in the draft and in every version whose question
 * the key fits. The caller holds the lock of the exam. Returns the versions with the former question.
 */
export async function correctKey(
  tx: Db,
  correct: AdminAction & {
    familyId: string
    questionId: string
    answerKey: AnswerKey
    explanation: string | null
  },
): Promise<QuestionVersion[]> {
  const { familyId, questionId, explanation, now } = correct
  const corrected = (question: Question) => {
    const next = withAnswerKey(question, correct.answerKey)
    return next === null ? null : { ...next, explanation: explanation ?? next.explanation }
  }
  const versions = await tx
    .selectFrom('test_questions')
    .where('family_id', '=', familyId)
    .orderBy('version_number')
    .select(['id', 'version_number', 'questions'])
    .execute()
  const corrections: QuestionVersion[] = []
  for (const row of versions) {
    const questions = z.array(z.unknown()).parse(row.questions).map(fromStored)
    const before = questions.find(({ id }) => id === questionId)
    const after = before === undefined ? null : corrected(before)
    if (before === undefined || after === null) continue
    const all = questions.map((question) => (question.id === questionId ? after : question))
    await tx
      .updateTable('test_questions')
      .set({ questions: JSON.stringify(all.map(toStored)), updated_at: now })
      .where('id', '=', row.id)
      .execute()
    corrections.push({ examId: row.id, versionNumber: row.version_number, question: before })
  }
  await correctKeyInDraft(tx, correct, corrected)
  return corrections
}

async function correctKeyInDraft(
  tx: Db,
  correct: AdminAction & { familyId: string; questionId: string },
  corrected: (question: Question) => Question | null,
): Promise<void> {
  if ((await lockDraft(tx, correct.familyId)) === null) return
  const stored = await findDraftQuestion(tx, correct)
  const question = stored === null ? null : corrected(stored.question)
  if (question === null) return
  await touchDraft(tx, correct.familyId, correct)
  await storeQuestion(tx, { ...correct, question })
}
