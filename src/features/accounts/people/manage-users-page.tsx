import { useState, type FormEvent } from 'react'
import { Form, useLoaderData, useRevalidator, type MetaFunction } from 'react-router'
import { EXTRA_TIMES, ExtraTime } from '../../../lib/extra-time.ts'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time.ts'
import { toastOf } from '../../../platform/client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { EmptyState, Heading } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { peopleLoader } from './api.server.ts'
import { setExtraTime } from './client.ts'
import { copy } from './copy.ts'
import type { PersonRow } from './schema.ts'

export { peopleLoader as loader } from './api.server.ts'

export const meta: MetaFunction = () => [{ title: copy['people.title'] }, { name: 'robots', content: 'noindex' }]

/** Everybody with an account, to be searched; a learner's extra time is set here. */
export default function ManageUsersPage() {
  const { people, next, search, isFirstPage } = useLoaderData<typeof peopleLoader>()
  const isSearched = search !== ''
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
        <Button type="submit" className="mt-6">
          {copy['people.find']}
        </Button>
      </Form>
      <section aria-labelledby="people-heading" className="mt-8">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <h2 id="people-heading" className="text-xl font-semibold">
            {isSearched ? copy['people.list.found'] : copy['people.list']}
          </h2>
          {isSearched ? (
            <ButtonLink look="quiet" to={paths.adminPeople} className="-mr-4">
              {copy['people.reset']}
            </ButtonLink>
          ) : null}
        </div>
        <div className="mt-2">
          {people.length === 0 ? (
            <EmptyState
              title={isSearched ? copy['people.nothing.title'] : copy['people.none.title']}
              hint={isSearched ? copy['people.nothing'] : copy['people.none']}
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
            <ButtonLink look="secondary" to={pageAt(search, null)}>
              {copy['people.newest']}
            </ButtonLink>
          )}
          {next === null ? null : (
            <ButtonLink look="secondary" to={pageAt(search, next)}>
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
          {name}
          {person.role === 'admin' ? (
            <span className="ml-2 rounded-sm bg-sunken px-1.5 py-0.5 text-xs font-semibold text-soft">
              {copy['people.admin']}
            </span>
          ) : null}
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

/** Chosen first and set by the button: a list that is walked through with the arrow keys sets nothing on the way. */
function ExtraTimeChoice({ personId, name, extraTime }: { personId: string; name: string; extraTime: ExtraTime }) {
  const { revalidate } = useRevalidator()
  const [chosen, setChosen] = useState(extraTime)
  const [isBusy, setBusy] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await setExtraTime(personId, chosen)
      const words = { name, extraTime: copy[`people.extra-time.${chosen}`] }
      toast('success', copy['people.extra-time.done'], fill(copy['people.extra-time.done.text'], words))
      await revalidate()
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)} className="flex items-center gap-3 text-sm">
      <label className="flex items-center gap-3">
        <span aria-hidden="true" className="text-soft">
          {copy['people.extra-time']}
        </span>
        <select
          aria-label={fill(copy['people.extra-time.of'], { name })}
          value={chosen}
          onChange={(event) => setChosen(ExtraTime.parse(event.target.value))}
          className="nums min-h-11 rounded-md border border-line-strong bg-surface px-3 text-base text-ink"
        >
          {EXTRA_TIMES.map((one) => (
            <option key={one} value={one}>
              {copy[`people.extra-time.${one}`]}
            </option>
          ))}
        </select>
      </label>
      <Button
        type="submit"
        look="secondary"
        disabled={chosen === extraTime}
        aria-busy={isBusy}
        aria-label={fill(copy['people.extra-time.set.of'], { name })}
      >
        {copy['people.extra-time.set']}
      </Button>
    </form>
  )
}

function pageAt(search: string, after: string | null): string {
  const query = new URLSearchParams()
  if (search !== '') query.set('search', search)
  if (after !== null) query.set('after', after)
  return `${paths.adminPeople}?${query.toString()}`
}
