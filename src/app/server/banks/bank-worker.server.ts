import { mayPass } from '../../../db/connect-with-retry.server.ts'
import { openDatabase, type Db } from '../../../db/open.server.ts'
import { runCheck } from '../../../features/authoring/checks/question-checks-commands.server.ts'
import { exportQuestions } from '../../../features/exchange/exports/exports-queries.server.ts'
import { readImport } from '../../../features/exchange/dry-run/dry-run-commands.server.ts'
import { exportCards } from '../../../features/study/anki-cards/study-cards-queries.server.ts'
import { Failure } from '../../../lib/failure.ts'
import { systemClock } from '../../../platform/clock.server.ts'
import type { BankTask, OpenTask, StepTaken, TaskResult } from './bank-workers.server.ts'

/** The child process that reads, exports and checks question banks, with its own database connections. */
// Ctrl-C in a terminal signals every process of the group; the server alone decides when this one ends.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())

let database: Db | null = null
let lastTask = Promise.resolve()
process.on('message', (message: OpenTask | BankTask) => {
  if (message.kind === 'open') database = openDatabase(message.address, { connections: 2 }).db
  else lastTask = lastTask.then(async () => void process.send?.(await run(message)))
})

/** Often enough for the server, and too seldom to cost it anything. */
const TELL_EACH_MS = 500

/** Tells the server that the task has begun, and then of its steps. Sent at once, also where the reader does not let the event loop run. */
function stepTeller(): () => void {
  let toldAtMs = Number.NEGATIVE_INFINITY
  const tell = () => {
    if (performance.now() - toldAtMs < TELL_EACH_MS) return
    toldAtMs = performance.now()
    process.send?.({ kind: 'step' } satisfies StepTaken)
  }
  tell()
  return tell
}

async function run(task: BankTask): Promise<TaskResult> {
  try {
    if (database === null) throw new Error('The worker received a task before its database.')
    const db = database
    if (task.kind === 'read') {
      await readImport(db, task.importId, { now: () => systemClock.now(), onStep: stepTeller() })
      return { kind: 'read' }
    }
    if (task.kind === 'check') {
      await runCheck(db, task.checkId, task.now)
      return { kind: 'checked' }
    }
    if (task.kind === 'cards') return { kind: 'cards', file: await exportCards(db, task.of) }
    const { chunks, ...file } = await exportQuestions(db, task.selection, systemClock.now())
    return { kind: 'exported', file, chunks: [...chunks] }
  } catch (error) {
    if (mayPass(error)) return { kind: 'away' }
    if (!(error instanceof Failure))
      return { kind: 'error', stack: error instanceof Error ? error.stack : String(error) }
    const { code, status, kind, message: sentence } = error
    return { kind: 'refused', code, spec: { status, kind, sentence } }
  }
}
