import { setTimeout as wait } from 'node:timers/promises'
import { bankFile } from '../../bench/bank-files.ts'
import type { Caller } from './calls.ts'
import type { Gate } from './gate.ts'

/** The imports whose storing was acknowledged: the title of the exam and its questions. */
export type ImportRecord = {
  readonly stored: { readonly title: string; readonly questions: number }[]
  /** When an import was last seen to go on: it was uploaded, more of it was read, or it was stored. */
  movedAt: number
  /** What a person had to upload again, and why. */
  readonly givenUp: string[]
}

const RETRY_MS = 400

type View = {
  readonly id: string
  readonly state: string
  readonly storedAt: string | null
  readonly readCount: number
  readonly problem: string | null
}

/** Imports a bank into a new course again and again. */
export async function importBanks(
  cookie: string,
  options: { call: Caller; record: ImportRecord; gate: Gate; questions: number },
): Promise<void> {
  const { record, gate, questions } = options
  const bank = new TextDecoder().decode(bankFile('json', questions).bytes)
  for (let number = 1; await gate.pass('import'); number += 1) {
    const title = `Chaos import ${number}`
    // The shop does not store a question that it has already.
    const bytes = new TextEncoder().encode(
      bank.replaceAll('bench-json-', `chaos-${number}-`).replaceAll('for case ', `for case ${number}/`),
    )
    if (await importOne({ ...options, cookie, title, bytes })) {
      record.stored.push({ title, questions })
      record.movedAt = performance.now()
    }
  }
}

async function importOne({
  call,
  record,
  gate,
  cookie,
  title,
  bytes,
}: {
  call: Caller
  record: ImportRecord
  gate: Gate
  cookie: string
  title: string
  bytes: Uint8Array
}): Promise<boolean> {
  const view = async (id: string) => {
    const reply = await call(`/api/imports/${id}`, { cookie })
    return reply?.status === 200 ? (JSON.parse(reply.text) as View) : null
  }
  let id: string | null = null
  let seen = ''
  // A pause may come in the middle.
  while (await gate.pass('import')) {
    await wait(RETRY_MS)
    if (id === null) {
      const reply = await call('/api/imports?name=chaos.json', { method: 'POST', cookie, bytes, mayTakeLong: true })
      if (reply?.status === 200) id = (JSON.parse(reply.text) as View).id
      continue
    }
    const found = await view(id)
    const progress = `${id} ${found?.state} ${found?.readCount}`
    if (found !== null && progress !== seen) {
      seen = progress
      record.movedAt = performance.now()
    }
    if (found === null || found.state === 'waiting' || found.state === 'reading') continue
    if (found.state !== 'read') {
      record.givenUp.push(`${title}: ${found.state}, ${found.problem ?? 'without a reason'}`)
      id = null
      continue
    }
    if (found.storedAt !== null) return true
    const target = { kind: 'new-course', course: { title }, exam: { title } }
    const reply = await call(`/api/imports/${id}/store`, { method: 'POST', cookie, json: { target, withReview: true } })
    if (reply?.status === 200) return true
  }
  return false
}
