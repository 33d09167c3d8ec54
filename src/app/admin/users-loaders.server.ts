import { holdersNow, listPeriodsOf } from '../../features/access/access-queries.server.ts'
import { findUserRecord, listUsers } from '../../features/accounts/users/users-queries.server.ts'
import { fail, UserListFilter, UserPath } from '../../features/accounts/users/users.schema.ts'
import { listAttempts } from '../../features/attempts/review/attempt-history-queries.server.ts'
import { listOrders } from '../../features/checkout/orders-queries.server.ts'
import type { UserId } from '../../lib/ids.ts'
import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { listAuditEntries } from '../../platform/audit-log/audit-log-queries.server.ts'
import { AuditFilter } from '../../platform/audit-log/audit-log.schema.ts'
import { pageLoader, replicaPageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'

const ORDERS_SHOWN = 50
const ATTEMPTS_SHOWN = 50
const ENTRIES_SHOWN = 20

/** A page of users. Viewing it is an audit entry. */
export const usersLoader = replicaPageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const query = Object.fromEntries(['search', 'only', 'after'].map((name) => [name, url.searchParams.get(name)]))
  const filter = UserListFilter.parse(query)
  const { search, only } = filter
  const holders = only === 'with-access' ? holdersNow(context.clock.now()) : null
  const page = await listUsers(context.reads, filter, { among: holders })
  const after = { search, only, users: page.users.length }
  await auditView(context, { actorId: admin.id, action: 'people.list', table: 'profiles', after })
  return { ...page, search, only, isFirstPage: filter.after === null }
})

/** A user with their access periods, orders, attempts and audit entries. */
export const userLoader = pageLoader(async ({ context, params, url }) => {
  const admin = requireAdminForPage(context, url)
  const path = UserPath.safeParse(params)
  const user = path.success ? await findUserRecord(context.db, path.data.userId) : null
  if (user === null) throw fail('person.not-found')
  const userId = user.id as UserId
  const [periods, orders, attempts, lines] = await Promise.all([
    listPeriodsOf(context.db, userId),
    listOrders(context.db, { userId, limit: ORDERS_SHOWN }),
    listAttempts(context.db, { userId, limit: ATTEMPTS_SHOWN }),
    listAuditEntries(context.db, AuditFilter.parse({ subject: user.id }), ENTRIES_SHOWN),
  ])
  await auditView(context, { actorId: admin.id, action: 'person.read', table: 'profiles', id: user.id })
  const now = context.clock.now().toISOString()
  return { user, periods, orders, attempts, lines: lines.entries, isSelf: user.id === admin.id, now }
})
