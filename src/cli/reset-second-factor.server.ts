import { getUserView } from '../features/accounts/accounts-queries.server.ts'
import { resetSecondFactor } from '../features/accounts/second-factor/second-factor-commands.server.ts'
import { factorEmail } from '../features/accounts/second-factor/second-factor-emails.server.ts'
import { findUserId } from '../features/accounts/users/users-queries.server.ts'
import { paths } from '../lib/paths.ts'
import { systemClock } from '../platform/clock.server.ts'
import { createJobs } from '../platform/jobs.server.ts'
import { createLog } from '../platform/log.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { readArgs, WrongUsage, type Command } from './command.server.ts'

/** The way back for users who lost their second factor. The app sends the email that it queues. */
export const resetSecondFactorCommand: Command = {
  usage: 'reset-second-factor <email> [--json]',
  description: "removes a user's authenticator app, recovery codes and passkeys, and ends all sessions",
  async run(args, output) {
    const { values, positionals } = readArgs(args, { json: { type: 'boolean' } } as const)
    const [name = ''] = positionals
    if (positionals.length !== 1) throw new WrongUsage(`expected 1 argument, got ${positionals.length}.`)
    return withDatabase(async ({ env, db, database }) => {
      const userId = await findUserId(db, name)
      if (userId === null) {
        output.printError(`altocert: There is no user with the email address or id ${name}.`)
        return 1
      }
      const jobs = await createJobs(database.pool, createLog('error'), database)
      try {
        const { email, name: fullName } = await getUserView(db, userId)
        const { ended } = await db.transaction().execute(async (tx) => {
          const result = await resetSecondFactor(tx, { userId, actorId: null, now: systemClock.now() })
          const to = { email, name: fullName, brand: env.brandName, url: `${env.appUrl}${paths.accountSecurity}` }
          await jobs.send('mail', factorEmail('reset', to), tx)
          return result
        })
        const text = `${email} has no second factor now. Sessions ended: ${ended}.`
        output.print(values.json === true ? JSON.stringify({ user: userId, ended }, null, 2) : text)
        return 0
      } finally {
        await jobs.stop()
      }
    })
  },
}
