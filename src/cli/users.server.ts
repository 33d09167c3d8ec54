import { randomUUID } from 'node:crypto'
import { listPeriodsOf } from '../features/access/access-queries.server.ts'
import { ACCESS_DAYS, GIVEN_DAYS_MAX } from '../features/access/access.ts'
import { endOwnership, giveDays } from '../features/access/access-commands.server.ts'
import { findUserId, listUsers } from '../features/accounts/users/users-queries.server.ts'
import { UserListFilter } from '../features/accounts/users/users.schema.ts'
import { setRole } from '../features/accounts/users/users-commands.server.ts'
import { findCourse } from '../features/catalogue/catalogue-queries.server.ts'
import { Failure } from '../lib/failure.ts'
import type { CourseId, UserId } from '../lib/ids.ts'
import type { Db } from '../db/open.server.ts'
import { systemClock } from '../platform/clock.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'

const options = {
  json: { type: 'boolean' },
  days: { type: 'string' },
  reason: { type: 'string' },
} as const

const FROM_CLI = 'From the shell'

/** What was done, as data and as a line for a person. */
type Done = { readonly data: object; readonly text: string }
type CommandArguments = {
  readonly names: readonly string[]
  readonly days: number
  readonly reason: string
  readonly now: Date
}

/** A verb that does something on the database; what it can't do is a sentence and exit code 1. */
function command(
  usage: string,
  does: string,
  names: number,
  work: (db: Db, asked: CommandArguments) => Promise<Done>,
): Command {
  return {
    usage,
    does,
    async run(args: string[], output: Output) {
      const { values, positionals } = readArgs(args, options)
      if (positionals.length !== names) throw new WrongUsage(names === 0 ? 'name nothing.' : `name ${names} things.`)
      const days = values.days === undefined ? ACCESS_DAYS : Number(values.days)
      if (!Number.isInteger(days) || days < 1 || days > GIVEN_DAYS_MAX)
        throw new WrongUsage(`--days is a whole number from 1 to ${GIVEN_DAYS_MAX}.`)
      const asked = { names: positionals, days, reason: values.reason ?? FROM_CLI, now: systemClock.now() }
      try {
        const { data, text } = await withDatabase(({ db }) => work(db, asked))
        output.print(values.json === true ? JSON.stringify(data, null, 2) : text)
        return 0
      } catch (problem) {
        if (!(problem instanceof Failure)) throw problem
        output.complain(`altocert: ${problem.message}`)
        return 1
      }
    },
  }
}

class NotThere extends Failure {
  constructor(sentence: string) {
    super('shell.not-there', { status: 404, kind: 'database', sentence })
  }
}

async function requireUserId(db: Db, name: string): Promise<UserId> {
  const id = await findUserId(db, name)
  if (id === null) throw new NotThere(`There is nobody with the address or id ${name}.`)
  return id
}

async function requireCourse(db: Db, name: string): Promise<{ id: CourseId; title: string }> {
  const course = await findCourse(db, name)
  if (course === null) throw new NotThere(`There is no course ${name}: name it by its slug or id.`)
  return { id: course.id as CourseId, title: course.title }
}

export const grant = command(
  'grant <mail address> <course slug> [--days 30] [--reason <text>] [--json]',
  'gives somebody a course: from now, or after what they still have',
  2,
  async (db, { names: [user = '', slug = ''], days, reason, now }) => {
    const [userId, course] = [await requireUserId(db, user), await requireCourse(db, slug)]
    const give = { userId, courseId: course.id, days, key: randomUUID(), reason, actorId: null, now }
    const { until } = await giveDays(db, give)
    return {
      data: { user: userId, course: course.id, until: until.toISOString() },
      text: `${user} may study ${course.title} until ${until.toISOString()}.`,
    }
  },
)

export const endAccess = command(
  'end-access <mail address> <course slug> [--reason <text>] [--json]',
  'takes back what somebody has of a course',
  2,
  async (db, { names: [user = '', slug = ''], reason, now }) => {
    const [userId, course] = [await requireUserId(db, user), await requireCourse(db, slug)]
    await endOwnership(db, { userId, courseId: course.id, reason, actorId: null, now })
    return { data: { user: userId, course: course.id }, text: `${user} has no access to ${course.title} now.` }
  },
)

export const listAccess = command(
  'list-access <mail address> [--json]',
  'lists every course that somebody has or had',
  1,
  async (db, { names: [user = ''] }) => {
    const periods = await listPeriodsOf(db, await requireUserId(db, user))
    const line = ({ courseTitle, startsAt, endsAt, source, revokedAt }: (typeof periods)[number]) =>
      `${startsAt} to ${endsAt}  ${source}${revokedAt === null ? '' : `, taken back ${revokedAt}`}  ${courseTitle}`
    return { data: periods, text: periods.length === 0 ? 'No course.' : periods.map(line).join('\n') }
  },
)

export const makeAdmin = command(
  'make-admin <mail address> [--json]',
  'makes somebody who has an account an admin',
  1,
  async (db, { names: [user = ''], now }) => {
    const userId = await requireUserId(db, user)
    await setRole(db, { userId, role: 'admin', actorId: null, now })
    return { data: { user: userId, role: 'admin' }, text: `${user} is an admin now.` }
  },
)

export const endAdmin = command(
  'end-admin <mail address> [--json]',
  'takes the admin role away; the last admin keeps it',
  1,
  async (db, { names: [user = ''], now }) => {
    const userId = await requireUserId(db, user)
    await setRole(db, { userId, role: 'student', actorId: null, now })
    return { data: { user: userId, role: 'student' }, text: `${user} is no admin any more.` }
  },
)

export const listAdmins = command('list-admins [--json]', 'lists who runs the shop', 0, async (db) => {
  const wanted = UserListFilter.parse({ search: null, only: 'admins', after: null })
  const { users } = await listUsers(db, wanted, { size: 1000 })
  const line = ({ email, name, isLocked }: (typeof users)[number]) => `${email}  ${name}${isLocked ? ', locked' : ''}`
  return {
    data: users.map(({ id, email, name, isLocked }) => ({ id, email, name, isLocked })),
    text: users.length === 0 ? 'Nobody.' : users.map(line).join('\n'),
  }
})
