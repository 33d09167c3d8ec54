import { actionBy, audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { requireAdmin } from '../../../platform/http/request-context.server.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { getExamCaseStudies } from '../../catalogue/catalogue-queries.server.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { getNewest, listRegrades, previewKey } from './regrade-queries.server.ts'
import { CorrectKey, fail, KeyCorrected, KeyPath, KeyPreview, PreviewKey, upgradeKeys } from './regrade.schema.ts'
import { regrade } from './regrade-commands.server.ts'

/** Room for an explanation of maximal length with every character escaped. */
const CORRECT_KEY_LIMIT_BYTES = 512 * 1024

/** Admins correct answer keys that were wrong. */
export function regradeApi(deps: { readonly mail: Mail; readonly brand: string }) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/questions/:questionId/key-preview',
      who: 'admin',
      about: 'Previews the effect of another answer key on existing results. Changes nothing, but adds an audit entry.',
      params: KeyPath,
      body: PreviewKey,
      upgradeBody: upgradeKeys,
      reply: KeyPreview,
      async handle({ params, body }, context) {
        const { db } = context
        const { familyId } = await getCurrentExam(db, params.examId)
        const preview = await previewKey(db, { ...body, familyId, questionId: params.questionId })
        await audit(db, {
          at: context.clock.now(),
          actorId: requireAdmin(context).id,
          action: 'exam.key.preview',
          table: 'test_questions',
          id: familyId,
          before: null,
          after: { questionId: params.questionId, key: body.answerKey, changedCount: preview.changedCount },
        })
        return preview
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/questions/:questionId/key',
      who: 'admin',
      about: 'Corrects an answer key in all versions and regrades the affected attempts. Idempotent by the id.',
      params: KeyPath,
      body: CorrectKey,
      upgradeBody: upgradeKeys,
      bodyLimitBytes: CORRECT_KEY_LIMIT_BYTES,
      reply: KeyCorrected,
      handle: ({ params, body }, context) =>
        regrade(context.db, { ...deps, appUrl: context.appUrl }, { ...params, ...body, ...actionBy(context) }),
    }),
  ]
}

/** A question with its answer key, and when it was corrected before. */
export const correctKeyLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const path = KeyPath.safeParse(params)
  if (!path.success) throw fail('key.no-question')
  const { db } = context
  const { familyId, settings, courseTitle } = await getCurrentExam(db, path.data.examId)
  const of = { familyId, questionId: path.data.questionId }
  const [{ newest, newestExamId }, past] = await Promise.all([getNewest(db, of), listRegrades(db, of)])
  const caseStudies = newest.caseStudy === undefined ? [] : await getExamCaseStudies(db, newestExamId)
  const caseStudy = caseStudies.find(({ id }) => id === newest.caseStudy) ?? null
  return { examId: familyId, examTitle: settings.title, courseTitle, question: newest, caseStudy, past }
})
