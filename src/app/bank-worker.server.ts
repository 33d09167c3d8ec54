import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../db/open.server.ts'
import { runCheck } from '../features/catalogue/drafts/checks/write.server.ts'
import { exportQuestions } from '../features/exchange/exports/read.server.ts'
import { readImport } from '../features/exchange/imports/reading/write.server.ts'
import { Failure } from '../lib/failure.ts'
import { systemClock } from '../platform/clock.server.ts'
import type { BankTask, TaskDone } from './bank-threads.server.ts'

/** A thread of its own, with connections of its own: banks are read, written and checked here, so that the server answers meanwhile. */
const port = parentPort
if (port === null) throw new Error('This file runs as a thread.')
// On Linux a thread has a priority of its own; elsewhere this would be the whole server's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const { db } = openDatabase((workerData as { url: string }).url, { connections: 2 })

let last = Promise.resolve()
port.on('message', (task: BankTask) => {
  last = last.then(async () => port.postMessage(await answer(task)))
})

async function answer(task: BankTask): Promise<TaskDone> {
  try {
    if (task.kind === 'read') {
      await readImport(db, task.importId, { now: () => systemClock.now() })
      return { kind: 'read' }
    }
    if (task.kind === 'check') {
      await runCheck(db, task.checkId, task.now)
      return { kind: 'checked' }
    }
    const { chunks, ...about } = await exportQuestions(db, task.wanted)
    return { kind: 'written', about, chunks: [...chunks] }
  } catch (error) {
    if (!(error instanceof Failure))
      return { kind: 'broken', reason: error instanceof Error ? error.stack : String(error) }
    const { code, status, kind, message: sentence } = error
    return { kind: 'refused', code, spec: { status, kind, sentence } }
  }
}
