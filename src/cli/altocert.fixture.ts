import { randomBytes } from 'node:crypto'
import { inject, onTestFinished, vi } from 'vitest'
import { withDatabase as onServer } from '../../tests/support/database-server.ts'
import { openDatabase, type OpenDatabase } from '../db/open.server.ts'
import { runAltocert } from './altocert.server.ts'

/** Runs the command line on a database, or on none, and returns its exit code and what it printed. */
export async function runOn(url: string | null, ...args: string[]) {
  if (url !== null) vi.stubEnv('DATABASE_URL', url)
  const [output, errors, progress]: [string[], string[], string[]] = [[], [], []]
  try {
    const code = await runAltocert(args, {
      print: (text) => output.push(text),
      printError: (text) => errors.push(text),
      progress: (text) => progress.push(text),
    })
    return { code, output: output.join('\n'), errors: errors.join('\n'), progress }
  } finally {
    vi.unstubAllEnvs()
  }
}

/** A database without tables on the run's server. */
export async function anEmptyDatabase(
  atTheEnd: (clean: () => Promise<void>) => void = onTestFinished,
): Promise<OpenDatabase> {
  const name = `restore_${randomBytes(6).toString('hex')}`
  const root = openDatabase(inject('databaseServer'), { connections: 1 })
  await root.pool.query(`create database ${name}`)
  const database = openDatabase(onServer(inject('databaseServer'), name))
  atTheEnd(async () => {
    await database.close()
    await root.pool.query(`drop database if exists ${name} with (force)`)
    await root.close()
  })
  return database
}
