import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import type { CachedQueries } from '../../../platform/cache/cached-queries.server.ts'
import { sign, verifySigned } from '../../../platform/http/signed-cookie.server.ts'
import type { Log } from '../../../platform/log.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import type { Push } from '../push/push-commands.server.ts'
import { reminderEmail, reminderMessage, type ReminderSite } from './reminders-emails.server.ts'
import { getTodaysWork, listDueLearners, type CourseWork, type DueLearner } from './todays-work-queries.server.ts'
import { fail, type ReminderWish } from './reminders.schema.ts'

const STOP_PURPOSE = 'stop-reminders'

/** Sets or changes when a learner is reminded. The day on which they were reminded last stays: a later hour does not remind twice. */
export async function setReminder(db: Db, { userId, wish }: { userId: UserId; wish: ReminderWish }): Promise<void> {
  await db
    .insertInto('study_reminders')
    .values({ user_id: userId, hour: wish.hour })
    .onConflict((on) => on.column('user_id').doUpdateSet({ hour: wish.hour }))
    .execute()
}

/** Turns reminders off. Idempotent. */
export async function removeReminder(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom('study_reminders').where('user_id', '=', userId).execute()
}

/** What the link of an email names its learner by. It works without a session, however often. */
export const stopTokenOf = (userId: UserId, secret: string) => sign(userId, STOP_PURPOSE, secret)

/** Turns reminders off by the link of an email. Idempotent. @throws Failure reminders.link */
export async function stopReminders(db: Db, { token, secret }: { token: string; secret: string }): Promise<void> {
  const userId = verifySigned(token, STOP_PURPOSE, secret)
  if (userId === null) throw fail('reminders.link')
  await removeReminder(db, userId as UserId)
}

export type ReminderDeps = ReminderSite & {
  readonly db: Db
  readonly cachedQueries: CachedQueries
  readonly mail: Mail
  readonly push: Pick<Push, 'queue'>
  readonly secret: string
  readonly log: Pick<Log, 'error'>
}

/**
 * Reminds learners whose hour has come of what is left for today. However often and in however many processes this runs, a learner is
 * considered once a day, because the email and the notifications are queued in the transaction that claims the day. Returns the number of reminders.
 */
export async function sendReminders(deps: ReminderDeps, now: Date): Promise<number> {
  let sent = 0
  for (const learner of await listDueLearners(deps.db, now)) {
    try {
      const works = await getTodaysWork(deps, { ...learner, now })
      if ((await claimDay(deps, learner, works)) && works.length > 0) sent += 1
    } catch (error) {
      // One broken plan must not keep the others from their reminders. The next run tries it again.
      deps.log.error({ err: error, user: learner.userId }, 'a reminder could not be made')
    }
  }
  return sent
}

/** Records the day, and queues the email and the notifications if there is work. False when the day was claimed before. */
function claimDay(
  { db, mail, push, secret, ...site }: ReminderDeps,
  learner: DueLearner,
  works: readonly CourseWork[],
) {
  const { userId, day, dayEndsAt } = learner
  return db.transaction().execute(async (tx) => {
    const claimed = await tx
      .updateTable('study_reminders')
      .set({ reminded_on: day })
      .where('user_id', '=', userId)
      .where((eb) => eb.or([eb('reminded_on', 'is', null), eb('reminded_on', '<', day)]))
      .returning('user_id')
      .executeTakeFirst()
    if (claimed === undefined) return false
    if (works.length === 0) return true
    await mail.send(reminderEmail({ ...learner, stopToken: stopTokenOf(userId, secret) }, works, site), tx)
    await push.queue(tx, userId, reminderMessage(works, dayEndsAt))
    return true
  })
}
