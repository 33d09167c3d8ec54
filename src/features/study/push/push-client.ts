import { clientOf } from '../../../platform/api-client.ts'
import type { pushApi } from './push-endpoints.server.ts'

const call = clientOf<typeof pushApi>()

/** `missing`: this browser has no push. `denied`: it may show no notifications of this site. */
export type DeviceState = 'missing' | 'denied' | 'off' | 'on'

/** A browser may ask its vendor first. */
const FORGET_MS = 3000

const hasPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

export async function readDevice(): Promise<DeviceState> {
  if (!hasPush()) return 'missing'
  if (Notification.permission === 'denied') return 'denied'
  return (await findSubscription()) === null ? 'off' : 'on'
}

/** Asks for permission and subscribes this browser. @throws CallFailed, or a DOMException of the browser */
export async function turnOn(): Promise<DeviceState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  const { publicKey } = await call('GET', '/api/push')
  // Somebody who saves data may have no worker yet.
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  // One that was made with another key could not be replaced.
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { keys } = subscription.toJSON()
  try {
    const { p256dh = '', auth = '' } = keys ?? {}
    await call('PUT', '/api/push/devices', { body: { endpoint: subscription.endpoint, p256dh, auth } })
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
  return 'on'
}

/** Ends reminders on this browser. Without a network the shop hears of it from the push service, at the next reminder. */
export async function turnOff(): Promise<DeviceState> {
  const subscription = await findSubscription()
  if (subscription === null) return 'off'
  await subscription.unsubscribe()
  const ended = call('POST', '/api/push/devices/end', { body: { endpoint: subscription.endpoint } })
  await ended.catch((error: unknown) => console.warn('The shop was not told that reminders ended here:', error))
  return 'off'
}

/** At a sign-out, which does not wait long for it. Its session is over, so the shop hears of it from the push service. */
export async function forgetDevice(): Promise<void> {
  if (!hasPush()) return
  try {
    const ended = findSubscription().then((subscription) => subscription?.unsubscribe())
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, FORGET_MS))])
  } catch (error) {
    console.warn('Reminders could not be ended on this device:', error)
  }
}
