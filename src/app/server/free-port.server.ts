import { createServer } from 'node:net'

// Below the ephemeral ports (from 32768 on): an outgoing connection could take one of those before it is used.
const FIRST = 12_000
const COUNT = 20_000

/** A free port on loopback. @throws Error after 100 ports that are taken */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (await isFree(port)) return port
  }
  throw new Error('no free port was found')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
