import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CannotRestore, restoreSnapshot } from '../app/backups/restore-snapshot.server.ts'
import type { SnapshotHeader } from '../app/backups/snapshot.server.ts'
import { limitSilence } from '../db/silent-connections.server.ts'
import type { Env } from '../platform/env.server.ts'
import { environment, withDatabase } from './cli-database.server.ts'
import { readPassphrase } from './passphrase.server.ts'
import { chooseBackup } from './restore-source.server.ts'
import { progressBar } from './progress-bar.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'
import { counted } from '../lib/text.ts'

export const restore: Command = {
  usage: 'restore <file | name> [--json], restore --latest [--json]',
  description:
    'restores a whole backup into an empty database or a new data folder, and signs everybody out; a failed restore changes nothing. The backup is a file, or a scheduled one by the name that `backups` lists; --latest takes the newest whose restore was tested. Asks for the passphrase of a sealed backup, or reads it from ALTOCERT_BACKUP_PASSPHRASE',
  run: runRestore,
}

async function runRestore(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readArgs(args, {
    json: { type: 'boolean' },
    latest: { type: 'boolean' },
  })
  const [file, ...others] = positionals
  const isLatest = values.latest === true
  if ((file === undefined) !== isLatest || others.length > 0) throw new WrongUsage('name one file, or say --latest.')
  try {
    const chosen = await chooseBackup(environment(), file === undefined ? 'latest' : { file })
    if (chosen.remark !== null) output.printError(`altocert: ${chosen.remark}`)
    const { header, rows } = await withDatabase(
      async ({ env, database }) => {
        const client = await database.direct.connect()
        // A single statement may take as long as it needs.
        limitSilence(client, 0)
        try {
          const source = { open: chosen.open, passphrase: () => readPassphrase(env, output) }
          const restored = await restoreSnapshot(client, source, {
            takeSecret: (header) => takeSecret(env, header),
            onProgress: (done, total) => output.progress?.(progressBar('restore', done, total)),
          })
          await client.query('analyze')
          return restored
        } finally {
          client.release()
        }
      },
      { skipsMigrations: true },
    )
    output.progress?.('')
    if (values.json === true) output.print(JSON.stringify({ file: chosen.name, rows, madeAt: header.madeAt }, null, 2))
    else
      output.print(
        `${counted(rows, 'row')} of ${chosen.name} restored, as of ${header.madeAt}. Everybody has to sign in again.`,
      )
    return 0
  } catch (problem) {
    if (problem instanceof WrongUsage) throw problem
    output.progress?.('')
    output.printError(`altocert: nothing was restored. ${problem instanceof Error ? problem.message : String(problem)}`)
    return 1
  }
}

/**
 * What writes the secret of the backup into the data folder, if it has to be written.
 * @throws CannotRestore when the data folder has another secret
 */
async function takeSecret(env: Env, { secret }: SnapshotHeader): Promise<() => Promise<void>> {
  if (secret === null || env.authSecret !== undefined) return () => Promise.resolve()
  await mkdir(env.dataDir, { recursive: true })
  const path = join(env.dataDir, 'auth-secret')
  const stored = await readFile(path, 'utf8').catch(() => null)
  if (stored !== null && stored.trim() !== secret)
    throw new CannotRestore(`There is another secret in ${path}. Restore into a new data folder.`)
  return () => writeFile(path, secret, { mode: 0o600 })
}
