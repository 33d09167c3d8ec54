import { auditLook } from '../../platform/audit-log/audit-log-commands.server.ts'
import { listAuditChoices, listAuditLines } from '../../platform/audit-log/audit-log-queries.server.ts'
import { AuditFilter } from '../../platform/audit-log/audit-log.schema.ts'
import { pageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'

const asked = ['actor', 'action', 'table', 'subject', 'from', 'to', 'kind', 'after'] as const

/** The audit log by the page; looking at it is written down too. */
export const auditLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const wanted = AuditFilter.parse(Object.fromEntries(asked.map((name) => [name, url.searchParams.get(name)])))
  const [page, choices] = await Promise.all([listAuditLines(context.db, wanted), listAuditChoices(context.db)])
  const { after, ...search } = wanted
  await auditLook(context, {
    actorId: admin.id,
    action: 'audit.list',
    table: 'audit_log',
    after: Object.fromEntries(Object.entries(search).filter(([, value]) => value !== null)),
  })
  return { ...page, choices, search, isFirstPage: after === null }
})
