import { addFigures, type Figure } from '../../../platform/metrics.server.ts'

/** A worker that is too busy to answer sooner is counted with what it said last. */
const ANSWER_MS = 2_000

type Asked = { readonly isMissing: Set<number>; finish(): void }

/** The figures of all workers, added up in the first process. Counters of workers that have ended go on counting. */
export class SharedFigures {
  readonly #last = new Map<number, readonly Figure[]>()
  readonly #asked = new Map<number, Asked>()
  #ended: readonly Figure[] = []
  #asks = 0

  /** Asks every worker by `ask`. */
  async collect(workers: readonly number[], ask: (worker: number, id: number) => void): Promise<readonly Figure[]> {
    this.#asks += 1
    const id = this.#asks
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ANSWER_MS)
      const finish = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#asked.set(id, { isMissing: new Set(workers), finish })
      for (const worker of workers) ask(worker, id)
    })
    this.#asked.delete(id)
    return addFigures([this.#ended, ...this.#last.values()])
  }

  answered(worker: number, id: number | null, figures: readonly Figure[]): void {
    this.#last.set(worker, figures)
    if (id !== null) this.#expectNoMore(worker, id)
  }

  /** A worker has ended. */
  forget(worker: number): void {
    const counters = (this.#last.get(worker) ?? []).filter(({ kind }) => kind === 'counter')
    this.#ended = addFigures([this.#ended, counters])
    this.#last.delete(worker)
    for (const id of this.#asked.keys()) this.#expectNoMore(worker, id)
  }

  #expectNoMore(worker: number, id: number): void {
    const asked = this.#asked.get(id)
    asked?.isMissing.delete(worker)
    if (asked?.isMissing.size === 0) asked.finish()
  }
}
