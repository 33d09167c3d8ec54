import type { Db } from '../../db/open.server.ts'
import { after } from '../../lib/time.ts'
import { isLate, lastDue, periodMs } from '../../platform/backup-plan.ts'
import type { BackupSettings } from '../../platform/backup-settings.server.ts'
import { readStateOf, type BackupState } from './backup-state.server.ts'
import { openStores } from './open-store.server.ts'

/** What admins see of the scheduled backups. */
export type BackupReport = BackupState & {
  /** The bucket that gets a copy of each; null without one. */
  readonly copyPlace: string | null
  /** When the next backup is due. */
  readonly nextAt: string
  /** Whether the newest tested backup is older than two periods. */
  readonly isLate: boolean
  readonly needsAttention: boolean
}

/** Null without scheduled backups. */
export async function reportBackups(db: Db, backups: BackupSettings | null, now: Date): Promise<BackupReport | null> {
  const stores = openStores(backups)
  if (stores === null || backups === null) return null
  const { schedule } = backups
  const state = await readStateOf(db, stores.main.place)
  const isOverdue = state.testedMadeAt !== null && isLate(schedule, new Date(state.testedMadeAt), now)
  return {
    ...state,
    copyPlace: stores.copies?.place ?? null,
    copied: state.copied?.place === stores.copies?.place ? state.copied : null,
    nextAt: after(lastDue(schedule, now), periodMs(schedule)).toISOString(),
    isLate: isOverdue,
    needsAttention: isOverdue || state.failure !== null || state.last?.test === 'not tested',
  }
}
