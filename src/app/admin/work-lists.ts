import { adminPaths } from '../../lib/admin-paths.ts'
import type { WorkCounts } from './work-loaders.server.ts'

/** Lists of waiting work, the most urgent first, with the page where each is worked through. */
export const workLists = [
  ['orders', adminPaths.orders],
  ['jobs', `${adminPaths.work}#jobs`],
  ['backups', `${adminPaths.work}#backups`],
  ['reports', adminPaths.reports],
  ['pledges', `${adminPaths.results}#pledges`],
  ['findings', `${adminPaths.checks}?severity=error`],
  ['imports', adminPaths.imports],
  ['review', `${adminPaths.work}#review`],
  ['feedback', adminPaths.feedback],
] as const satisfies readonly (readonly [keyof WorkCounts, string])[]
