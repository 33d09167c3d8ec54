import { useLoaderData, type MetaFunction } from 'react-router'
import { adminPaths } from '../../lib/admin-paths.ts'
import { Field } from '../../ui/field.tsx'
import { FilterForm } from '../../ui/filter-form.tsx'
import { EmptyState, Heading } from '../../ui/page-parts.tsx'
import { Paging } from '../../ui/pagination.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { withQuery } from '../../ui/query-string.ts'
import { AuditEntries } from './audit-entries.tsx'
import { actionText, copy, tableText } from '../../platform/audit-log/audit-log.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import type { auditLoader } from '../page-loaders.server.ts'

export { auditLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['audit.title'])

type AuditData = ReturnType<typeof useLoaderData<typeof auditLoader>>

/** The audit log: filters, then a page of entries. */
export default function AuditPage() {
  const { entries: lines, next, choices, search, isFirstPage } = useLoaderData<typeof auditLoader>()
  return (
    <>
      <Heading>{copy['audit.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['audit.about']}</p>
      <AuditFilterForm key={JSON.stringify(search)} choices={choices} search={search} />
      <Tabs
        label={copy['audit.kind']}
        chosen={search.kind}
        tabs={(['changes', 'all'] as const).map((kind) => ({
          id: kind,
          label: copy[`audit.kind.${kind}`],
          to: pageAt({ ...search, kind, after: null }),
        }))}
      />
      <section aria-labelledby="lines-heading" className="mt-8">
        <h2 id="lines-heading" className="text-xl font-semibold">
          {copy['audit.list']}
        </h2>
        <div className="mt-3">
          {lines.length === 0 ? (
            <EmptyState drawing="search" title={copy['audit.none.title']} hint={copy['audit.none']} />
          ) : (
            <AuditEntries lines={lines} />
          )}
        </div>
        <Paging
          back={isFirstPage ? null : { to: pageAt({ ...search, after: null }), label: copy['audit.newest'] }}
          on={next === null ? null : { to: pageAt({ ...search, after: next }), label: copy['audit.older'] }}
        />
      </section>
    </>
  )
}

/** Three fields in a row, two on a phone. */
const third = 'min-w-0 grow basis-40 tablet:basis-1/4'

function AuditFilterForm({ choices, search }: Pick<AuditData, 'choices' | 'search'>) {
  const { kind, ...filters } = search
  const isFiltered = Object.values(filters).some((value) => value !== null)
  return (
    <FilterForm
      action={copy['audit.find']}
      reset={isFiltered ? { to: adminPaths.audit, label: copy['audit.reset'] } : null}
    >
      <SelectField label={copy['audit.actor']} name="actor" defaultValue={search.actor ?? ''} className={third}>
        <option value="">{copy['audit.actor.all']}</option>
        <option value="shell">{copy['audit.actor.shell']}</option>
        {choices.actors.map(({ id, email }) => (
          <option key={id} value={id}>
            {email}
          </option>
        ))}
      </SelectField>
      <SelectField label={copy['audit.action']} name="action" defaultValue={search.action ?? ''} className={third}>
        <option value="">{copy['audit.action.all']}</option>
        {choices.actions.map((action) => (
          <option key={action} value={action}>
            {actionText[action] ?? action}
          </option>
        ))}
      </SelectField>
      <SelectField label={copy['audit.table']} name="table" defaultValue={search.table ?? ''} className={third}>
        <option value="">{copy['audit.table.all']}</option>
        {choices.tables.map((table) => (
          <option key={table} value={table}>
            {tableText[table] ?? table}
          </option>
        ))}
      </SelectField>
      <Field
        label={copy['audit.subject']}
        name="subject"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        defaultValue={search.subject ?? ''}
        className={third}
      />
      <Field label={copy['audit.from']} name="from" type="date" defaultValue={search.from ?? ''} className={third} />
      <Field label={copy['audit.to']} name="to" type="date" defaultValue={search.to ?? ''} className={third} />
      <input type="hidden" name="kind" value={kind} />
    </FilterForm>
  )
}

function pageAt(filter: Readonly<Record<string, string | null>>): string {
  return withQuery(adminPaths.audit, filter)
}
