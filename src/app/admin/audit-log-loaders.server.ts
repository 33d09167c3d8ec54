import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { listAuditChoices, listAuditEntries } from '../../platform/audit-log/audit-log-queries.server.ts'
import { AuditFilter } from '../../platform/audit-log/audit-log.schema.ts'
import { pageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'

const filterNames = ['actor', 'action', 'table', 'subject', 'from', 'to', 'kind', 'after'] as const

/** A page of the audit log. Viewing it is itself an audit entry. */
export const auditLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const filter = AuditFilter.parse(Object.fromEntries(filterNames.map((name) => [name, url.searchParams.get(name)])))
  const [page, choices] = await Promise.all([listAuditEntries(context.db, filter), listAuditChoices(context.db)])
  const { after, ...search } = filter
  await auditView(context, {
    actorId: admin.id,
    action: 'audit.list',
    table: 'audit_log',
    after: Object.fromEntries(Object.entries(search).filter(([, value]) => value !== null)),
  })
  return { ...page, choices, search, isFirstPage: after === null }
})
