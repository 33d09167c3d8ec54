import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { PersonAccess } from '../features/access/ui/person-access.tsx'
import { copy } from '../features/accounts/people/copy.ts'
import { PersonMarks } from '../features/accounts/people/ui/person-marks.tsx'
import type { AttemptSummary } from '../features/attempts/schema.ts'
import type { OrderSummary } from '../features/checkout/schema.ts'
import { OrderStateMark } from '../features/checkout/ui/order-state.tsx'
import { fill } from '../lib/failure.ts'
import { formatDollars, type Cents } from '../lib/money.ts'
import { paths } from '../lib/paths.ts'
import { formatDay, formatInstant } from '../lib/time.ts'
import { Notice } from '../ui/notice.tsx'
import { Heading } from '../ui/page.tsx'
import { AuditLines } from './audit-lines.tsx'
import { privatePage } from './meta.ts'
import type { personLoader } from './pages.server.ts'
import { PersonActions } from './person-actions.tsx'

export { personLoader as loader } from './pages.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['people.title'])

const link = 'text-sm font-semibold text-accent underline underline-offset-2'

/** One person: who they are, what they have, what they did, and what an admin may do. */
export default function PersonPage() {
  const { person, periods, orders, attempts, lines, courses, isSelf, now } = useLoaderData<typeof personLoader>()
  const name = person.name === '' ? person.email : person.name
  return (
    <>
      <Link to={paths.adminPeople} className={link}>
        {copy['person.back']}
      </Link>
      <Heading className="mt-2 text-2xl font-semibold wrap-anywhere tablet:text-3xl">{name}</Heading>
      <p className="mt-1 break-all text-soft">
        {person.email}
        <PersonMarks person={person} />
      </p>
      <p className="nums mt-1 text-sm text-soft">{factsOf(person, isSelf).join(', ')}</p>
      {person.lockedAt === null ? null : (
        <Notice tone="bad" className="mt-4" title={fill(copy['person.locked'], { at: formatInstant(person.lockedAt) })}>
          {fill(copy['person.locked.reason'], { reason: person.lockedReason ?? '' })}
        </Notice>
      )}
      <PersonActions person={person} name={name} isSelf={isSelf} />
      <PersonAccess personId={person.id} name={name} periods={periods} courses={courses} now={now} />
      <section aria-labelledby="orders-heading" className="mt-10">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="orders-heading" className="text-xl font-semibold">
            {copy['person.orders']}
          </h2>
          {orders.length === 0 ? null : (
            <Link to={`${paths.adminOrders}?search=${encodeURIComponent(person.email)}`} className={link}>
              {copy['person.orders.all']}
            </Link>
          )}
        </div>
        {orders.length === 0 ? (
          <p className="mt-3 text-soft">{copy['person.orders.none']}</p>
        ) : (
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {orders.map((order) => (
              <Order key={order.id} order={order} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="attempts-heading" className="mt-10">
        <h2 id="attempts-heading" className="text-xl font-semibold">
          {copy['person.attempts']}
        </h2>
        {attempts.length === 0 ? (
          <p className="mt-3 text-soft">{copy['person.attempts.none']}</p>
        ) : (
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {attempts.map((attempt) => (
              <Attempt key={attempt.id} attempt={attempt} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="lines-heading" className="mt-10">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="lines-heading" className="text-xl font-semibold">
            {copy['person.lines']}
          </h2>
          <Link to={`${paths.adminAudit}?kind=all&subject=${person.id}`} className={link}>
            {copy['person.lines.all']}
          </Link>
        </div>
        <div className="mt-3">
          {lines.length === 0 ? (
            <p className="text-soft">{copy['person.lines.none']}</p>
          ) : (
            <AuditLines lines={lines} about={person.id} />
          )}
        </div>
      </section>
    </>
  )
}

type Person = Awaited<ReturnType<typeof personLoader>>['person']

function factsOf(person: Person, isSelf: boolean): string[] {
  const count = person.sessions.length
  return [
    ...(isSelf ? [copy['person.you']] : []),
    fill(copy['people.joined'], { day: formatDay(person.joinedAt) }),
    person.isVerified ? copy['person.verified'] : copy['people.unverified'],
    ...person.signInMethods.map(({ provider }) =>
      provider === 'credential' ? copy['person.method.credential'] : fill(copy['person.method.other'], { provider }),
    ),
    count === 0
      ? copy['person.sessions.none']
      : count === 1
        ? copy['person.sessions.one']
        : fill(copy['person.sessions'], { n: count }),
  ]
}

function Order({ order }: { order: OrderSummary }) {
  return (
    <li className="nums flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
      <Link
        to={paths.adminOrder(order.id)}
        className="min-w-0 flex-1 basis-72 font-semibold wrap-anywhere hover:underline"
      >
        {order.titles.join(', ')}
      </Link>
      <span className="text-sm text-soft">{formatInstant(order.createdAt)}</span>
      <OrderStateMark state={order.state} />
      <span className="font-semibold">{formatDollars(order.totalCents as Cents)}</span>
    </li>
  )
}

function Attempt({ attempt }: { attempt: AttemptSummary }) {
  const { scorePercent, isPassed } = attempt
  const outcome = isPassed === true ? copy['person.attempts.passed'] : copy['person.attempts.failed']
  return (
    <li className="nums flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
      <span className="min-w-0 flex-1 basis-72 font-semibold wrap-anywhere">
        {attempt.state === 'finished' ? (
          <Link to={paths.examReview(attempt.id)} className="hover:underline">
            {attempt.examTitle}
          </Link>
        ) : (
          attempt.examTitle
        )}
      </span>
      <span className="text-sm text-soft">
        {attempt.mode}, {formatInstant(attempt.startedAt)}
      </span>
      <span className="text-sm font-semibold">
        {scorePercent === null
          ? copy['person.attempts.open']
          : fill(copy['person.attempts.score'], { score: scorePercent, outcome })}
      </span>
    </li>
  )
}
