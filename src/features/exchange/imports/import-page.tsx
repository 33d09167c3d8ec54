import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { Cell, ListRow, ListTable } from '../../../ui/list-table.tsx'
import { EmptyState, Heading } from '../../../ui/page-parts.tsx'
import { Paging } from '../../../ui/pagination.tsx'
import type { importsLoader } from './imports-endpoints.server.ts'
import { copy, formatNames } from './imports.copy.ts'
import { sizeText } from './imports.ts'
import type { ImportLine } from './imports.schema.ts'
import { UploadForm } from './ui/upload-form.tsx'
import { counted } from '../../../lib/text.ts'

export { importsLoader as loader } from './imports-endpoints.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['import.title-of-page'] },
  { name: 'robots', content: 'noindex' },
]

/** Uploads questions, and lists earlier imports. */
export default function ImportPage() {
  const { imports, hasMore, page } = useLoaderData<typeof importsLoader>()
  return (
    <>
      <Heading>{copy['import.title-of-page']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['import.about']}</p>
      <div className="mt-6 grid gap-x-12 gap-y-10 desktop:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <UploadForm />
        <section aria-labelledby="formats-heading" className="border-l-4 border-line pl-4">
          <h2 id="formats-heading" className="text-lg font-semibold">
            {copy['import.formats']}
          </h2>
          <p className="mt-2 max-w-read text-soft">{copy['import.formats.list']}</p>
        </section>
      </div>
      <section aria-labelledby="imports-heading" className="mt-12">
        <h2 id="imports-heading" className="text-lg font-semibold">
          {copy['import.list']}
        </h2>
        <div className="mt-3">
          {imports.length === 0 ? (
            <EmptyState title={copy['import.list.none.title']} hint={copy['import.list.none']} />
          ) : (
            <ListTable
              label={copy['import.list']}
              columns={[
                { name: copy['import.list.file'] },
                { name: copy['import.list.began'] },
                { name: copy['import.list.result'], isNumber: true },
              ]}
            >
              {imports.map((one) => (
                <ImportRow key={one.id} line={one} />
              ))}
            </ListTable>
          )}
        </div>
        <Paging
          back={page === 1 ? null : { to: `?page=${page - 1}`, label: copy['import.newest'] }}
          on={hasMore ? { to: `?page=${page + 1}`, label: copy['import.older'] } : null}
        />
      </section>
    </>
  )
}

function ImportRow({ line }: { line: ImportLine }) {
  const { id, name, sizeBytes, state, format, questions, refused, stored, madeBy, createdAt } = line
  const counts = [
    counted(questions, 'question'),
    ...(stored === 0 ? [] : [fill(copy['import.list.stored'], { n: stored })]),
  ]
  return (
    <ListRow
      about={
        <>
          <Link to={adminPaths.import(id)} className="font-semibold hover:underline">
            {name}
          </Link>
          <p className="text-sm text-soft">
            {sizeText(sizeBytes)}
            {format === null ? '' : `, ${formatNames[format as keyof typeof formatNames]}`}
          </p>
        </>
      }
    >
      <Cell isWide>
        <span className="text-soft">
          {formatInstant(createdAt)}
          <span className="block whitespace-normal wrap-anywhere">
            {madeBy === null ? copy['import.by-shell'] : fill(copy['import.by-whom'], { name: madeBy })}
          </span>
        </span>
      </Cell>
      <Cell isNumber>
        {state === 'read' ? counts.join(', ') : copy[`state.${state}`]}
        {refused === 0 ? null : (
          <span className="block text-flag max-tablet:ml-3 max-tablet:inline">
            {fill(copy['import.list.refused'], { n: refused })}
          </span>
        )}
      </Cell>
    </ListRow>
  )
}
