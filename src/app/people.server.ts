import { holdersNow, listPeriodsOf } from '../features/access/read.server.ts'
import { findPersonRecord, listPeople } from '../features/accounts/people/read.server.ts'
import { fail, PeopleWanted, PersonPath } from '../features/accounts/people/schema.ts'
import { listAttempts } from '../features/attempts/history/read.server.ts'
import { listOrders } from '../features/checkout/read.server.ts'
import type { PersonId } from '../lib/ids.ts'
import { auditLook } from '../platform/audit.server.ts'
import { listAuditLines } from '../platform/audit-log/read.server.ts'
import { AuditWanted } from '../platform/audit-log/schema.ts'
import { pageLoader, requireAdminForPage } from '../platform/page-loader.server.ts'

const ORDERS_SHOWN = 50
const ATTEMPTS_SHOWN = 50
const LINES_SHOWN = 20

/** Everybody by the page; looking at them is written down. */
export const peopleLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const asked = Object.fromEntries(['search', 'only', 'after'].map((name) => [name, url.searchParams.get(name)]))
  const wanted = PeopleWanted.parse(asked)
  const { search, only } = wanted
  const among = only === 'with-access' ? holdersNow(context.clock.now()) : null
  const page = await listPeople(context.db, wanted, { among })
  const after = { search, only, people: page.people.length }
  await auditLook(context, { actorId: admin.id, action: 'people.list', table: 'profiles', after })
  return { ...page, search, only, isFirstPage: wanted.after === null }
})

/** One person with what every room knows of them that an admin works with. */
export const personLoader = pageLoader(async ({ context, params, url }) => {
  const admin = requireAdminForPage(context, url)
  const path = PersonPath.safeParse(params)
  const person = path.success ? await findPersonRecord(context.db, path.data.personId) : null
  if (person === null) throw fail('person.not-found')
  const personId = person.id as PersonId
  const [periods, orders, attempts, lines] = await Promise.all([
    listPeriodsOf(context.db, personId),
    listOrders(context.db, { personId, limit: ORDERS_SHOWN }),
    listAttempts(context.db, { personId, limit: ATTEMPTS_SHOWN }),
    listAuditLines(context.db, AuditWanted.parse({ subject: person.id }), LINES_SHOWN),
  ])
  await auditLook(context, { actorId: admin.id, action: 'person.read', table: 'profiles', id: person.id })
  const now = context.clock.now().toISOString()
  return { person, periods, orders, attempts, lines: lines.lines, isSelf: person.id === admin.id, now }
})
