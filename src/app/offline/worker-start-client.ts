import { savesData, STORED_FOR_OFFLINE } from '../../platform/data-saving-client.ts'
import type { WorkerMessage } from './offline.ts'

/** A first visit's presses come before the worker, which fetches more than a hundred files. */
const FIRST_VISIT_MS = 3000

/**
 * Registers the worker when the page is loaded and idle, so that it does not delay the first paint. The worker fetches the whole shop
 * ahead, so for somebody who saves data it waits until they keep an exam on the device.
 */
export function startWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  if (savesData()) return window.addEventListener(STORED_FOR_OFFLINE, () => void register(), { once: true })
  const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000))
  const delayMs = navigator.serviceWorker.controller === null ? FIRST_VISIT_MS : 0
  const start = () => setTimeout(() => idle(() => void register()), delayMs)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register('/service-worker.js')
    const manifest = (window as unknown as Record<string, { url?: string } | undefined>)['__reactRouterManifest']?.url
    if (manifest !== undefined)
      registration.waiting?.postMessage({ kind: 'take-over', manifest } satisfies WorkerMessage)
  } catch (error) {
    console.warn('Pages will not open offline:', error)
  }
}
