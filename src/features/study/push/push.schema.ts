import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { copy } from './push.copy.ts'

/** The devices of a learner. */
export const DEVICES_MAX = 10

const wrong = copy['push.keys.wrong']
const base64url = z.string().regex(/^[\w-]+$/, wrong)

/** What a browser's PushSubscription says about itself, with keys of the lengths that RFC 8291 has. */
export const PushDevice = z.object({
  endpoint: z.string().max(2000),
  p256dh: base64url.length(87, wrong),
  auth: base64url.length(22, wrong),
})
export type PushDevice = z.infer<typeof PushDevice>

export const EndedDevice = PushDevice.pick({ endpoint: true })

/** The shop's public key, by which a push service knows who may send. */
export const PushKey = z.object({ publicKey: z.string() })

export const fail = failureTable({
  'push.full': { status: 409, kind: 'validation', sentence: copy['push.full'] },
  'push.endpoint': { status: 400, kind: 'validation', sentence: copy['push.endpoint.wrong'] },
  'push.keys': { status: 400, kind: 'validation', sentence: wrong },
})
