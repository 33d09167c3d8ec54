import { clientOf } from '../../../platform/client.ts'
import type { reportsApi } from './api.server.ts'
import type { ReportQuestion, SettleReport } from './schema.ts'

const call = clientOf<typeof reportsApi>()

/** @throws CallFailed, with a problem under `reason` or `words` */
export const reportQuestion = (attemptId: string, questionId: string, report: ReportQuestion) =>
  call('PUT', '/api/attempts/:attemptId/reports/:questionId', { params: { attemptId, questionId }, body: report })

/** @throws CallFailed, with a problem under `outcome` or `note` */
export const settleReport = (reportId: string, settle: SettleReport) =>
  call('POST', '/api/reports/:reportId/settle', { params: { reportId }, body: settle })
