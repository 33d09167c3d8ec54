/** Closed at first. Lets the clients work, pauses them between two of their actions, and sends them home. */
export type Gate = {
  /** Waits while the gate is closed; false when it is over. */
  pass(client: string): Promise<boolean>
  isOver(): boolean
  /** Waits until every client waits at the gate. Names those who do not after `limitMs`; null when all do. */
  close(limitMs: number): Promise<string | null>
  open(): void
  end(): void
  /** The client is expected at the gate until the work ends. */
  admit(client: string, work: () => Promise<void>): Promise<void>
}

export function createGate(): Gate {
  let state: 'open' | 'closed' | 'over' = 'closed'
  const isClosed = () => state === 'closed'
  const busy = new Set<string>()
  let waiting: (() => void)[] = []
  let onAllWait: (() => void) | null = null

  const leave = (client: string) => {
    busy.delete(client)
    if (isClosed() && busy.size === 0) onAllWait?.()
  }
  const release = () => {
    const released = waiting
    waiting = []
    for (const resume of released) resume()
  }
  return {
    async pass(client) {
      while (isClosed()) {
        const opened = new Promise<void>((resolve) => waiting.push(resolve))
        leave(client)
        await opened
        busy.add(client)
      }
      return state === 'open'
    },
    isOver: () => state === 'over',
    close(limitMs) {
      state = 'closed'
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve([...busy].join(', ')), limitMs)
        onAllWait = () => {
          clearTimeout(timer)
          resolve(null)
        }
        if (busy.size === 0) onAllWait()
      })
    },
    open() {
      state = 'open'
      onAllWait = null
      release()
    },
    end() {
      state = 'over'
      release()
    },
    async admit(client, work) {
      busy.add(client)
      try {
        await work()
      } finally {
        leave(client)
      }
    },
  }
}
