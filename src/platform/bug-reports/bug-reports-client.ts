import { clientOf } from '../api-client.ts'
import type { bugReportsApi } from './bug-reports-endpoints.server.ts'
import type { BugReport } from './bug-reports.schema.ts'

const call = clientOf<typeof bugReportsApi>()

/** @throws CallFailed */
export const reportBug = (report: BugReport) => call('POST', '/api/bug-reports', { body: report })
