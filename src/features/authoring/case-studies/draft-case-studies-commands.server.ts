import { randomUUID } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { auditExam, requireDraftForUpdate, touchDraft, type AdminAction } from '../drafts/drafts-commands.server.ts'
import { getCurrentExam, listDraftCaseStudies } from '../drafts/drafts-queries.server.ts'
import { fail as failDraft } from '../drafts/drafts.schema.ts'
import { copy } from './draft-case-studies.copy.ts'
import { getCaseStudyView } from './draft-case-studies-queries.server.ts'
import { fail, MAX_CASE_STUDIES, type CaseStudyEdit, type CaseStudyView } from './draft-case-studies.schema.ts'
import { judgeCaseStudyEdit, versionOfCaseStudy } from './draft-case-studies.ts'

type Of = AdminAction & { readonly examId: string }

/**
 * Adds a case study to the draft; sent twice with one id, it is added once.
 * @throws Failure exam.not-found, draft.none, draft.changed-elsewhere, case-study.full, case-study.refused (with its fields)
 */
export async function addCaseStudy(
  db: Db,
  add: Of & { edit: CaseStudyEdit; id?: string | undefined },
): Promise<CaseStudyView> {
  return db.transaction().execute(async (tx) => {
    const { familyId, caseStudies } = await lockCaseStudies(tx, add)
    const id = add.id ?? `cs-${randomUUID()}`
    const caseStudy = accept(add.edit, id)
    const existing = caseStudies.find((one) => one.id === id)
    if (existing !== undefined) {
      const stored = await getCaseStudyView(tx, { familyId, caseStudyId: id })
      if (stored.version === versionOfCaseStudy(caseStudy)) return stored
      throw failDraft('draft.changed-elsewhere', { facts: { stored } })
    }
    if (caseStudies.length >= MAX_CASE_STUDIES) throw fail('case-study.full')
    await store(tx, familyId, [...caseStudies, caseStudy], add)
    await auditExam(tx, add, 'exam.draft.case-study.add', familyId, null, caseStudy)
    return getCaseStudyView(tx, { familyId, caseStudyId: id })
  })
}

/**
 * Changes a case study in the draft; its id stays, and those of its tabs. An outdated version fails with the stored one.
 * @throws Failure exam.not-found, draft.none, draft.changed-elsewhere, case-study.gone, case-study.refused (with its fields)
 */
export async function changeCaseStudy(
  db: Db,
  change: Of & { caseStudyId: string; edit: CaseStudyEdit; version: number },
): Promise<CaseStudyView> {
  return db.transaction().execute(async (tx) => {
    const { familyId, caseStudies, before } = await lockCaseStudy(tx, change)
    const after = accept(change.edit, change.caseStudyId)
    const next = caseStudies.map((one) => (one.id === after.id ? after : one))
    await store(tx, familyId, next, change)
    await auditExam(tx, change, 'exam.draft.case-study', familyId, before, after)
    return getCaseStudyView(tx, { ...change, familyId })
  })
}

/**
 * Deletes a case study that no question names from the draft.
 * @throws Failure exam.not-found, draft.none, draft.changed-elsewhere, case-study.gone, case-study.used
 */
export async function deleteCaseStudy(db: Db, remove: Of & { caseStudyId: string; version: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { familyId, caseStudies, before } = await lockCaseStudy(tx, remove)
    const { questionNumbers } = await getCaseStudyView(tx, { ...remove, familyId })
    if (questionNumbers.length > 0)
      throw fail('case-study.used', {
        sentence: fill(copy['case-study.used'], { numbers: questionNumbers.join(', ') }),
      })
    const next = caseStudies.filter(({ id }) => id !== remove.caseStudyId)
    await store(tx, familyId, next, remove)
    await auditExam(tx, remove, 'exam.draft.case-study.delete', familyId, before, null)
  })
}

/** The case studies of a draft, which is locked for this transaction. @throws Failure exam.not-found, draft.none */
async function lockCaseStudies(tx: Db, of: Of): Promise<{ familyId: string; caseStudies: CaseStudy[] }> {
  const { familyId } = await getCurrentExam(tx, of.examId)
  await requireDraftForUpdate(tx, familyId)
  return { familyId, caseStudies: await listDraftCaseStudies(tx, familyId) }
}

async function lockCaseStudy(tx: Db, of: Of & { caseStudyId: string; version: number }) {
  const { familyId, caseStudies } = await lockCaseStudies(tx, of)
  const before = caseStudies.find(({ id }) => id === of.caseStudyId)
  if (before === undefined) throw fail('case-study.gone')
  if (versionOfCaseStudy(before) !== of.version) {
    const stored = await getCaseStudyView(tx, { ...of, familyId })
    throw failDraft('draft.changed-elsewhere', { facts: { stored } })
  }
  return { familyId, caseStudies, before }
}

async function store(tx: Db, familyId: string, caseStudies: readonly CaseStudy[], by: AdminAction): Promise<void> {
  await touchDraft(tx, familyId, by)
  await storeCaseStudies(tx, familyId, caseStudies)
}

/** Replaces the case studies of a draft, which is locked and touched by the caller. */
export async function storeCaseStudies(tx: Db, familyId: string, caseStudies: readonly CaseStudy[]): Promise<void> {
  await tx
    .updateTable('exam_drafts')
    .set({ case_studies: JSON.stringify(caseStudies) })
    .where('family_id', '=', familyId)
    .execute()
}

function accept(edit: CaseStudyEdit, id: string): CaseStudy {
  const judged = judgeCaseStudyEdit(edit, id)
  if (judged.verdict === 'accepted') return judged.caseStudy
  const [first] = judged.problems
  throw fail('case-study.refused', {
    fields: judged.problems,
    ...(first === undefined ? {} : { sentence: first.message }),
  })
}
