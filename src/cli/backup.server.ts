import { createWriteStream, existsSync } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Env } from '../platform/env.server.ts'
import { systemClock } from '../platform/clock.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { progressBar } from './progress-bar.ts'
import { writeSnapshot } from './snapshot.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'

export const backup: Command = {
  usage: 'backup <file> [--json]',
  description:
    'writes the whole database to one file, as a consistent snapshot; the app may keep running. The file contains secrets: keep it private',
  run: runBackup,
}

async function runBackup(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readArgs(args, { json: { type: 'boolean' } })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new WrongUsage('name one file.')
  if (existsSync(file)) {
    output.printError(`altocert: ${file} already exists. Nothing was written.`)
    return 1
  }
  const part = `${file}.part`
  let rows = 0
  try {
    const { hasSecret, isFromEnvironment } = await withDatabase(
      async ({ env, database }) => {
        const secret = await storedSecret(env)
        const client = await database.pool.connect()
        const onProgress = (done: number, total: number) => {
          rows = done
          output.progress?.(progressBar('backup', done, total))
        }
        try {
          const lines = writeSnapshot(client, { secret, now: systemClock.now(), onProgress })
          // Readable by its owner only: the file contains email addresses, password hashes and the secret.
          await pipeline(Readable.from(lines), createGzip(), createWriteStream(part, { mode: 0o600, flags: 'wx' }))
        } finally {
          client.release()
        }
        return { hasSecret: secret !== null, isFromEnvironment: env.authSecret !== undefined }
      },
      { skipsMigrations: true },
    )
    await rename(part, file)
    output.progress?.('')
    const { size } = await stat(file)
    if (values.json === true) output.print(JSON.stringify({ file, rows, bytes: size, hasSecret }, null, 2))
    else {
      output.print(`${rows} rows in ${file}, ${size} bytes.`)
      if (isFromEnvironment)
        output.print('AUTH_SECRET comes from the environment and is not in the file: back it up separately.')
    }
    return 0
  } catch (problem) {
    if (problem instanceof WrongUsage) throw problem
    output.progress?.('')
    await rm(part, { force: true })
    output.printError(
      `altocert: no backup was written. ${problem instanceof Error ? problem.message : String(problem)}`,
    )
    return 1
  }
}

/** The secret in the data folder. Null when AUTH_SECRET is set, or when no secret exists yet. */
async function storedSecret(env: Env): Promise<string | null> {
  if (env.authSecret !== undefined) return null
  return readFile(join(env.dataDir, 'auth-secret'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
}
