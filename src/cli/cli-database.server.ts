import { startEmbedded } from '../db/embedded/embedded.server.ts'
import { migrate } from '../db/migrate.server.ts'
import { openDatabase, type Db, type OpenDatabase } from '../db/open.server.ts'
import { inTurn } from '../db/turn.server.ts'
import { BadEnvironment, type Env, readEnv } from '../platform/env.server.ts'
import { WrongUsage } from './command.server.ts'

export interface CliDatabase {
  env: Env
  db: Db
  database: OpenDatabase
}

/**
 * Runs work on the database that the product uses: the one of DATABASE_URL, or the embedded one in DATA_DIR, which is joined
 * when the product runs and started for as long as it takes when it does not.
 */
export async function withDatabase<Result>(
  work: (opened: CliDatabase) => Promise<Result>,
  options: {
    /** Nothing is brought up to date first. */
    readonly isLeftAsItIs?: boolean
  } = {},
): Promise<Result> {
  const env = environment()
  const server = env.databaseUrl === undefined ? await startEmbedded({ dataDir: env.dataDir }) : null
  try {
    const url = env.databaseUrl ?? server?.url ?? ''
    const database = openDatabase(url, { connections: 4 })
    try {
      if (options.isLeftAsItIs !== true)
        await inTurn(url, { onAway: () => {}, patienceMs: 0 }, () => migrate(database.pool))
      return await work({ env, db: database.db, database })
    } finally {
      await database.close()
    }
  } finally {
    await server?.stop()
  }
}

function environment(): Env {
  try {
    return readEnv(process.env)
  } catch (problem) {
    if (problem instanceof BadEnvironment) throw new WrongUsage(problem.message)
    throw problem
  }
}
