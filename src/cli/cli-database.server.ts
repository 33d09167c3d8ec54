import { startEmbedded } from '../db/embedded/embedded.server.ts'
import { migrate } from '../db/migrate.server.ts'
import { addressOf, openDatabase, type Db, type OpenDatabase } from '../db/open.server.ts'
import { withMigrationLock } from '../db/migration-lock.server.ts'
import { BadEnvironment, type Env, readEnv } from '../platform/env.server.ts'
import { WrongUsage } from './command.server.ts'

interface CliDatabase {
  env: Env
  db: Db
  database: OpenDatabase
}

/**
 * Runs `work` on the app's database: the one of DATABASE_URL, or the embedded one in DATA_DIR. The embedded server is joined
 * when the app runs, and otherwise started for the duration of `work`.
 * @throws WrongUsage when an environment variable is not valid
 */
export async function withDatabase<Result>(
  work: (opened: CliDatabase) => Promise<Result>,
  options: {
    /** Do not run pending migrations first. */
    readonly skipsMigrations?: boolean
  } = {},
): Promise<Result> {
  const env = environment()
  const server = env.database === null ? await startEmbedded({ dataDir: env.dataDir }) : null
  try {
    const address = env.database ?? addressOf(server?.url ?? '')
    const database = openDatabase(address, { connections: 4 })
    try {
      if (options.skipsMigrations !== true)
        await withMigrationLock(address.directUrl, { onUnavailable: () => {}, timeoutMs: 0 }, () =>
          migrate(database.direct),
        )
      return await work({ env, db: database.db, database })
    } finally {
      await database.close()
    }
  } finally {
    await server?.stop()
  }
}

/** @throws WrongUsage when an environment variable is not valid */
export function environment(): Env {
  try {
    return readEnv(process.env)
  } catch (problem) {
    if (problem instanceof BadEnvironment) throw new WrongUsage(problem.message)
    throw problem
  }
}
