import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to the database that can lose everything without a word, as a firewall or a dead network does. */
export type SwallowingProxy = {
  readonly port: number
  /** Nothing passes from now on, and no connection is closed. New connections are accepted and get no answer. */
  swallow(): void
  /** New connections pass again. Those from before stay open and silent for ever. */
  restore(): void
  close(): Promise<void>
}

const KEEPALIVE_MS = 60_000

export async function startSwallowingProxy(to: {
  readonly host: string
  readonly port: number
}): Promise<SwallowingProxy> {
  const open = new Set<{ readonly near: Socket; readonly far: Socket | null; lose(): void }>()
  const lost = new WeakSet<Socket>()
  let isSwallowing = false

  const server = createServer((near) => {
    near.on('error', () => {})
    const far = isSwallowing ? null : connect(to)
    const pair = {
      near,
      far,
      lose() {
        lost.add(near)
        near.unpipe()
        // Read on, so that the sender notices nothing.
        near
          .removeAllListeners('end')
          .on('data', () => {})
          .resume()
        far?.unpipe()
        far?.on('data', () => {}).resume()
        // Until then the database keeps the session and its locks, as it would until its own keepalive.
        if (far !== null) setTimeout(() => far.destroy(), KEEPALIVE_MS).unref()
      },
    }
    open.add(pair)
    near.once('close', () => {
      open.delete(pair)
      if (!lost.has(near)) far?.destroy()
    })
    if (far === null) return pair.lose()
    far.on('error', () => near.destroy())
    far.once('end', () => near.end())
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      isSwallowing = true
      for (const { far } of open)
        far
          ?.removeAllListeners('end')
          .removeAllListeners('error')
          .on('error', () => {})
      for (const pair of open) if (!lost.has(pair.near)) pair.lose()
    },
    restore() {
      isSwallowing = false
    },
    async close() {
      for (const { near, far } of open) {
        near.destroy()
        far?.destroy()
      }
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
