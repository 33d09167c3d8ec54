import { clientOf } from '../../platform/api-client.ts'
import { clearPrivatePages } from '../offline/stored-pages-client.ts'
import type { ownDataApi } from './own-data-endpoints.server.ts'

const call = clientOf<typeof ownDataApi>()

export const mailDeletionLink = () => call('POST', '/api/profiles/me/deletion-email')

/** Deletes another user's account. @throws CallFailed with problems under `email` and `reason` */
export const deleteUser = (userId: string, proof: { readonly email: string; readonly reason: string }) =>
  call('POST', '/api/profiles/:userId/deletion', { params: { userId }, body: proof })

/** Deletes the user's account and everything that this browser stored. An account without a password needs the emailed token. */
export async function deleteAccount(proof: { password: string } | { token: string }): Promise<void> {
  await call('POST', '/api/profiles/me/deletion', { body: proof })
  await clearThisBrowser()
}

/** Deletes the site's storage, databases and caches. */
async function clearThisBrowser(): Promise<void> {
  try {
    const device = await import('../../features/attempts/saving/stored-answers-client.ts')
    await device.clearEverything()
    await clearPrivatePages()
    localStorage.clear()
    sessionStorage.clear()
    for (const name of await caches.keys()) await caches.delete(name)
    for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name)
  } catch (error) {
    console.warn('Some data of this site could not be deleted from the browser:', error)
  }
}
