import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { openDatabase, type OpenDatabase } from '../../src/db/open.server.ts'
import { withDatabase } from './database-server.ts'

/** A new, migrated, empty database on the run's server, dropped after the test file. */
export async function aDatabase(): Promise<OpenDatabase> {
  const server = inject('databaseServer')
  const name = `test_${randomBytes(6).toString('hex')}`
  const root = openDatabase(server, { connections: 1 })
  // Copying a template needs it exclusively, so test files copy it one after another.
  await root.pool.query('select pg_advisory_lock(4201003)')
  await root.pool.query(`create database ${name} template altocert_template`)
  await root.pool.query('select pg_advisory_unlock(4201003)')
  const database = openDatabase(withDatabase(server, name))
  afterAll(async () => {
    await database.close()
    // FORCE may not end an autovacuum worker that is in the database; a plain DROP may, and waits 5 s for the ended connections.
    await root.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
      [name],
    )
    await root.pool.query(`drop database if exists ${name}`)
    await root.close()
  })
  return database
}
