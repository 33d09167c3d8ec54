import { createReadStream, existsSync } from 'node:fs'
import { CannotRestore } from '../app/backups/restore-snapshot.server.ts'
import { isBackupName, type StoredBackup } from '../app/backups/stored-backups.server.ts'
import type { BackupStore } from '../app/backups/backup-store.server.ts'
import type { Env } from '../platform/env.server.ts'
import { counted } from '../lib/text.ts'
import { listStores } from './backups.server.ts'

/** A backup to restore: a file, or a scheduled backup where these are kept. */
export type ChosenBackup = {
  readonly name: string
  readonly open: () => AsyncIterable<Uint8Array>
  /** What the admin should know of the choice. */
  readonly remark: string | null
}

/** @throws CannotRestore; WrongUsage without BACKUP_DIR and BACKUP_S3_BUCKET */
export async function chooseBackup(env: Env, wanted: { file: string } | 'latest'): Promise<ChosenBackup> {
  if (wanted !== 'latest' && (!isBackupName(wanted.file) || existsSync(wanted.file) || env.backups === null))
    return { name: wanted.file, open: () => bytesOf(wanted.file), remark: null }
  const listings = await listStores(env)
  const found = listings
    .flatMap((listing) =>
      'found' in listing ? listing.found.map((backup) => ({ ...backup, store: listing.store })) : [],
    )
    .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  const kept: Kept = {
    found,
    places: listings.map(({ store }) => store.place).join(' and '),
    problems: listings.flatMap((listing) => ('problem' in listing ? [listing.problem] : [])),
  }
  return wanted === 'latest' ? latest(kept) : named(kept, wanted.file)
}

type Found = StoredBackup & { readonly store: BackupStore }
type Kept = { readonly found: readonly Found[]; readonly places: string; readonly problems: readonly string[] }

function named({ found, places, problems }: Kept, file: string): ChosenBackup {
  const backup = found.find(({ name }) => name === file)
  if (backup !== undefined) return chosen(backup, [])
  throw new CannotRestore([`There is no file ${file} here, and no such backup in ${places}.`, ...problems].join(' '))
}

/** The newest backup whose restore was tested. */
function latest({ found, places, problems }: Kept): ChosenBackup {
  const [newest] = found
  if (newest === undefined) throw new CannotRestore([`There are no backups in ${places}.`, ...problems].join(' '))
  const tested = found.find(({ test }) => test === 'passed')
  if (tested === undefined)
    throw new CannotRestore(
      [
        `None of the ${counted(found.length, 'backup')} in ${places} was tested. Restore one by its name; the newest is ${newest.name}.`,
        ...problems,
      ].join(' '),
    )
  const isNewer = tested.madeAt < newest.madeAt
  const state = newest.test === 'failed' ? 'failed the test of its restore' : 'not tested'
  return chosen(tested, [
    ...problems,
    ...(isNewer ? [`${newest.name} is newer and ${state}, so ${tested.name} is restored.`] : []),
  ])
}

function chosen({ name, store }: Found, remarks: readonly string[]): ChosenBackup {
  return { name, open: () => store.read(name), remark: remarks.length === 0 ? null : remarks.join(' ') }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') throw new CannotRestore(`There is no file ${file}.`)
    throw problem
  }
}
