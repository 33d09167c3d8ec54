import { Form, Link, useLoaderData, type MetaFunction } from 'react-router'
import { copy } from '../features/accounts/people/copy.ts'
import { PEOPLE_FILTERS, type PersonRow } from '../features/accounts/people/schema.ts'
import { PersonMarks } from '../features/accounts/people/ui/person-marks.tsx'
import { paths } from '../lib/paths.ts'
import { formatDay } from '../lib/time.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Cell, ListRow, ListTable } from '../ui/list-table.tsx'
import { EmptyState, Heading } from '../ui/page.tsx'
import { Paging } from '../ui/paging.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { withQuery } from '../ui/query.ts'
import { privatePage } from './meta.ts'
import type { peopleLoader } from './pages.server.ts'

export { peopleLoader as loader } from './pages.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['people.title'])

/** Everybody with an account, to be searched and narrowed down. */
export default function ManageUsersPage() {
  const { people, next, search, only, isFirstPage } = useLoaderData<typeof peopleLoader>()
  const isFiltered = search !== '' || only !== null
  return (
    <>
      <Heading>{copy['people.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['people.about']}</p>
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
            <ListTable
              label={isFiltered ? copy['people.list.found'] : copy['people.list']}
              columns={[
                { name: copy['people.column.person'] },
                { name: copy['people.column.address'] },
                { name: copy['people.extra-time'] },
                { name: copy['people.column.joined'], isNumber: true },
              ]}
            >
              {people.map((person) => (
                <Person key={person.id} person={person} />
              ))}
            </ListTable>
          )}
        </div>
        <Paging
          back={isFirstPage ? null : { to: pageAt({ search, only, after: null }), label: copy['people.newest'] }}
          on={next === null ? null : { to: pageAt({ search, only, after: next }), label: copy['people.older'] }}
        />
      </section>
    </>
  )
}

function Person({ person }: { person: PersonRow }) {
  return (
    <ListRow
      about={
        <>
          <Link to={paths.adminPerson(person.id)} className="font-semibold hover:underline">
            {person.name === '' ? person.email : person.name}
          </Link>
          <PersonMarks person={person} />
          <p className="text-sm break-all text-soft">{person.email}</p>
        </>
      }
    >
      <Cell>{person.isVerified ? null : <span className="text-flag">{copy['people.unverified']}</span>}</Cell>
      <Cell>
        {person.extraTime === 'none' ? null : (
          <>
            <span className="tablet:sr-only">{copy['people.extra-time']} </span>
            {copy[`people.extra-time.${person.extraTime}`]}
          </>
        )}
      </Cell>
      <Cell isNumber>
        <span className="font-normal text-soft">
          <span className="tablet:sr-only">{copy['people.column.joined']} </span>
          {formatDay(person.joinedAt)}
        </span>
      </Cell>
    </ListRow>
  )
}

function pageAt(wanted: { search: string; only: string | null; after: string | null }): string {
  return withQuery(paths.adminPeople, wanted)
}
