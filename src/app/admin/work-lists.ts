import { paths } from '../../lib/paths.ts'
import type { WorkCounts } from './work-loaders.server.ts'

/** What waits for somebody, the most urgent first, and where it is worked through: on the dashboard as on the page of work. */
export const workLists = [
  ['orders', paths.adminOrders],
  ['jobs', `${paths.adminWork}#jobs`],
  ['reports', paths.adminReports],
  ['findings', `${paths.adminChecks}?severity=error`],
  ['imports', paths.adminImports],
  ['review', `${paths.adminWork}#review`],
  ['feedback', paths.adminFeedback],
] as const satisfies readonly (readonly [keyof WorkCounts, string])[]
