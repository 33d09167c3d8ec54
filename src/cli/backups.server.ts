import type { BackupStore } from '../app/backups/backup-store.server.ts'
import { openStores } from '../app/backups/open-store.server.ts'
import { listBackups, type StoredBackup } from '../app/backups/stored-backups.server.ts'
import { counted, sizeText } from '../lib/text.ts'
import { formatInstant } from '../lib/time.ts'
import type { Env } from '../platform/env.server.ts'
import { environment } from './cli-database.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'

export const backups: Command = {
  usage: 'backups [--json]',
  description:
    'lists the scheduled backups in BACKUP_DIR and BACKUP_S3_BUCKET, the newest first: when each was made, its size, whether it is sealed and whether its restore was tested. Needs no database',
  run: runBackups,
}

async function runBackups(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readArgs(args, { json: { type: 'boolean' } })
  if (positionals.length > 0) throw new WrongUsage('it takes no argument.')
  const listings = await listStores(environment())
  const readable = listings.filter((listing) => 'found' in listing)
  if (values.json === true)
    output.print(
      JSON.stringify(
        readable.flatMap(({ store, found }) => found.map((one) => factsOf(store, one))),
        null,
        2,
      ),
    )
  else for (const line of readable.flatMap(({ store, found }) => linesOf(store, found))) output.print(line)
  for (const listing of listings) if ('problem' in listing) output.printError(`altocert: ${listing.problem}`)
  return readable.length === listings.length ? 0 : 1
}

/** The backups in a place, or why they cannot be listed. */
export type Listing = { readonly store: BackupStore } & (
  { readonly found: readonly StoredBackup[] } | { readonly problem: string }
)

/** The folder first, then the bucket. @throws WrongUsage when there is neither */
export async function listStores(env: Env): Promise<Listing[]> {
  const stores = openStores(env.backups)
  if (stores === null)
    throw new WrongUsage('BACKUP_DIR and BACKUP_S3_BUCKET are not set, so it is not known where scheduled backups are.')
  return Promise.all(
    [stores.main, ...(stores.copies === null ? [] : [stores.copies])].map((store) =>
      listBackups(store).then(
        (found) => ({ store, found }),
        (error: unknown) => ({ store, problem: error instanceof Error ? error.message : String(error) }),
      ),
    ),
  )
}

function factsOf({ place }: BackupStore, { name, madeAt, bytes, facts, test }: StoredBackup) {
  const why = facts !== null && facts.test.result !== 'passed' ? facts.test.why : null
  return { name, madeAt, bytes, rows: facts?.rows ?? null, isSealed: facts?.isSealed ?? null, test, why, place }
}

const tests = { passed: 'tested', 'not tested': 'not tested', failed: 'FAILED its test' } as const

function linesOf(store: BackupStore, found: readonly StoredBackup[]): string[] {
  const rows = found.map((backup) => {
    const { name, madeAt, bytes, isSealed, test, why } = factsOf(store, backup)
    const seal = isSealed === null ? 'seal unknown' : isSealed ? 'sealed' : 'open'
    return [name, formatInstant(madeAt), sizeText(bytes), seal, why === null ? tests[test] : `${tests[test]}: ${why}`]
  })
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return [...lines, `${found.length === 0 ? 'No backups' : counted(found.length, 'backup')} in ${store.place}.`]
}
