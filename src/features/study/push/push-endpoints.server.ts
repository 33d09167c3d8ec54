import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { addDevice, removeDevice, type Push } from './push-commands.server.ts'
import { EndedDevice, PushDevice, PushKey } from './push.schema.ts'

/** On which devices a learner is reminded. */
export function pushApi({ push }: { readonly push: Push }) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/push',
      who: 'signed-in',
      about: 'Returns the public key that a browser needs to subscribe to notifications (RFC 8292).',
      reply: PushKey,
      handle: () => Promise.resolve({ publicKey: push.publicKey }),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/push/devices',
      who: 'signed-in',
      about: "Sends the user's reminders to this browser too, up to ten browsers. Idempotent.",
      body: PushDevice,
      reply: Done,
      async handle({ body }, context) {
        await addDevice(context.db, { userId: requireUser(context).id, device: body, rules: push.rules })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/push/devices/end',
      who: 'signed-in',
      about: 'Ends reminders on a browser of the user. Idempotent.',
      body: EndedDevice,
      reply: Done,
      async handle({ body }, context) {
        await removeDevice(context.db, { userId: requireUser(context).id, endpoint: body.endpoint })
        return done
      },
    }),
  ]
}
