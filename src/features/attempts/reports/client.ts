import { call } from '../../../platform/client.ts'
import type { ReportQuestion, SettleReport } from './schema.ts'

type Done = { readonly done: true }

/** @throws CallFailed, with a problem under `reason` or `words` */
export const reportQuestion = (attemptId: string, questionId: string, report: ReportQuestion) =>
  call<Done>('PUT', `/api/attempts/${attemptId}/reports/${encodeURIComponent(questionId)}`, report)

/** @throws CallFailed, with a problem under `outcome` or `note` */
export const settleReport = (reportId: string, settle: SettleReport) =>
  call<Done>('POST', `/api/reports/${reportId}/settle`, settle)
