import type { Db } from '../../../db/open.server.ts'
import { listDraftCaseStudies, listDraftQuestions } from '../drafts/drafts-queries.server.ts'
import { viewCaseStudies } from './draft-case-studies.ts'
import { fail, type CaseStudyList, type CaseStudyView } from './draft-case-studies.schema.ts'

/** The case studies of a draft. */
export async function listCaseStudyViews(db: Db, familyId: string): Promise<CaseStudyList> {
  const [caseStudies, questions] = await Promise.all([
    listDraftCaseStudies(db, familyId),
    listDraftQuestions(db, familyId),
  ])
  return viewCaseStudies(caseStudies, questions)
}

/** @throws Failure case-study.gone */
export async function getCaseStudyView(db: Db, of: { familyId: string; caseStudyId: string }): Promise<CaseStudyView> {
  const { caseStudies } = await listCaseStudyViews(db, of.familyId)
  const found = caseStudies.find(({ caseStudy }) => caseStudy.id === of.caseStudyId)
  if (found === undefined) throw fail('case-study.gone')
  return found
}
