import type { Stream } from './process-messages.ts'

type Open = Stream & { readonly worker: number }

type SharedStreamsOptions = {
  readonly perUser: number
  /** Tells every worker how many streams a network has now. */
  readonly tellCount: (network: string, count: number) => void
  /** Ends the oldest stream of a user in a worker. */
  readonly endOldest: (worker: number, userId: string) => void
}

/** The open realtime streams of all workers, counted in the first process, so that the limits hold for all of them together. */
export class SharedStreams {
  readonly #networks = new Map<string, Open[]>()
  readonly #users = new Map<string, Open[]>()
  readonly #options: SharedStreamsOptions

  constructor(options: SharedStreamsOptions) {
    this.#options = options
  }

  opened(worker: number, stream: Stream): void {
    const open = { ...stream, worker }
    this.#setNetwork(open.network, [...(this.#networks.get(open.network) ?? []), open])
    if (open.userId === null) return
    const streams = [...(this.#users.get(open.userId) ?? []), open]
    this.#users.set(open.userId, streams)
    const oldest = streams[0]!
    if (streams.length > this.#options.perUser) this.#options.endOldest(oldest.worker, open.userId)
  }

  /** Which of a worker's streams of a user closed does not matter: the oldest is taken for it. */
  closed(worker: number, { network, userId }: Stream): void {
    const isIt = (open: Open) => open.worker === worker && open.userId === userId && open.network === network
    this.#setNetwork(network, withoutFirst(this.#networks.get(network) ?? [], isIt))
    if (userId !== null) this.#setUser(userId, withoutFirst(this.#users.get(userId) ?? [], isIt))
  }

  /** A worker has ended, and with it its streams. */
  forget(worker: number): void {
    const isElsewhere = (open: Open) => open.worker !== worker
    for (const [network, streams] of this.#networks)
      if (!streams.every(isElsewhere)) this.#setNetwork(network, streams.filter(isElsewhere))
    for (const [userId, streams] of this.#users) this.#setUser(userId, streams.filter(isElsewhere))
  }

  /** What a new worker has to know. */
  counts(): [network: string, count: number][] {
    return [...this.#networks].map(([network, streams]) => [network, streams.length])
  }

  #setNetwork(network: string, streams: Open[]): void {
    if (streams.length === 0) this.#networks.delete(network)
    else this.#networks.set(network, streams)
    this.#options.tellCount(network, streams.length)
  }

  #setUser(userId: string, streams: Open[]): void {
    if (streams.length === 0) this.#users.delete(userId)
    else this.#users.set(userId, streams)
  }
}

function withoutFirst(streams: readonly Open[], isIt: (open: Open) => boolean): Open[] {
  const place = streams.findIndex(isIt)
  return streams.filter((_, at) => at !== place)
}
