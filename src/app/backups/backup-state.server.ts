import { z } from 'zod'
import type { Db } from '../../db/open.server.ts'

const BackupState = z.object({
  /** Where the backups lie. With another place everything begins again. */
  place: z.string(),
  last: z
    .object({
      name: z.string(),
      madeAt: z.string(),
      bytes: z.number(),
      rows: z.number(),
      isSealed: z.boolean(),
      /** Null while the restore is not tested yet. */
      test: z.enum(['passed', 'not tested', 'failed']).nullable(),
      /** Why its restore is not tested. */
      why: z.string().nullable(),
    })
    .nullable(),
  /** When the newest backup was made whose restore passed the test. */
  testedMadeAt: z.string().nullable(),
  /** The newest backup that was copied to a bucket beside the folder. */
  copied: z.object({ place: z.string(), name: z.string(), madeAt: z.string() }).nullable().default(null),
  /** Failures since the last success. */
  failures: z.number().int(),
  failure: z.object({ at: z.string(), sentence: z.string(), retryAt: z.string() }).nullable(),
})
export type BackupState = z.infer<typeof BackupState>

const KEY = 'backups'

/** What has become of the scheduled backups; null before the first. */
export async function readBackupState(db: Db): Promise<BackupState | null> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', KEY).executeTakeFirst()
  return BackupState.safeParse(row?.value).data ?? null
}

/** What has become of the scheduled backups in this place. */
export async function readStateOf(db: Db, place: string): Promise<BackupState> {
  const stored = await readBackupState(db)
  if (stored?.place === place) return stored
  return { place, last: null, testedMadeAt: null, copied: null, failures: 0, failure: null }
}

export async function writeBackupState(db: Db, state: BackupState, now: Date): Promise<void> {
  const value = JSON.stringify(state)
  await db
    .insertInto('installation')
    .values({ key: KEY, value, at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, at: now }))
    .execute()
}
