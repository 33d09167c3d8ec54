import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { UserAccess } from '../../features/access/user-access.tsx'
import { copy } from '../../features/accounts/users/users.copy.ts'
import { UserMarks } from '../../features/accounts/users/ui/user-marks.tsx'
import { copy as attemptsCopy } from '../../features/attempts/attempts.copy.ts'
import type { AttemptSummary } from '../../features/attempts/attempts.schema.ts'
import { wholePercent } from '../../features/attempts/attempts.ts'
import { OrderTable } from '../../features/checkout/ui/order-table.tsx'
import { fill } from '../../lib/failure.ts'
import { adminPaths } from '../../lib/admin-paths.ts'
import { paths } from '../../lib/paths.ts'
import { formatDay, formatInstant } from '../../lib/time.ts'
import { Cell, ListRow, ListTable } from '../../ui/list-table.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackLink, Heading, Section } from '../../ui/page-parts.tsx'
import { AuditEntries } from './audit-entries.tsx'
import { privatePage } from '../layout/page-meta.ts'
import type { userLoader } from '../page-loaders.server.ts'
import { UserActions } from './user-actions.tsx'

export { userLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['people.title'])

const link = 'inline-flex min-h-8 items-center text-sm font-semibold text-accent underline underline-offset-2'

/** A user for admins: facts, actions, access, orders, attempts and audit entries. */
export default function UserPage() {
  const { user, periods, orders, attempts, lines, isSelf, now } = useLoaderData<typeof userLoader>()
  const name = user.name === '' ? user.email : user.name
  return (
    <>
      <BackLink to={adminPaths.users}>{copy['person.back']}</BackLink>
      <Heading of="record">{name}</Heading>
      <p className="mt-1 break-all text-soft">
        {user.email}
        <UserMarks user={user} />
      </p>
      <p className="nums mt-1 text-sm text-soft">{factsOf(user, isSelf).join(', ')}</p>
      {user.lockedAt === null ? null : (
        <Notice tone="bad" className="mt-4" title={fill(copy['person.locked'], { at: formatInstant(user.lockedAt) })}>
          {fill(copy['person.locked.reason'], { reason: user.lockedReason ?? '' })}
        </Notice>
      )}
      <UserActions user={user} name={name} isSelf={isSelf} />
      <UserAccess userId={user.id} name={name} periods={periods} now={now} />
      <Orders orders={orders} email={user.email} />
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
          <Link to={`${adminPaths.audit}?kind=all&subject=${user.id}`} className={link}>
            {copy['person.lines.all']}
          </Link>
        }
      >
        {lines.length === 0 ? (
          <p className="text-soft">{copy['person.lines.none']}</p>
        ) : (
          <AuditEntries lines={lines} about={user.id} />
        )}
      </Section>
    </>
  )
}

type UserData = Awaited<ReturnType<typeof userLoader>>

function Orders({ orders, email }: { orders: UserData['orders']; email: string }) {
  return (
    <Section
      id="orders-heading"
      title={copy['person.orders']}
      aside={
        orders.length === 0 ? null : (
          <Link to={`${adminPaths.orders}?search=${encodeURIComponent(email)}`} className={link}>
            {copy['person.orders.all']}
          </Link>
        )
      }
    >
      {orders.length === 0 ? (
        <p className="text-soft">{copy['person.orders.none']}</p>
      ) : (
        <OrderTable label={copy['person.orders']} orders={orders} isOfOneBuyer />
      )}
    </Section>
  )
}

function factsOf(user: UserData['user'], isSelf: boolean): string[] {
  const count = user.sessions.length
  return [
    ...(isSelf ? [copy['person.you']] : []),
    fill(copy['people.joined'], { day: formatDay(user.joinedAt) }),
    user.isVerified ? copy['person.verified'] : copy['people.unverified'],
    ...user.signInMethods.map(({ provider }) =>
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
          <Cell>{attemptsCopy[`mode.${mode}`]}</Cell>
          <Cell>
            <span className="text-soft">{formatInstant(startedAt)}</span>
          </Cell>
          <Cell isNumber isWide>
            {scorePercent === null
              ? copy['person.attempts.open']
              : fill(copy['person.attempts.score'], {
                  score: wholePercent(scorePercent),
                  outcome: copy[isPassed === true ? 'person.attempts.passed' : 'person.attempts.failed'],
                })}
          </Cell>
        </ListRow>
      ))}
    </ListTable>
  )
}
