import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll } from 'vitest'

export type Network = {
  readonly url: string
  /** Connections stay open, also new ones, but nothing arrives. */
  freeze(): void
  /** What was sent meanwhile arrives now. */
  thaw(): void
  /** Loses what is sent over the connections that are open now, for good. New ones work. */
  swallow(): void
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Accepts connections again. */
  restore(): void
}

/** A network between an app and its database that fails as a test decides. */
export async function aNetworkTo(database: string): Promise<Network> {
  const to = new URL(database)
  const sockets = new Set<Socket>()
  const swallowed = new WeakSet<Socket>()
  let isFrozen = false
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.resetAndDestroy()
    const far = connect(Number(to.port), to.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (bytes: Buffer) => {
        if (!swallowed.has(socket)) other.write(bytes)
      })
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      if (isFrozen) socket.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    swallow() {
      for (const socket of sockets) swallowed.add(socket)
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.resetAndDestroy()
    },
    restore() {
      isCut = false
    },
  }
}
