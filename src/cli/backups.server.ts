import type { BackupStore } from '../app/backups/backup-store.server.ts'
import { openStore } from '../app/backups/open-store.server.ts'
import { listBackups, type StoredBackup } from '../app/backups/stored-backups.server.ts'
import { counted, sizeText } from '../lib/text.ts'
import { formatInstant } from '../lib/time.ts'
import { environment } from './cli-database.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'

export const backups: Command = {
  usage: 'backups [--json]',
  description:
    'lists the scheduled backups in BACKUP_DIR, the newest first: when each was made, its size, whether it is sealed and whether its restore was tested. Needs no database',
  run: runBackups,
}

async function runBackups(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readArgs(args, { json: { type: 'boolean' } })
  if (positionals.length > 0) throw new WrongUsage('it takes no argument.')
  const store = requireStore(openStore(environment()))
  try {
    const found = await listBackups(store)
    if (values.json === true)
      output.print(
        JSON.stringify(
          found.map((backup) => factsOf(store, backup)),
          null,
          2,
        ),
      )
    else for (const line of linesOf(store, found)) output.print(line)
    return 0
  } catch (problem) {
    output.printError(`altocert: ${problem instanceof Error ? problem.message : String(problem)}`)
    return 1
  }
}

/** @throws WrongUsage */
export function requireStore(store: BackupStore | null): BackupStore {
  if (store !== null) return store
  throw new WrongUsage('BACKUP_DIR is not set, so it is not known where scheduled backups are.')
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
