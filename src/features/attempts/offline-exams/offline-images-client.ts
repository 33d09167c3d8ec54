import { imageAddressesIn, OFFLINE_IMAGES_CACHE, OFFLINE_IMAGES_MAX_BYTES } from './offline-images.ts'
import type { OfflineExam } from './offline-exams.schema.ts'

/** Without https there is no cache, and no offline practice either. */
const hasCaches = () => 'caches' in globalThis

/** Stores the images of an exam, as far as there is room. An exam is of use without them, so a failure is only logged. */
export async function storeImages({ questions, caseStudies }: OfflineExam): Promise<void> {
  const addresses = imageAddressesIn([questions, caseStudies])
  if (addresses.length === 0 || !hasCaches()) return
  try {
    const cache = await caches.open(OFFLINE_IMAGES_CACHE)
    let bytes = 0
    for (const reply of await cache.matchAll()) bytes += (await reply.blob()).size
    for (const address of addresses) {
      if ((await cache.match(address, { ignoreVary: true })) !== undefined) continue
      const reply = await fetch(address)
      if (!reply.ok) continue
      bytes += (await reply.clone().blob()).size
      if (bytes > OFFLINE_IMAGES_MAX_BYTES) return console.warn('There is no room for all images of an offline exam')
      await cache.put(address, reply)
    }
  } catch (error) {
    console.warn('The images of an offline exam could not be stored:', error)
  }
}

/** Deletes the images that no exam on this device shows any more. */
export async function pruneImages(exams: readonly OfflineExam[]): Promise<void> {
  if (!hasCaches() || !(await caches.has(OFFLINE_IMAGES_CACHE))) return
  if (exams.length === 0) return void (await caches.delete(OFFLINE_IMAGES_CACHE))
  const shown = new Set(exams.flatMap(({ questions, caseStudies }) => imageAddressesIn([questions, caseStudies])))
  const cache = await caches.open(OFFLINE_IMAGES_CACHE)
  for (const request of await cache.keys())
    if (!shown.has(new URL(request.url).pathname)) await cache.delete(request, { ignoreVary: true })
}
