import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { PersonAccess } from '../features/access/ui/person-access.tsx'
import { copy } from '../features/accounts/people/copy.ts'
import { PersonMarks } from '../features/accounts/people/ui/person-marks.tsx'
import type { AttemptSummary } from '../features/attempts/schema.ts'
import { OrderTable } from '../features/checkout/ui/order-table.tsx'
import { fill } from '../lib/failure.ts'
import { paths } from '../lib/paths.ts'
import { formatDay, formatInstant } from '../lib/time.ts'
import { Cell, ListRow, ListTable } from '../ui/list-table.tsx'
import { Notice } from '../ui/notice.tsx'
import { BackLink, Heading, Section } from '../ui/page.tsx'
import { AuditLines } from './audit-lines.tsx'
import { privatePage } from './meta.ts'
import type { personLoader } from './pages.server.ts'
import { PersonActions } from './person-actions.tsx'

export { personLoader as loader } from './pages.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['people.title'])

const link = 'inline-flex min-h-8 items-center text-sm font-semibold text-accent underline underline-offset-2'

/** One person: who they are, what they have, what they did, and what an admin may do. */
export default function PersonPage() {
  const { person, periods, orders, attempts, lines, isSelf, now } = useLoaderData<typeof personLoader>()
  const name = person.name === '' ? person.email : person.name
  return (
    <>
      <BackLink to={paths.adminPeople}>{copy['person.back']}</BackLink>
      <Heading of="record">{name}</Heading>
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
      <PersonAccess personId={person.id} name={name} periods={periods} now={now} />
      <Section
        id="orders-heading"
        title={copy['person.orders']}
        aside={
          orders.length === 0 ? null : (
            <Link to={`${paths.adminOrders}?search=${encodeURIComponent(person.email)}`} className={link}>
              {copy['person.orders.all']}
            </Link>
          )
        }
      >
        {orders.length === 0 ? (
          <p className="text-soft">{copy['person.orders.none']}</p>
        ) : (
          <OrderTable label={copy['person.orders']} orders={orders} isOfOne />
        )}
      </Section>
      <Section id="attempts-heading" title={copy['person.attempts']}>
        {attempts.length === 0 ? (
          <p className="text-soft">{copy['person.attempts.none']}</p>
        ) : (
          <Attempts attempts={attempts} />
        )}
      </Section>
      <Section
        id="lines-heading"
        title={copy['person.lines']}
        aside={
          <Link to={`${paths.adminAudit}?kind=all&subject=${person.id}`} className={link}>
            {copy['person.lines.all']}
          </Link>
        }
      >
        {lines.length === 0 ? (
          <p className="text-soft">{copy['person.lines.none']}</p>
        ) : (
          <AuditLines lines={lines} about={person.id} />
        )}
      </Section>
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

function Attempts({ attempts }: { attempts: readonly AttemptSummary[] }) {
  return (
    <ListTable
      label={copy['person.attempts']}
      columns={[
        { name: copy['person.attempts.exam'] },
        { name: copy['person.attempts.mode'] },
        { name: copy['person.attempts.began'] },
        { name: copy['person.attempts.result'], isNumber: true },
      ]}
    >
      {attempts.map(({ id, state, examTitle, mode, startedAt, scorePercent, isPassed }) => (
        <ListRow
          key={id}
          about={
            <span className="font-semibold">
              {state === 'finished' ? (
                <Link to={paths.examReview(id)} className="hover:underline">
                  {examTitle}
                </Link>
              ) : (
                examTitle
              )}
            </span>
          }
        >
          <Cell>{mode}</Cell>
          <Cell>
            <span className="text-soft">{formatInstant(startedAt)}</span>
          </Cell>
          <Cell isNumber>
            {scorePercent === null
              ? copy['person.attempts.open']
              : fill(copy['person.attempts.score'], {
                  score: scorePercent,
                  outcome: copy[isPassed === true ? 'person.attempts.passed' : 'person.attempts.failed'],
                })}
          </Cell>
        </ListRow>
      ))}
    </ListTable>
  )
}
