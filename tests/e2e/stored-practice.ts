import type { Page } from '@playwright/test'

/**
 * How much of the practice of the exam on the device is stored there. What is pressed is shown a moment before it is on the disk,
 * and a reload that comes in between loses it.
 */
export function storedPractice(page: Page) {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('altocert-packs')
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('not opened')))
    })
    type Stored = { practice?: { answers: object; checked: unknown[]; struck: unknown[] } }
    const [stored] = await new Promise<Stored[]>((resolve) => {
      const request = database.transaction('packs').objectStore('packs').getAll()
      request.addEventListener('success', () => resolve(request.result as Stored[]))
    })
    database.close()
    const { answers = {}, checked = [], struck = [] } = stored?.practice ?? {}
    return { answered: Object.keys(answers).length, checked: checked.length, struck: struck.length }
  })
}
