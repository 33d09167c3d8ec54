import cluster from 'node:cluster'
import type { SiblingStreams } from '../../../platform/realtime/listeners.server.ts'
import type { Figure } from '../../../platform/metrics.server.ts'
import type { ToFirstProcess, ToWorker } from './process-messages.ts'

/** What an application knows of the others that serve the same port. */
export type Siblings = {
  /** The figures of all of them, this process included. */
  allFigures(): Promise<readonly Figure[]>
  readonly streams: SiblingStreams
}

type Orders = { stop(): void; retire(): void }

/** A worker's end of its conversation with the first process. */
export class WorkerProcess implements Siblings {
  readonly #wanted = new Map<number, (figures: readonly Figure[]) => void>()
  readonly #networks = new Map<string, number>()
  readonly streams: SiblingStreams
  #wants = 0
  #listOwn: () => readonly Figure[] = () => []
  #endOldest: (userId: string) => void = () => undefined
  /** Before it serves, there is nothing to finish. */
  #orders: Orders = { stop: () => process.exit(0), retire: () => process.exit(0) }

  constructor() {
    process.on('message', (message) => this.#hear(message as ToWorker))
    // A terminal or a service manager may send it to all processes; what it means is for the first one to say.
    process.on('SIGHUP', () => undefined)
    this.streams = {
      opened: (stream) => this.#say({ kind: 'stream-opened', stream }),
      closed: (stream) => this.#say({ kind: 'stream-closed', stream }),
      countOf: (network) => this.#networks.get(network) ?? 0,
      onEndOldest: (end) => (this.#endOldest = end),
    }
  }

  /** From now on it serves, and orders are carried out. */
  serving(orders: Orders, listOwn: () => readonly Figure[]): void {
    this.#orders = orders
    this.#listOwn = listOwn
    this.#say({ kind: 'serving' })
  }

  allFigures(): Promise<readonly Figure[]> {
    this.#wants += 1
    const id = this.#wants
    return new Promise((resolve) => {
      this.#wanted.set(id, resolve)
      this.#say({ kind: 'all-figures-wanted', id })
    })
  }

  /** So that what it has counted is not lost. */
  sayLastFigures(): void {
    this.#say({ kind: 'figures', id: null, figures: this.#listOwn() })
  }

  #say(message: ToFirstProcess): void {
    // The first process may have been killed; this one ends with it.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }

  #hear(message: ToWorker): void {
    if (message.kind === 'stop') this.#orders.stop()
    else if (message.kind === 'retire') this.#orders.retire()
    else if (message.kind === 'figures-wanted') this.#say({ kind: 'figures', id: message.id, figures: this.#listOwn() })
    else if (message.kind === 'all-figures') {
      this.#wanted.get(message.id)?.(message.figures)
      this.#wanted.delete(message.id)
    } else if (message.kind === 'end-oldest-stream') this.#endOldest(message.userId)
    else if (message.count === 0) this.#networks.delete(message.network)
    else this.#networks.set(message.network, message.count)
  }
}

/** Null in a process that runs alone. */
export function joinFirstProcess(): WorkerProcess | null {
  return cluster.isWorker ? new WorkerProcess() : null
}
