import { signOut } from '../../features/accounts/accounts-client.ts'
import { fill } from '../../lib/failure.ts'
import { copy } from '../app.copy.ts'
import { clearPrivatePages } from '../offline/stored-pages-client.ts'

/** Ends the session, then deletes what the device stores for the user. @throws CallFailed */
export async function endSession(): Promise<void> {
  await signOut()
  await clearDevice()
}

/** The code of most of them is imported here because most pages never need it. */
const deletions: readonly (() => Promise<void>)[] = [
  clearPrivatePages,
  async () => (await import('../../features/attempts/saving/stored-answers-client.ts')).clearSent(),
  async () => (await import('../../features/catalogue/data-calls/tab-sync-client.ts')).discardChanges(),
  async () => (await import('../../features/catalogue/data-calls/local-courses-client.ts')).clearStored(),
  async () => (await import('../../features/attempts/offline-exams/offline-exams-client.ts')).clearEverything(),
  async () => (await import('../../features/study/push/push-client.ts')).forgetDevice(),
]

/** Deletes what the device stores for the user. The session is over, so a failure of one is logged and stops none of the others. */
async function clearDevice(): Promise<void> {
  for (const deletion of deletions)
    await deletion().catch((error: unknown) => console.warn('Something could not be deleted from the device:', error))
}

/** Sends what belongs to the session before it ends. Resolves to the sentences about what a sign-out would lose; null for nothing. */
export async function sendAndFindLosses(user: { readonly id: string; readonly role: string }): Promise<string | null> {
  let changeCount = 0
  if (user.role === 'admin') {
    const { sendBeforeLeaving } = await import('../../features/catalogue/data-calls/tab-sync-client.ts')
    changeCount = await sendBeforeLeaving(user.id)
  }
  const resultCount = await sendOfflineResults(user.id)
  const sentences = [
    ...(changeCount > 0 ? [fill(copy['signout.unsent.text'], { n: changeCount })] : []),
    ...(resultCount > 0 ? [fill(copy['signout.results.text'], { n: resultCount })] : []),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}

/** Resolves to the number of results that could not be sent. */
async function sendOfflineResults(userId: string): Promise<number> {
  try {
    const { countResults, endPractices, sendResults } =
      await import('../../features/attempts/offline-exams/offline-exams-client.ts')
    // Offline, the sign-out fails and practice continues.
    if (!navigator.onLine) return 0
    await endPractices()
    await sendResults(userId)
    return await countResults(userId)
  } catch (error) {
    console.warn('Offline results could not be sent:', error)
    return 0
  }
}
