import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { getCurrentExam, getDraft } from '../drafts/drafts-queries.server.ts'
import { ExamPath, ExpectedVersion } from '../drafts/drafts.schema.ts'
import { addCaseStudy, changeCaseStudy, deleteCaseStudy } from './draft-case-studies-commands.server.ts'
import { getCaseStudyView, listCaseStudyViews } from './draft-case-studies-queries.server.ts'
import {
  AddCaseStudy,
  CaseStudyList,
  CaseStudyPath,
  CaseStudyView,
  ChangeCaseStudy,
} from './draft-case-studies.schema.ts'

/** Room for eight tabs of maximal length, with every character escaped. */
const CASE_STUDY_LIMIT_BYTES = 2 * 1024 * 1024

/** The case studies of an exam's draft. */
export function draftCaseStudiesApi() {
  return [...readingEndpoints(), ...writingEndpoints()]
}

function readingEndpoints() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft/case-studies',
      who: 'admin',
      about: 'Lists the case studies of the draft, with what keeps each from being published.',
      params: ExamPath,
      reply: CaseStudyList,
      async handle({ params }, { db }) {
        const { familyId } = await getCurrentExam(db, params.examId)
        await getDraft(db, familyId)
        return listCaseStudyViews(db, familyId)
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft/case-studies/:caseStudyId',
      who: 'admin',
      about: 'Returns a case study of the draft.',
      params: CaseStudyPath,
      reply: CaseStudyView,
      async handle({ params }, { db }) {
        const { familyId } = await getCurrentExam(db, params.examId)
        return getCaseStudyView(db, { ...params, familyId })
      },
    }),
  ]
}

function writingEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/case-studies',
      who: 'admin',
      about: 'Adds a case study to the draft under the given key. Idempotent by the key.',
      params: ExamPath,
      body: AddCaseStudy,
      bodyLimitBytes: CASE_STUDY_LIMIT_BYTES,
      reply: CaseStudyView,
      handle: ({ params, body }, context) =>
        addCaseStudy(context.db, { ...params, edit: body.caseStudy, id: body.id, ...actionBy(context) }),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/exams/:examId/draft/case-studies/:caseStudyId',
      who: 'admin',
      about: 'Changes a case study in the draft. With an outdated version it replies 409 with the stored one.',
      params: CaseStudyPath,
      body: ChangeCaseStudy,
      bodyLimitBytes: CASE_STUDY_LIMIT_BYTES,
      reply: CaseStudyView,
      handle: ({ params, body }, context) =>
        changeCaseStudy(context.db, { ...params, edit: body.caseStudy, version: body.version, ...actionBy(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/exams/:examId/draft/case-studies/:caseStudyId',
      who: 'admin',
      about:
        'Deletes a case study that no question names. With an outdated version it replies 409 with the stored one.',
      params: CaseStudyPath,
      body: ExpectedVersion,
      reply: Done,
      async handle({ params, body }, context) {
        await deleteCaseStudy(context.db, { ...params, ...body, ...actionBy(context) })
        return done
      },
    }),
  ]
}

/** One case study of the draft, or none for a new one. */
export const caseStudyLoader = pageLoader(async ({ context, params, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const path = ExamPath.safeParse(params)
  if (!path.success) throw failCatalogue('exam.not-found')
  const { db } = context
  const { familyId, settings, courseTitle } = await getCurrentExam(db, path.data.examId)
  // Throws without a draft.
  await getDraft(db, familyId)
  const { caseStudyId } = params
  const stored = caseStudyId === undefined ? null : await getCaseStudyView(db, { familyId, caseStudyId })
  return { examId: familyId, examTitle: settings.title, courseTitle, adminId, stored }
})
