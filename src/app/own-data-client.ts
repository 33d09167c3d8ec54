import { clientOf } from '../platform/client.ts'
import { forgetPrivatePages } from './offline-client.ts'
import type { ownDataApi } from './own-data.server.ts'

const call = clientOf<typeof ownDataApi>()

export const mailDeletionLink = () => call('POST', '/api/profiles/me/deletion-letter')

/** Of somebody else, by an admin. @throws CallFailed, with problems under `email` and `reason` */
export const deletePerson = (personId: string, proof: { readonly email: string; readonly reason: string }) =>
  call('POST', '/api/profiles/:personId/deletion', { params: { personId }, body: proof })

/** With the password, or with the token of the mail where there is none. What this browser kept goes with the account. */
export async function deleteAccount(proof: { password: string } | { token: string }): Promise<void> {
  await call('POST', '/api/profiles/me/deletion', { body: proof })
  await forgetThisBrowser()
}

/** Nothing of the site is left in this browser: storage, databases, caches. */
async function forgetThisBrowser(): Promise<void> {
  try {
    const device = await import('../features/attempts/saving/device/client.ts')
    await device.forgetEverything()
    await forgetPrivatePages()
    localStorage.clear()
    sessionStorage.clear()
    for (const name of await caches.keys()) await caches.delete(name)
    for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name)
  } catch (error) {
    console.warn('What this browser kept could not all be removed:', error)
  }
}
