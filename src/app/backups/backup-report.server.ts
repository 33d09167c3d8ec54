import type { Db } from '../../db/open.server.ts'
import { after } from '../../lib/time.ts'
import { isLate, lastDue, periodMs } from '../../platform/backup-plan.ts'
import type { Env } from '../../platform/env.server.ts'
import { readStateOf, type BackupState } from './backup-state.server.ts'
import { openStore } from './open-store.server.ts'

/** What admins see of the scheduled backups. */
export type BackupReport = BackupState & {
  /** When the next backup is due. */
  readonly nextAt: string
  /** Whether the newest tested backup is older than two periods. */
  readonly isLate: boolean
  readonly needsAttention: boolean
}

/** Null without scheduled backups. */
export async function reportBackups(db: Db, backups: Env['backups'], now: Date): Promise<BackupReport | null> {
  const store = openStore({ backups })
  if (store === null || backups === null) return null
  const { schedule } = backups
  const state = await readStateOf(db, store.place)
  const isOverdue = state.testedMadeAt !== null && isLate(schedule, new Date(state.testedMadeAt), now)
  return {
    ...state,
    nextAt: after(lastDue(schedule, now), periodMs(schedule)).toISOString(),
    isLate: isOverdue,
    needsAttention: isOverdue || state.failure !== null || state.last?.test === 'not tested',
  }
}
