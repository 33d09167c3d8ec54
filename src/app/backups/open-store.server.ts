import type { BackupSettings } from '../../platform/backup-settings.server.ts'
import type { BackupStore } from './backup-store.server.ts'
import { createBucketStore } from './bucket/bucket-store.server.ts'
import { createFolderStore } from './folder-store.server.ts'

export type BackupStores = {
  /** Where backups are made and tested: the folder, or without one the bucket. */
  readonly main: BackupStore
  /** The bucket beside a folder, which gets a copy of each. */
  readonly copies: BackupStore | null
}

/** Null without scheduled backups. `signal` ends what is under way with a bucket. */
export function openStores(backups: BackupSettings | null, signal?: AbortSignal): BackupStores | null {
  if (backups === null) return null
  const folder = backups.dir === null ? null : createFolderStore(backups.dir)
  const bucket = backups.bucket === null ? null : createBucketStore(backups.bucket, signal)
  const main = folder ?? bucket
  return main === null ? null : { main, copies: folder === null ? null : bucket }
}
