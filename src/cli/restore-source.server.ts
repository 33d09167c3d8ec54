import { createReadStream, existsSync } from 'node:fs'
import { openStore } from '../app/backups/open-store.server.ts'
import { CannotRestore } from '../app/backups/restore-snapshot.server.ts'
import { isBackupName, listBackups } from '../app/backups/stored-backups.server.ts'
import type { BackupStore } from '../app/backups/backup-store.server.ts'
import type { Env } from '../platform/env.server.ts'
import { counted } from '../lib/text.ts'
import { requireStore } from './backups.server.ts'

/** A backup to restore: a file, or a scheduled backup where these are kept. */
export type ChosenBackup = {
  readonly name: string
  readonly open: () => AsyncIterable<Uint8Array>
  /** What the admin should know of the choice. */
  readonly remark: string | null
}

/** @throws CannotRestore; WrongUsage without BACKUP_DIR */
export async function chooseBackup(env: Env, wanted: { file: string } | 'latest'): Promise<ChosenBackup> {
  if (wanted === 'latest') return latest(requireStore(openStore(env)))
  const { file } = wanted
  const store = isBackupName(file) && !existsSync(file) ? openStore(env) : null
  if (store === null) return { name: file, open: () => bytesOf(file), remark: null }
  const found = await listBackups(store)
  if (found.every(({ name }) => name !== file))
    throw new CannotRestore(`There is no file ${file} here, and no such backup in ${store.place}.`)
  return { name: file, open: () => store.read(file), remark: null }
}

/** The newest backup whose restore was tested. */
async function latest(store: BackupStore): Promise<ChosenBackup> {
  const backups = await listBackups(store)
  const [newest] = backups
  if (newest === undefined) throw new CannotRestore(`There are no backups in ${store.place}.`)
  const tested = backups.find(({ test }) => test === 'passed')
  if (tested === undefined)
    throw new CannotRestore(
      `None of the ${counted(backups.length, 'backup')} in ${store.place} was tested. Restore one by its name; the newest is ${newest.name}.`,
    )
  const remark =
    tested === newest
      ? null
      : `${newest.name} is newer and ${newest.test === 'failed' ? 'failed the test of its restore' : 'not tested'}, so ${tested.name} is restored.`
  return { name: tested.name, open: () => store.read(tested.name), remark }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') throw new CannotRestore(`There is no file ${file}.`)
    throw problem
  }
}
