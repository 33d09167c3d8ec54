import { clientOf } from '../client.ts'
import type { bugReportsApi } from './api.server.ts'
import type { BugReport } from './schema.ts'

const call = clientOf<typeof bugReportsApi>()

/** @throws CallFailed */
export const reportBug = (report: BugReport) => call('POST', '/api/bug-reports', { body: report })
