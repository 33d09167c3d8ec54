import { setTimeout as wait } from 'node:timers/promises'
import { bankFile } from '../../bench/bank-files.ts'
import type { Caller } from './calls.ts'
import type { Gate } from './gate.ts'

/** The imports whose storing was acknowledged: the title of the exam and its questions. */
export type ImportRecord = { readonly stored: { readonly title: string; readonly questions: number }[] }

const RETRY_MS = 400

type View = { readonly id: string; readonly state: string; readonly storedAt: string | null }

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
    if (await importOne({ ...options, cookie, title, bytes })) record.stored.push({ title, questions })
  }
}

async function importOne({
  call,
  gate,
  cookie,
  title,
  bytes,
}: {
  call: Caller
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
  // A pause may come in the middle: an import whose reader was killed is called stopped only minutes later.
  while (await gate.pass('import')) {
    await wait(RETRY_MS)
    if (id === null) {
      const reply = await call('/api/imports?name=chaos.json', { method: 'POST', cookie, bytes, mayTakeLong: true })
      if (reply?.status === 200) id = (JSON.parse(reply.text) as View).id
      continue
    }
    const found = await view(id)
    if (found === null || found.state === 'waiting' || found.state === 'reading') continue
    // The disk was full, or the import was read once too often by processes that were killed: a person uploads it again.
    if (found.state !== 'read') {
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
