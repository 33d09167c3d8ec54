import { Form, Link, useLoaderData, type MetaFunction } from 'react-router'
import { copy } from '../features/accounts/people/copy.ts'
import { PEOPLE_FILTERS, type PersonRow } from '../features/accounts/people/schema.ts'
import { ExtraTimeChoice } from '../features/accounts/people/ui/extra-time-choice.tsx'
import { PersonMarks } from '../features/accounts/people/ui/person-marks.tsx'
import { fill } from '../lib/failure.ts'
import { paths } from '../lib/paths.ts'
import { formatDay } from '../lib/time.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { EmptyState, Heading } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { privatePage } from './meta.ts'
import type { peopleLoader } from './pages.server.ts'

export { peopleLoader as loader } from './pages.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['people.title'])

/** Everybody with an account, to be searched and narrowed down; a learner's extra time is set here. */
export default function ManageUsersPage() {
  const { people, next, search, only, isFirstPage } = useLoaderData<typeof peopleLoader>()
  const isFiltered = search !== '' || only !== null
  return (
    <>
      <Heading>{copy['people.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['people.extra-time.about']}</p>
      <Form key={search} role="search" className="mt-6 flex flex-wrap items-start gap-4">
        <Field
          label={copy['people.search']}
          hint={copy['people.search.hint']}
          name="search"
          type="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          defaultValue={search}
          className="min-w-0 flex-1 basis-60 tablet:max-w-form"
        />
        {only === null ? null : <input type="hidden" name="only" value={only} />}
        <Button type="submit" className="mt-6">
          {copy['people.find']}
        </Button>
      </Form>
      <Tabs
        label={copy['people.only']}
        chosen={only ?? 'all'}
        tabs={(['all', ...PEOPLE_FILTERS] as const).map((one) => ({
          id: one,
          label: copy[`people.only.${one}`],
          to: pageAt({ search, only: one === 'all' ? null : one, after: null }),
        }))}
      />
      <section aria-labelledby="people-heading" className="mt-8">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <h2 id="people-heading" className="text-xl font-semibold">
            {isFiltered ? copy['people.list.found'] : copy['people.list']}
          </h2>
          {isFiltered ? (
            <ButtonLink look="quiet" to={paths.adminPeople} className="-mr-4">
              {copy['people.reset']}
            </ButtonLink>
          ) : null}
        </div>
        <div className="mt-2">
          {people.length === 0 ? (
            <EmptyState
              title={isFiltered ? copy['people.nothing.title'] : copy['people.none.title']}
              hint={isFiltered ? copy['people.nothing'] : copy['people.none']}
            />
          ) : (
            <ul className="divide-y divide-line border-y border-line">
              {people.map((person) => (
                <Person key={person.id} person={person} />
              ))}
            </ul>
          )}
        </div>
        <div className="mt-6 flex flex-wrap gap-3">
          {isFirstPage ? null : (
            <ButtonLink look="secondary" to={pageAt({ search, only, after: null })}>
              {copy['people.newest']}
            </ButtonLink>
          )}
          {next === null ? null : (
            <ButtonLink look="secondary" to={pageAt({ search, only, after: next })}>
              {copy['people.older']}
            </ButtonLink>
          )}
        </div>
      </section>
    </>
  )
}

function Person({ person }: { person: PersonRow }) {
  const name = person.name === '' ? person.email : person.name
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold wrap-anywhere">
          <Link to={paths.adminPerson(person.id)} className="hover:underline">
            {name}
          </Link>
          <PersonMarks person={person} />
        </p>
        <p className="text-sm break-all text-soft">{person.email}</p>
        <p className="nums text-sm text-soft">
          {fill(copy['people.joined'], { day: formatDay(person.joinedAt) })}
          {person.isVerified ? null : `, ${copy['people.unverified']}`}
        </p>
      </div>
      <ExtraTimeChoice personId={person.id} name={name} extraTime={person.extraTime} />
    </li>
  )
}

function pageAt(wanted: { search: string; only: string | null; after: string | null }): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(wanted)) if (value !== null && value !== '') query.set(name, value)
  return `${paths.adminPeople}?${query.toString()}`
}
