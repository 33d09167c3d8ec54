import { Fragment } from 'react'
import { useLoaderData, type MetaFunction } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { copy } from '../app.copy.ts'
import { describePage } from '../layout/page-meta.ts'
import type { apiDocsLoader } from '../page-loaders.server.ts'
import type { ApiCall } from '../app.schema.ts'

export { apiDocsLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) =>
  describePage(matches, { title: copy['api.title'], description: copy['api.intro'], path: paths.apiDocs })

/** The documentation of the API: every call, grouped by its noun. */
export default function ApiDocsPage() {
  const { calls } = useLoaderData<typeof apiDocsLoader>()
  const tags = [...new Set(calls.map(({ tag }) => tag))].sort()
  return (
    <Page width="exam">
      <Heading>{copy['api.title']}</Heading>
      <p className="mt-3 max-w-read text-soft">{copy['api.intro']}</p>
      <p className="mt-2 max-w-read text-soft">{copy['api.rules']}</p>
      <p className="mt-4">
        <a href="/api/openapi.json" className="font-medium text-accent underline">
          {copy['api.machine']}
        </a>
      </p>
      <nav aria-label={copy['api.contents']} className="mt-6 flex flex-wrap gap-x-4 gap-y-2 text-sm">
        {tags.map((tag) => (
          <a key={tag} href={`#${tag}`} className="text-accent underline">
            {tag}
          </a>
        ))}
      </nav>
      {tags.map((tag) => (
        <section key={tag} aria-labelledby={tag} className="mt-10">
          <h2 id={tag} tabIndex={-1} className="scroll-mt-24 text-xl font-semibold">
            {tag}
          </h2>
          <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
            {calls
              .filter((call) => call.tag === tag)
              .map((call) => (
                <li key={call.id}>
                  <Call call={call} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </Page>
  )
}

const methodTone: Record<string, string> = {
  GET: 'bg-good-soft text-good',
  POST: 'bg-accent-soft text-accent',
  PUT: 'bg-flag-soft text-flag',
  PATCH: 'bg-flag-soft text-flag',
  DELETE: 'bg-bad-soft text-bad',
}

function Call({ call }: { call: ApiCall }) {
  return (
    <details className="group">
      <summary className="grid cursor-pointer grid-cols-[auto_1fr] items-start gap-x-3 px-4 py-3">
        <svg
          aria-hidden="true"
          viewBox="0 0 8 10"
          className="mt-2 h-2.5 w-2 shrink-0 fill-soft transition-transform duration-150 group-open:rotate-90"
        >
          <path d="M0 0l8 5-8 5z" />
        </svg>
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className={`rounded-sm px-2 py-0.5 text-xs font-semibold ${methodTone[call.method] ?? ''}`}>
            {call.method}
          </span>
          <span className="text-xs text-soft">{copy[`api.who.${call.who}`]}</span>
          <code className="w-full font-mono text-sm wrap-anywhere tablet:order-1 tablet:w-auto">
            {call.path.split('/').map((part, place) => (
              <Fragment key={part + place}>
                {place === 0 ? null : (
                  <>
                    /<wbr />
                  </>
                )}
                {part}
              </Fragment>
            ))}
          </code>
        </span>
        <span className="col-start-2 mt-1 text-sm text-soft">{call.about}</span>
      </summary>
      <div className="space-y-4 border-t border-line px-4 py-4 text-sm">
        {call.limit === null ? null : <p className="text-soft">{call.limit}</p>}
        {call.isTagged ? <p className="text-soft">{copy['api.tagged']}</p> : null}
        {call.parameters.length === 0 ? null : (
          <div>
            <h3 className="font-semibold">{copy['api.parameters']}</h3>
            <ul className="mt-1">
              {call.parameters.map(({ name, place, isRequired }) => (
                <li key={name}>
                  <code className="font-mono">{name}</code>{' '}
                  <span className="text-soft">
                    {place}
                    {isRequired ? `, ${copy['api.required']}` : ''}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {call.body === null ? null : <Schema title={copy['api.body']} text={call.body} />}
        <Schema title={copy['api.reply']} text={call.reply} />
      </div>
    </details>
  )
}

function Schema({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      <pre className="mt-1 rounded-md bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap">{text}</pre>
    </div>
  )
}
