import type { Figure, Metrics } from '../../platform/metrics.server.ts'
import type { Listeners } from '../../platform/realtime/listeners.server.ts'
import { cacheFigures, type ProcessCaches } from './process-caches.server.ts'
import { replicaFigures } from './replica-reads.server.ts'
import type { Services } from './services.server.ts'

type Measured = { readonly metrics: Metrics; readonly listeners: Listeners; readonly caches: ProcessCaches }

/** The figures of /metrics. */
export function listFigures(services: Services, { metrics, listeners, caches }: Measured): Figure[] {
  return [
    ...metrics.figures(),
    ...listeners.figures(),
    ...cacheFigures(caches),
    ...services.jobs.figures(),
    ...processFigures(services, caches),
    ...replicaFigures(services.replica),
  ]
}

/** What alerts watch in a process. Figures of several processes are summed, so they count processes instead of saying yes or no. */
function processFigures({ database: { pool }, clock }: Services, caches: ProcessCaches): Figure[] {
  return [
    {
      name: 'altocert_processes',
      kind: 'gauge',
      help: 'Processes whose figures these are.',
      values: [[{}, 1]],
    },
    {
      name: 'altocert_processes_without_changes',
      kind: 'gauge',
      help: 'Processes that hear no changes of the database and serve nothing from their caches.',
      values: [[{}, caches.isCurrent() ? 0 : 1]],
    },
    {
      name: 'altocert_processes_with_wrong_clock',
      kind: 'gauge',
      help: "Processes whose clock is more than 30 seconds from the database's.",
      values: [[{}, clock.isRight() ? 0 : 1]],
    },
    {
      name: 'altocert_database_connections',
      kind: 'gauge',
      help: 'Connections to the database that are in use or idle, and those that requests wait for.',
      values: [
        [{ state: 'used' }, pool.totalCount - pool.idleCount],
        [{ state: 'idle' }, pool.idleCount],
        [{ state: 'awaited' }, pool.waitingCount],
      ],
    },
  ]
}
