import type { Db } from '../../../db/open.server.ts'
import { lockExams } from '../../catalogue/exam-locks-commands.server.ts'
import { storeCaseStudies } from '../case-studies/draft-case-studies-commands.server.ts'
import { judgeCaseStudyEdit, versionOfCaseStudy } from '../case-studies/draft-case-studies.ts'
import { copy as caseStudyCopy } from '../case-studies/draft-case-studies.copy.ts'
import { storeQuestion } from '../drafts/draft-questions-commands.server.ts'
import {
  auditExam,
  openDraft,
  requireDraftForUpdate,
  touchDraft,
  type AdminAction,
} from '../drafts/drafts-commands.server.ts'
import { findDraftQuestion, getCurrentExam, listDraftCaseStudies } from '../drafts/drafts-queries.server.ts'
import { judgeEdit } from '../drafts/drafts.ts'
import { acceptRestored } from './batch-commands.server.ts'
import { copy } from './batch.copy.ts'
import { replaceIn, replaceInCaseStudy, type Wording } from './batch.ts'
import type { ReplaceTargets, Replaced, UndoReplacing } from './batch.schema.ts'

type Replacement = AdminAction & Wording & ReplaceTargets & { readonly replaceWith: string }

/**
 * Replaces words in the given questions and case studies, in the drafts of their exams, which are begun if there are none. What would
 * become invalid stays as it is and is reported with the reason.
 * @throws Failure exam.not-found
 */
export async function replaceWords(db: Db, replace: Replacement): Promise<Replaced> {
  return db.transaction().execute(async (tx) => {
    const done: Replaced = { changed: [], refused: [], caseStudies: { changed: [], refused: [] } }
    const examIds = [...new Set([...replace.targets, ...replace.caseStudies].map(({ examId }) => examId))]
    const families: string[] = []
    for (const examId of examIds) families.push((await getCurrentExam(tx, examId)).familyId)
    await lockExams(tx, families)
    for (const examId of examIds.toSorted()) {
      const { familyId } = await getCurrentExam(tx, examId)
      await openDraft(tx, { ...replace, examId })
      await requireDraftForUpdate(tx, familyId)
      const questions = await replaceInQuestions(tx, { ...replace, examId, familyId }, done)
      const caseStudies = await replaceInCaseStudies(tx, { ...replace, examId, familyId }, done)
      if (questions + caseStudies === 0) continue
      await touchDraft(tx, familyId, replace)
      const { find, replaceWith } = replace
      const after = { replaceWith, questions, ...(caseStudies > 0 && { caseStudies }) }
      await auditExam(tx, replace, 'exam.draft.replace-words', familyId, { find }, after)
    }
    return done
  })
}

type InExam = Replacement & { readonly examId: string; readonly familyId: string }

/** Returns how many questions of the exam have changed. */
async function replaceInQuestions(tx: Db, replace: InExam, done: Replaced): Promise<number> {
  const { examId, familyId } = replace
  const before = done.changed.length
  for (const { questionId } of replace.targets.filter((target) => target.examId === examId)) {
    const stored = await findDraftQuestion(tx, { familyId, questionId })
    if (stored === null) {
      done.refused.push({ examId, questionId, sentence: copy['batch.unknown'] })
      continue
    }
    const edit = replaceIn(stored.question, replace, replace.replaceWith)
    const judged = judgeEdit(edit, { id: questionId, stored: stored.question })
    if (judged.verdict === 'refused') {
      done.refused.push({ examId, questionId, sentence: judged.problems[0]?.message ?? '' })
      continue
    }
    const version = await storeQuestion(tx, { ...replace, familyId, question: judged.question })
    done.changed.push({ examId: familyId, version, question: stored.question })
  }
  return done.changed.length - before
}

