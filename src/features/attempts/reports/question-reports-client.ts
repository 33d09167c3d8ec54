import { clientOf } from '../../../platform/api-client.ts'
import type { reportsApi } from './question-reports-endpoints.server.ts'
import type { ReportQuestion, SettleReport } from './question-reports.schema.ts'

const call = clientOf<typeof reportsApi>()

/** @throws CallFailed, with a problem under `reason` or `words` */
export const reportQuestion = (attemptId: string, questionId: string, report: ReportQuestion) =>
  call('PUT', '/api/attempts/:attemptId/reports/:questionId', { params: { attemptId, questionId }, body: report })

/** @throws CallFailed, with a problem under `outcome` or `note` */
export const settleReport = (reportId: string, settle: SettleReport) =>
  call('POST', '/api/reports/:reportId/settle', { params: { reportId }, body: settle })
