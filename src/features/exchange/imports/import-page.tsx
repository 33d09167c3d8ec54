import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState, Heading } from '../../../ui/page.tsx'
import type { importsLoader } from './api.server.ts'
import { copy, formatNames } from './copy.ts'
import { sizeText } from './rules.ts'
import type { ImportLine } from './schema.ts'
import { UploadForm } from './ui/upload-form.tsx'

export { importsLoader as loader } from './api.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['import.title-of-page'] },
  { name: 'robots', content: 'noindex' },
]

/** Where questions are brought in, and what was brought in before, by whom. */
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
            <ul className="divide-y divide-line border-y border-line">
              {imports.map((one) => (
                <ImportRow key={one.id} line={one} />
              ))}
            </ul>
          )}
        </div>
        <div className="mt-4 flex flex-wrap gap-3">
          {page === 1 ? null : (
            <ButtonLink look="secondary" to={`?page=${page - 1}`}>
              {copy['import.newest']}
            </ButtonLink>
          )}
          {hasMore ? (
            <ButtonLink look="secondary" to={`?page=${page + 1}`}>
              {copy['import.older']}
            </ButtonLink>
          ) : null}
        </div>
      </section>
    </>
  )
}

function ImportRow({ line }: { line: ImportLine }) {
  const { id, name, sizeBytes, state, format, questions, refused, stored, madeBy, createdAt } = line
  const counts = [
    fill(copy['import.list.questions'], { n: questions }),
    ...(stored === 0 ? [] : [fill(copy['import.list.stored'], { n: stored })]),
  ]
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
      <div className="min-w-0">
        <Link
          to={paths.adminImport(id)}
          className="inline-flex min-h-8 items-center font-semibold wrap-anywhere text-accent underline underline-offset-2"
        >
          {name}
        </Link>
        <p className="nums text-sm wrap-anywhere text-soft">
          {formatInstant(createdAt)}{' '}
          {madeBy === null ? copy['import.by-shell'] : fill(copy['import.by-whom'], { name: madeBy })},{' '}
          {sizeText(sizeBytes)}
          {format === null ? '' : `, ${formatNames[format as keyof typeof formatNames]}`}
        </p>
      </div>
      <p className="nums text-sm">
        {state === 'read' ? counts.join(', ') : copy[`state.${state}`]}
        {refused === 0 ? null : (
          <span className="ml-3 font-semibold text-flag">{fill(copy['import.list.refused'], { n: refused })}</span>
        )}
      </p>
    </li>
  )
}