/** Returns how many case studies of the exam have changed. */
async function replaceInCaseStudies(tx: Db, replace: InExam, { caseStudies: done }: Replaced): Promise<number> {
  const { examId, familyId } = replace
  const ids = new Set(replace.caseStudies.flatMap((target) => (target.examId === examId ? [target.caseStudyId] : [])))
  if (ids.size === 0) return 0
  const stored = await listDraftCaseStudies(tx, familyId)
  const refuse = (caseStudyId: string, sentence: string) => done.refused.push({ examId, caseStudyId, sentence })
  for (const id of ids) if (stored.every((one) => one.id !== id)) refuse(id, caseStudyCopy['case-study.gone'])
  const before = done.changed.length
  const next = stored.map((caseStudy) => {
    if (!ids.has(caseStudy.id)) return caseStudy
    const judged = judgeCaseStudyEdit(replaceInCaseStudy(caseStudy, replace, replace.replaceWith), caseStudy.id)
    if (judged.verdict === 'refused') {
      refuse(caseStudy.id, judged.problems[0]?.message ?? '')
      return caseStudy
    }
    done.changed.push({ examId: familyId, version: versionOfCaseStudy(judged.caseStudy), caseStudy })
    return judged.caseStudy
  })
  const count = done.changed.length - before
  if (count > 0) await storeCaseStudies(tx, familyId, next)
  return count
}

type Undo = AdminAction & UndoReplacing

/**
 * Restores the former texts of questions and case studies that nobody has changed since.
 * @throws Failure exam.not-found, draft.none
 */
export async function undoReplacing(
  db: Db,
  undo: Undo,
): Promise<{ restored: number; restoredCaseStudies: number; kept: number }> {
  return db.transaction().execute(async (tx) => {
    const [total, restored] = [undo.changed.length + undo.caseStudies.length, { questions: 0, caseStudies: 0 }]
    const examIds = [...new Set([...undo.changed, ...undo.caseStudies].map(({ examId }) => examId))]
    for (const examId of examIds.toSorted()) {
      const { familyId } = await getCurrentExam(tx, examId)
      await requireDraftForUpdate(tx, familyId)
      const questions = await restoreQuestionTexts(tx, { ...undo, examId, familyId })
      const caseStudies = await restoreCaseStudies(tx, { ...undo, examId, familyId })
      if (questions + caseStudies === 0) continue
      restored.questions += questions
      restored.caseStudies += caseStudies
      await touchDraft(tx, familyId, undo)
      const after = { questions, ...(caseStudies > 0 && { caseStudies }) }
      await auditExam(tx, undo, 'exam.draft.undo-words', familyId, null, after)
    }
    const kept = total - restored.questions - restored.caseStudies
    return { restored: restored.questions, restoredCaseStudies: restored.caseStudies, kept }
  })
}

type UndoInExam = Undo & { readonly examId: string; readonly familyId: string }

async function restoreQuestionTexts(tx: Db, { familyId, examId, changed, ...undo }: UndoInExam): Promise<number> {
  let count = 0
  for (const { question, version } of changed.filter((one) => one.examId === examId)) {
    const stored = await findDraftQuestion(tx, { familyId, questionId: question.id })
    if (stored?.version !== version) continue
    await storeQuestion(tx, { ...undo, familyId, question: acceptRestored(question) })
    count += 1
  }
  return count
}

async function restoreCaseStudies(tx: Db, { familyId, examId, caseStudies }: UndoInExam): Promise<number> {
  const former = new Map(
    caseStudies.flatMap((one) => (one.examId === examId ? [[one.caseStudy.id, one] as const] : [])),
  )
  let count = 0
  const stored = former.size === 0 ? [] : await listDraftCaseStudies(tx, familyId)
  const next = stored.map((caseStudy) => {
    const before = former.get(caseStudy.id)
    if (before === undefined || before.version !== versionOfCaseStudy(caseStudy)) return caseStudy
    count += 1
    return before.caseStudy
  })
  if (count > 0) await storeCaseStudies(tx, familyId, next)
  return count
}
