import { paths } from '../../lib/paths.ts'
import type { WorkCounts } from './work-loaders.server.ts'

/** Lists of waiting work, the most urgent first, with the page where each is worked through. */
export const workLists = [
  ['orders', paths.adminOrders],
  ['jobs', `${paths.adminWork}#jobs`],
  ['reports', paths.adminReports],
  ['findings', `${paths.adminChecks}?severity=error`],
  ['imports', paths.adminImports],
  ['review', `${paths.adminWork}#review`],
  ['feedback', paths.adminFeedback],
] as const satisfies readonly (readonly [keyof WorkCounts, string])[]
