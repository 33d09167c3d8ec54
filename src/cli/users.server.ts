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
import { counted } from '../lib/text.ts'

const options = {
  json: { type: 'boolean' },
  days: { type: 'string' },
  reason: { type: 'string' },
} as const

const FROM_CLI = 'From the command line'

/** The result as data for --json and as text. */
type CommandResult = { readonly data: object; readonly text: string }
type CommandArguments = {
  readonly names: readonly string[]
  readonly days: number
  readonly reason: string
  readonly now: Date
}

/** A command on the database. A failure prints its sentence and exits with 1. */
function databaseCommand(
  usage: string,
  description: string,
  names: number,
  work: (db: Db, request: CommandArguments) => Promise<CommandResult>,
): Command {
  return {
    usage,
    description,
    async run(args: string[], output: Output) {
      const { values, positionals } = readArgs(args, options)
      if (positionals.length !== names)
        throw new WrongUsage(`expected ${counted(names, 'argument')}, got ${positionals.length}.`)
      const days = values.days === undefined ? ACCESS_DAYS : Number(values.days)
      if (!Number.isInteger(days) || days < 1 || days > GIVEN_DAYS_MAX)
        throw new WrongUsage(`--days is a whole number from 1 to ${GIVEN_DAYS_MAX}.`)
      const request = { names: positionals, days, reason: values.reason ?? FROM_CLI, now: systemClock.now() }
      try {
        const { data, text } = await withDatabase(({ db }) => work(db, request))
        output.print(values.json === true ? JSON.stringify(data, null, 2) : text)
        return 0
      } catch (problem) {
        if (!(problem instanceof Failure)) throw problem
        output.printError(`altocert: ${problem.message}`)
        return 1
      }
    },
  }
}

class NotFound extends Failure {
  constructor(sentence: string) {
    super('shell.not-there', { status: 404, kind: 'database', sentence })
  }
}

async function requireUserId(db: Db, name: string): Promise<UserId> {
  const id = await findUserId(db, name)
  if (id === null) throw new NotFound(`There is no user with the email address or id ${name}.`)
  return id
}

async function requireCourse(db: Db, name: string): Promise<{ id: CourseId; title: string }> {
  const course = await findCourse(db, name)
  if (course === null) throw new NotFound(`There is no course with the slug or id ${name}.`)
  return { id: course.id as CourseId, title: course.title }
}

export const grant = databaseCommand(
  'grant <email> <course-slug> [--days 30] [--reason <text>] [--json]',
  'gives a user access to a course, from now or after the access that the user still has',
  2,
  async (db, { names: [user = '', slug = ''], days, reason, now }) => {
    const [userId, course] = [await requireUserId(db, user), await requireCourse(db, slug)]
    const grantRequest = { userId, courseId: course.id, days, key: randomUUID(), reason, actorId: null, now }
    // The command line sends no email: whoever gives access here tells the user.
    const { until } = await giveDays(db, null, grantRequest)
    return {
      data: { user: userId, course: course.id, until: until.toISOString() },
      text: `${user} may study ${course.title} until ${until.toISOString()}.`,
    }
  },
)

export const endAccess = databaseCommand(
  'end-access <email> <course-slug> [--reason <text>] [--json]',
  "ends a user's access to a course",
  2,
  async (db, { names: [user = '', slug = ''], reason, now }) => {
    const [userId, course] = [await requireUserId(db, user), await requireCourse(db, slug)]
    await endOwnership(db, { userId, courseId: course.id, reason, actorId: null, now })
    return { data: { user: userId, course: course.id }, text: `${user} has no access to ${course.title} now.` }
  },
)

export const listAccess = databaseCommand(
  'list-access <email> [--json]',
  'lists every access period of a user, past ones included',
  1,
  async (db, { names: [user = ''] }) => {
    const periods = await listPeriodsOf(db, await requireUserId(db, user))
    const line = ({ courseTitle, startsAt, endsAt, source, revokedAt }: (typeof periods)[number]) =>
      `${startsAt} to ${endsAt}  ${source}${revokedAt === null ? '' : `, revoked ${revokedAt}`}  ${courseTitle}`
    return { data: periods, text: periods.length === 0 ? 'No course.' : periods.map(line).join('\n') }
  },
)

export const makeAdmin = databaseCommand(
  'make-admin <email> [--json]',
  'makes a user an admin',
  1,
  async (db, { names: [user = ''], now }) => {
    const userId = await requireUserId(db, user)
    await setRole(db, { userId, role: 'admin', actorId: null, now })
    return { data: { user: userId, role: 'admin' }, text: `${user} is an admin now.` }
  },
)

export const endAdmin = databaseCommand(
  'end-admin <email> [--json]',
  "removes a user's admin role; the last admin keeps it",
  1,
  async (db, { names: [user = ''], now }) => {
    const userId = await requireUserId(db, user)
    await setRole(db, { userId, role: 'student', actorId: null, now })
    return { data: { user: userId, role: 'student' }, text: `${user} is no longer an admin.` }
  },
)

export const listAdmins = databaseCommand('list-admins [--json]', 'lists the admins', 0, async (db) => {
  const filter = UserListFilter.parse({ search: null, only: 'admins', after: null })
  const { users } = await listUsers(db, filter, { size: 1000 })
  const line = ({ email, name, isLocked }: (typeof users)[number]) => `${email}  ${name}${isLocked ? ', locked' : ''}`
  return {
    data: users.map(({ id, email, name, isLocked }) => ({ id, email, name, isLocked })),
    text: users.length === 0 ? 'No admins.' : users.map(line).join('\n'),
  }
})
