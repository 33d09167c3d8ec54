import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { copy } from '../../features/accounts/users/users.copy.ts'
import { USER_FILTERS, type UserRow } from '../../features/accounts/users/users.schema.ts'
import { UserMarks } from '../../features/accounts/users/ui/user-marks.tsx'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatDay } from '../../lib/time.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FilterForm, FilterHint, filterField, filterHint } from '../../ui/filter-form.tsx'
import { Cell, ListRow, ListTable } from '../../ui/list-table.tsx'
import { EmptyState, Heading } from '../../ui/page-parts.tsx'
import { Paging } from '../../ui/pagination.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { withQuery } from '../../ui/query-string.ts'
import { privatePage } from '../layout/page-meta.ts'
import type { usersLoader } from '../page-loaders.server.ts'

export { usersLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['people.title'])

/** All users, with a search and filters. */
export default function ManageUsersPage() {
  const { users, next, search, only, isFirstPage } = useLoaderData<typeof usersLoader>()
  const isFiltered = search !== '' || only !== null
  const listTitle = isFiltered ? copy['people.list.found'] : copy['people.list']
  return (
    <>
      <Heading>{copy['people.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['people.about']}</p>
      <SearchForm key={search} search={search} only={only} />
      <Tabs
        label={copy['people.only']}
        chosen={only ?? 'all'}
        tabs={(['all', ...USER_FILTERS] as const).map((tab) => ({
          id: tab,
          label: copy[`people.only.${tab}`],
          to: pageAt({ search, only: tab === 'all' ? null : tab, after: null }),
        }))}
      />
      <section aria-labelledby="people-heading" className="mt-8">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <h2 id="people-heading" className="text-xl font-semibold">
            {listTitle}
          </h2>
          {isFiltered ? (
            <ButtonLink look="quiet" to={adminPaths.users} className="-mr-4">
              {copy['people.reset']}
            </ButtonLink>
          ) : null}
        </div>
        <div className="mt-2">
          {users.length === 0 ? (
            <EmptyState
              drawing={isFiltered ? 'search' : 'list'}
              title={isFiltered ? copy['people.nothing.title'] : copy['people.none.title']}
              hint={isFiltered ? copy['people.nothing'] : copy['people.none']}
            />
          ) : (
            <UserTable label={listTitle} users={users} />
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

function SearchForm({ search, only }: { search: string; only: string | null }) {
  return (
    <FilterForm action={copy['people.find']}>
      <Field
        label={copy['people.search']}
        aria-describedby={filterHint}
        name="search"
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        defaultValue={search}
        className={filterField.wide}
      />
      <FilterHint>{copy['people.search.hint']}</FilterHint>
      {only === null ? null : <input type="hidden" name="only" value={only} />}
    </FilterForm>
  )
}

function UserTable({ label, users }: { label: string; users: readonly UserRow[] }) {
  return (
    <ListTable
      label={label}
      columns={[
        { name: copy['people.column.person'] },
        { name: copy['people.column.address'] },
        { name: copy['people.extra-time'] },
        { name: copy['people.column.joined'], isNumber: true },
      ]}
    >
      {users.map((user) => (
        <Row key={user.id} user={user} />
      ))}
    </ListTable>
  )
}

function Row({ user }: { user: UserRow }) {
  return (
    <ListRow
      about={
        <>
          <Link to={adminPaths.user(user.id)} className="font-semibold hover:underline">
            {user.name === '' ? user.email : user.name}
          </Link>
          <UserMarks user={user} />
          <p className="text-sm break-all text-soft">{user.email}</p>
        </>
      }
    >
      <Cell>{user.isVerified ? null : <span className="text-flag">{copy['people.unverified']}</span>}</Cell>
      <Cell>
        {user.extraTime === 'none' ? null : (
          <>
            <span className="tablet:sr-only">{copy['people.extra-time']} </span>
            {copy[`people.extra-time.${user.extraTime}`]}
          </>
        )}
      </Cell>
      <Cell isNumber>
        <span className="font-normal text-soft">
          <span className="tablet:sr-only">{copy['people.column.joined']} </span>
          {formatDay(user.joinedAt)}
        </span>
      </Cell>
    </ListRow>
  )
}

function pageAt(filter: { search: string; only: string | null; after: string | null }): string {
  return withQuery(adminPaths.users, filter)
}
