import type { Db } from '../../../db/open.server.ts'
import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { PersonId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit.server.ts'
import { fail } from './schema.ts'

/** Exams that run keep the time with which they began. @throws Failure person.not-found */
export async function setExtraTime(
  db: Db,
  change: {
    readonly personId: string
    readonly extraTime: ExtraTime
    readonly actorId: PersonId
    readonly now: Date
  },
): Promise<void> {
  const { personId, extraTime, actorId, now } = change
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('profiles')
      .where('id', '=', personId)
      .select('extra_time')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (before === undefined) throw fail('person.not-found')
    if (before.extra_time === extraTime) return
    await tx
      .updateTable('profiles')
      .set({ extra_time: extraTime, updated_at: now })
      .where('id', '=', personId)
      .execute()
    await audit(tx, {
      at: now,
      actorId,
      action: 'profile.extra-time',
      table: 'profiles',
      id: personId,
      before: { extraTime: before.extra_time },
      after: { extraTime },
    })
  })
}
