import { toStored } from '../../questions/types/content-registry.ts'
import { QuestionKey } from '../../questions/types/question-base.schema.ts'
import type { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { judgeEdit } from '../../authoring/drafts/drafts.ts'
import { fail as failDraft } from '../../authoring/drafts/drafts.schema.ts'
import { matchWithBank } from '../dry-run/dry-run-commands.server.ts'
import { isOwnFormat } from '../imports/imports.ts'
import { fail, type CorrectedQuestion } from '../imports/imports.schema.ts'
import { auditImport, lockUntilCommit, storeInDraft, type ImportAction } from './import-parts-commands.server.ts'
import { storeImages } from './store-images-commands.server.ts'
import { getReadImportForUpdate } from './store-import-commands.server.ts'

/**
 * Corrects a question that was refused or needs review. When the import was stored in one exam, the question is stored there
 * too; otherwise it stays open and is stored with the rest.
 * @throws Failure import.missing, import.unread, import.question-missing, import.question-settled, draft.refused
 */
export async function correctQuestion(
  db: Db,
  correct: ImportAction & { place: number; edit: QuestionEdit },
): Promise<CorrectedQuestion> {
  return db.transaction().execute(async (tx) => {
    await lockUntilCommit(tx, 'imports')
    const { importId, place } = correct
    const { format, targetFamilyId } = await getReadImportForUpdate(tx, importId)
    const row = await tx
      .selectFrom('import_questions')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .select(['key', 'outcome', 'reasons'])
      .executeTakeFirst()
    if (row === undefined) throw fail('import.question-missing')
    if (row.outcome !== 'open') throw fail('import.question-settled')
    const { verdict, notes } = await storeCorrected(tx, correct, keyOfCorrected(row))
    await storeImages(tx, correct)
    await matchWithBank(tx, importId, isOwnFormat(format))
    await auditImport(tx, correct, 'import.mend', { place, verdict })
    const after = await tx
      .selectFrom('import_questions')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .select(['verdict', 'outcome'])
      .executeTakeFirstOrThrow()
    if (targetFamilyId === null || after.verdict === 'there') return { ...after, notes }
    await storeInDraft(tx, correct, targetFamilyId, [place])
    return { verdict: after.verdict, outcome: 'stored', notes }
  })
}

/** @throws Failure draft.refused */
async function storeCorrected(tx: Db, correct: ImportAction & { place: number; edit: QuestionEdit }, key: string) {
  const judged = judgeEdit(correct.edit, { id: key, stored: null })
  if (judged.verdict === 'refused') {
    const [first] = judged.problems
    const sentence = first === undefined ? {} : { sentence: first.message }
    throw failDraft('draft.refused', { fields: judged.problems, ...sentence })
  }
  const { question, notes } = judged
  const verdict = question.needsReview ? ('needs-review' as const) : ('good' as const)
  const stored = {
    question: JSON.stringify(toStored(question)),
    reasons: JSON.stringify(notes.map((note) => ({ ...note, sentence: undefined }))),
  }
  await tx
    .updateTable('import_questions')
    .set({ key, judged: verdict, verdict, ...stored })
    .where('import_id', '=', correct.importId)
    .where('place', '=', correct.place)
    .execute()
  return { verdict, notes: [...notes] }
}

/** A key that another question has, or that is malformed, is replaced: the corrected question is a new one. */
function keyOfCorrected(row: { key: string; reasons: unknown }): string {
  const codes = z.array(z.object({ code: z.string() })).parse(row.reasons)
  const isTaken = codes.some(({ code }) => code === 'key-taken' || code === 'repeated')
  return isTaken || !QuestionKey.safeParse(row.key).success ? `q-${randomUUID()}` : row.key
}

/** Leaves questions out for good: those at `places`, or all refused ones. Returns their count. */
export async function dismissQuestions(
  db: Db,
  dismiss: ImportAction & { places?: readonly number[] | undefined },
): Promise<number> {
  const { importId, places } = dismiss
  return db.transaction().execute(async (tx) => {
    await getReadImportForUpdate(tx, importId)
    let query = tx
      .updateTable('import_questions')
      .set({ outcome: 'dismissed' })
      .where('import_id', '=', importId)
      .where('outcome', '=', 'open')
    query = places === undefined ? query.where('verdict', '=', 'refused') : query.where('place', 'in', [-1, ...places])
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
    const count = Number(numUpdatedRows)
    await auditImport(tx, dismiss, 'import.dismiss', { questions: count })
    return count
  })
}
