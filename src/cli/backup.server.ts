import { createWriteStream, existsSync } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Env } from '../platform/env.server.ts'
import { systemClock } from '../platform/clock.server.ts'
import { limitSilence } from '../db/silent-connections.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { choosePassphrase } from './passphrase.server.ts'
import { progressBar } from './progress-bar.ts'
import { seal } from '../app/backups/seal.server.ts'
import { writeSnapshot } from '../app/backups/snapshot.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'
import { counted } from '../lib/text.ts'

export const backup: Command = {
  usage: 'backup <file> [--seal] [--json]',
  description:
    'writes the whole database except sessions and one-time links to one file, as a consistent snapshot; the app may keep running. The file contains secrets: keep it private, or seal it with a passphrase, which is asked for or read from ALTOCERT_BACKUP_PASSPHRASE',
  run: runBackup,
}

async function runBackup(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readArgs(args, { json: { type: 'boolean' }, seal: { type: 'boolean' } })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new WrongUsage('name one file.')
  if (existsSync(file)) {
    output.printError(`altocert: ${file} already exists. Nothing was written.`)
    return 1
  }
  const part = `${file}.part`
  const isSealed = values.seal === true
  let rows = 0
  try {
    const { hasSecret, isFromEnvironment } = await withDatabase(
      async ({ env, database }) => {
        const passphrase = isSealed ? await choosePassphrase(env, output) : null
        const secret = await storedSecret(env)
        const client = await database.direct.connect()
        // A single statement may take as long as it needs.
        limitSilence(client, 0)
        const onProgress = (done: number, total: number) => {
          rows = done
          output.progress?.(progressBar('backup', done, total))
        }
        try {
          const lines = writeSnapshot(client, { secret, now: systemClock.now(), onProgress })
          // Readable by its owner only: the file contains email addresses, password hashes and the secret.
          const target = createWriteStream(part, { mode: 0o600, flags: 'wx' })
          if (passphrase === null) await pipeline(Readable.from(lines), createGzip(), target)
          else await pipeline(Readable.from(lines), createGzip(), (packed) => seal(packed, passphrase), target)
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
    if (values.json === true) output.print(JSON.stringify({ file, rows, bytes: size, hasSecret, isSealed }, null, 2))
    else {
      output.print(`${counted(rows, 'row')} in ${file}, ${counted(size, 'byte')}${isSealed ? ', sealed' : ''}.`)
      output.print('Sessions and one-time links are not in it: after a restore everybody signs in again.')
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
