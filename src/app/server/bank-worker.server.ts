import { openDatabase, type Db } from '../../db/open.server.ts'
import { runCheck } from '../../features/authoring/checks/question-checks-commands.server.ts'
import { exportQuestions } from '../../features/exchange/exports/exports-queries.server.ts'
import { readImport } from '../../features/exchange/dry-run/dry-run-commands.server.ts'
import { Failure } from '../../lib/failure.ts'
import { systemClock } from '../../platform/clock.server.ts'
import type { BankTask, BeginTask, TaskDone } from './bank-workers.server.ts'

/** A process of its own, with connections of its own: banks are read, written and checked here, so that the server answers meanwhile. */
// Who stops the server from a terminal stops everything that runs there; the server says itself when this is to end.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())

let opened: Db | null = null
let last = Promise.resolve()
process.on('message', (message: BeginTask | BankTask) => {
  if (message.kind === 'begin') opened = openDatabase(message.url, { connections: 2 }).db
  else last = last.then(async () => void process.send?.(await answer(message)))
})

async function answer(task: BankTask): Promise<TaskDone> {
  try {
    if (opened === null) throw new Error('This process works for a server.')
    const db = opened
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
