import type { Page } from '@playwright/test'
import { expect, test } from './e2e-test.ts'

/** A second try begins without the attempt that the try before it left open. */
export async function endAttemptOfLastTry(page: Page, examSlug: string, mode: 'practice' | 'timed') {
  if (test.info().retry === 0) return
  const headers = { origin: process.env['E2E_URL'] ?? '' }
  const writer = 'second-try'
  const post = (path: string, data: object) => page.request.post(path, { headers, data })
  const { id } = (await (await post('/api/attempts', { examSlug, mode, writer })).json()) as { id: string }
  await post(`/api/attempts/${id}/writer`, { writer })
  expect((await post(`/api/attempts/${id}/finish`, { writer, answers: {} })).status()).toBe(200)
}

/** A price that the try before this one did not set: what is as it was is not sent. */
export const priceOfThisTry = (cents: number) => ((cents + test.info().retry) / 100).toFixed(2)
