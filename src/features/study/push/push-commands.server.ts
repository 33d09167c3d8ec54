import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { SECOND_MS } from '../../../lib/time.ts'
import type { Clock } from '../../../platform/clock.server.ts'
import type { Jobs } from '../../../platform/jobs.server.ts'
import type { Log } from '../../../platform/log.server.ts'
import { NotPublic } from '../../../platform/public-lookup.server.ts'
import { encryptMessage, isDeviceKey, vapidHeader, type Sender } from './push-message-gateway.server.ts'
import { parseEndpoint, postToService, type EndpointRules } from './push-service-gateway.server.ts'
import { DEVICES_MAX, fail, type PushDevice } from './push.schema.ts'

const QUEUE = 'push'
/** With the text around it, a message of this many characters is below the 4096 bytes that every push service takes. */
const TITLE_LENGTH = 150
const BODY_LENGTH = 500

/** A notification, which opens a page of ours. After `until` it is of no use. */
export type PushMessage = { readonly title: string; readonly body: string; readonly path: string; readonly until: Date }
type PushJob = { readonly deviceId: string; readonly text: string; readonly until: string }

export type Push = {
  readonly publicKey: string
  readonly rules: EndpointRules
  /** Queues a notification for each device of a user; it is sent if and only if the transaction commits. */
  queue(tx: Db, userId: UserId, message: PushMessage): Promise<void>
}

type PushOptions = {
  readonly db: Db
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly sender: Sender
  readonly rules: EndpointRules
}

/** Sends notifications to the push services of learners' browsers. What a service refuses for now is tried again for about half an hour. */
export async function createPush(options: PushOptions): Promise<Push> {
  const { jobs, sender, rules } = options
  const tries = { retryLimit: 6, retryDelay: 30, retryBackoff: true }
  await jobs.work<PushJob>(QUEUE, tries, async (job, stored) => {
    await deliver(options, job)
    // It says what somebody studies: the database need not remember it.
    await stored.forget()
  })
  return {
    publicKey: sender.publicKey,
    rules,
    async queue(tx, userId, { title, body, path, until }) {
      const devices = await tx.selectFrom('push_subscriptions').where('user_id', '=', userId).select('id').execute()
      const text = JSON.stringify({ title: title.slice(0, TITLE_LENGTH), body: body.slice(0, BODY_LENGTH), url: path })
      for (const { id } of devices)
        await jobs.send(QUEUE, { deviceId: id, text, until: until.toISOString() } satisfies PushJob, tx)
    },
  }
}

/** Sends one notification. A device that its service has ended is removed. @throws Error when it should be tried again */
async function deliver(
  { db, clock, log, sender, rules }: PushOptions,
  { deviceId, text, until }: PushJob,
): Promise<void> {
  const now = clock.now()
  const ttl = Math.floor((Date.parse(until) - now.getTime()) / SECOND_MS)
  const device = await db.selectFrom('push_subscriptions').where('id', '=', deviceId).selectAll().executeTakeFirst()
  // Turned off meanwhile, or the day is over.
  if (device === undefined || ttl <= 0) return
  const { endpoint } = device
  const headers = {
    authorization: vapidHeader(endpoint, sender, now),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttl),
  }
  const status = await postToService(endpoint, { headers, body: encryptMessage(text, device) }, rules).catch(orEnded)
  if (status === 404 || status === 410) {
    await db.deleteFrom('push_subscriptions').where('id', '=', deviceId).execute()
  } else if (status === 429 || status >= 500) {
    throw new Error(`The push service answered ${status}`)
  } else if (status >= 300) {
    // It would answer the same again.
    log.warn({ status, service: new URL(endpoint).host }, 'a push service refused a notification')
  }
}

/** Nobody is reached at an address that is not public. */
function orEnded(error: unknown): number {
  if (error instanceof NotPublic) return 410
  throw error
}

/** Adds a device, or what it says now. A device that another user had is theirs no more. @throws Failure push.endpoint, push.keys, push.full */
export async function addDevice(
  db: Db,
  { userId, device, rules }: { readonly userId: UserId; readonly device: PushDevice; readonly rules: EndpointRules },
): Promise<void> {
  const endpoint = parseEndpoint(device.endpoint, rules)?.href
  if (endpoint === undefined) throw fail('push.endpoint')
  if (!isDeviceKey(device.p256dh)) throw fail('push.keys')
  const stored = { user_id: userId, p256dh: device.p256dh, auth: device.auth }
  await db.transaction().execute(async (tx) => {
    // Devices that are added at once are counted one after the other.
    await tx.selectFrom('users').where('id', '=', userId).select('id').forNoKeyUpdate().execute()
    await tx
      .insertInto('push_subscriptions')
      .values({ ...stored, endpoint })
      .onConflict((on) => on.column('endpoint').doUpdateSet(stored))
      .execute()
    const devices = await tx.selectFrom('push_subscriptions').where('user_id', '=', userId).select('id').execute()
    if (devices.length > DEVICES_MAX) throw fail('push.full')
  })
}

/** Ends reminders on a device. Idempotent. */
export async function removeDevice(
  db: Db,
  { userId, endpoint }: { readonly userId: UserId; readonly endpoint: string },
) {
  await db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute()
}

/** Ends reminders on all devices of a user. */
export async function removeDevices(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
}
