import { clientOf } from '../../platform/api-client.ts'
import { clearPrivatePages } from '../offline/offline-client.ts'
import type { ownDataApi } from './own-data-endpoints.server.ts'

const call = clientOf<typeof ownDataApi>()

export const mailDeletionLink = () => call('POST', '/api/profiles/me/deletion-email')

/** Of somebody else, by an admin. @throws CallFailed, with problems under `email` and `reason` */
export const deleteUser = (userId: string, proof: { readonly email: string; readonly reason: string }) =>
  call('POST', '/api/profiles/:userId/deletion', { params: { userId }, body: proof })

/** With the password, or with the token of the mail where there is none. What this browser kept goes with the account. */
export async function deleteAccount(proof: { password: string } | { token: string }): Promise<void> {
  await call('POST', '/api/profiles/me/deletion', { body: proof })
  await clearThisBrowser()
}

/** Nothing of the site is left in this browser: storage, databases, caches. */
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
    console.warn('What this browser kept could not all be removed:', error)
  }
}
