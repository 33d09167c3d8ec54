/** How often a process says that it is still at work on something. */
export const BEAT_MS = 3_000
/** Work of which nothing was heard for longer may have lost its process. */
export const SILENT_SECONDS = 12
/** How often work without a process is looked for. It is taken over after two looks: at most 22 seconds after its process died. */
export const LOOK_SECONDS = 5

/**
 * Tells which work has lost its process: what was silent at two looks in a row, with nothing heard in between. After the database was away all
 * work has been silent, and whoever is at it is heard before the second look.
 */
export class Lookout {
  #before = new Map<string, number>()

  findLost(silent: readonly { readonly id: string; readonly heardAt: Date }[]): string[] {
    const lost = silent.filter(({ id, heardAt }) => this.#before.get(id) === heardAt.getTime()).map(({ id }) => id)
    this.#before = new Map(silent.map(({ id, heardAt }) => [id, heardAt.getTime()]))
    return lost
  }
}

/** Calls `beat` every few seconds until `stop`. One that fails is no matter: the next one may succeed. */
export function startBeat(beat: () => Promise<unknown>): { stop(): void } {
  let isUnderWay = false
  const timer = setInterval(() => {
    if (isUnderWay) return
    isUnderWay = true
    void beat()
      .catch(() => undefined)
      .finally(() => (isUnderWay = false))
  }, BEAT_MS).unref()
  return { stop: () => clearInterval(timer) }
}
