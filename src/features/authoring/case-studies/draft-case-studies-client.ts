import { clientOf } from '../../../platform/api-client.ts'
import type { draftCaseStudiesApi } from './draft-case-studies-endpoints.server.ts'
import type { CaseStudyEdit } from './draft-case-studies.schema.ts'

const call = clientOf<typeof draftCaseStudiesApi>()

/** The caller chooses `id` once, so that sending twice adds one case study. */
export const addCaseStudy = (examId: string, caseStudy: CaseStudyEdit, id: string) =>
  call('POST', '/api/exams/:examId/draft/case-studies', { params: { examId }, body: { caseStudy, id } })
/** @throws CallFailed, with problems by the field of the form, or draft.changed-elsewhere with the stored case study */
export const changeCaseStudy = (examId: string, caseStudyId: string, caseStudy: CaseStudyEdit, version: number) =>
  call('PUT', '/api/exams/:examId/draft/case-studies/:caseStudyId', {
    params: { examId, caseStudyId },
    body: { caseStudy, version },
  })
/** @throws CallFailed case-study.used with the numbers of the questions that name it */
export const deleteCaseStudy = (examId: string, caseStudyId: string, version: number) =>
  call('DELETE', '/api/exams/:examId/draft/case-studies/:caseStudyId', {
    params: { examId, caseStudyId },
    body: { version },
  })
