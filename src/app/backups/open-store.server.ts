import type { Env } from '../../platform/env.server.ts'
import type { BackupStore } from './backup-store.server.ts'
import { createFolderStore } from './folder-store.server.ts'

/** Where `BACKUP_DIR` leads; null when it is unset. */
export function openStore({ backups }: Pick<Env, 'backups'>): BackupStore | null {
  return backups === null ? null : createFolderStore(backups.dir)
}
