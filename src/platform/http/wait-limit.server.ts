import { fail } from '../request-failures.ts'

/** How long a request may wait for the database. */
export const WAIT_MS = 8_000
/** When the caller may try again. */
const RETRY_SECONDS = 5

/** The reply of a request that the database does not answer. */
export function databaseAway(detail: unknown) {
  return fail('server.away', { facts: { retryAfterSeconds: RETRY_SECONDS }, detail })
}

/** How often a request beyond the limit asks whether the database is away. */
const ASK_AGAIN_MS = 1_000

/** The limit of one request. It is lifted while the request waits for something else: its caller or a third party. */
export class WaitLimit {
  readonly #over: Promise<never>
  #end: () => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #hasLimit = true
  readonly #isOver: boolean
  readonly #wasDatabaseUpSince: (time: number) => Promise<boolean>
  readonly #beganAt: number
  #waitsForOthers = false
  #isDone = false

  /** `waited` are the milliseconds that the request has waited already. */
  constructor(waited = 0, wasDatabaseUpSince: (time: number) => Promise<boolean> = () => Promise.resolve(true)) {
    this.#wasDatabaseUpSince = wasDatabaseUpSince
    this.#beganAt = performance.now() - waited
    this.#over = new Promise((_resolve, reject) => {
      this.#end = () => reject(databaseAway(`no reply within ${WAIT_MS / 1000} seconds`))
    })
    this.#over.catch(() => {})
    this.#isOver = waited >= WAIT_MS
    this.#start(WAIT_MS - waited)
  }

  /** What `work` returns. @throws Failure server.away at the limit; the work goes on, and nobody hears of its end */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      if (this.#isOver) return await this.#over
      const working = work()
      working.catch(() => {})
      return await Promise.race([working, this.#over])
    } finally {
      this.#isDone = true
      clearTimeout(this.#timer)
    }
  }

  /**
   * It waits for a third party: beyond the limit it goes on for as long as the database answers others. Not when the database was lost
   * meanwhile: then it may wait for a connection that nobody will answer, however well new ones are.
   */
  endOnlyIfAway(): void {
    this.#waitsForOthers = true
  }

  /** From now on without a limit. */
  lift(): void {
    this.#hasLimit = false
    clearTimeout(this.#timer)
  }

  /** Waits for the caller's own bytes, which take as long as they take. */
  async without<Result>(arriving: Promise<Result>): Promise<Result> {
    clearTimeout(this.#timer)
    try {
      return await arriving
    } finally {
      if (this.#hasLimit) this.#start(WAIT_MS)
    }
  }

  #start(ms: number) {
    clearTimeout(this.#timer)
    if (ms <= 0) this.#end()
    else this.#timer = setTimeout(() => void this.#expire(), ms).unref()
  }

  async #expire() {
    if (!this.#waitsForOthers || !(await this.#wasDatabaseUpSince(this.#beganAt))) this.#end()
    else if (!this.#isDone) this.#start(ASK_AGAIN_MS)
  }
}
