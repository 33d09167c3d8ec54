import { createServer } from 'node:net'

// Below the ports that systems give to outgoing connections (from 32768 on), which could take it before it is used.
const FIRST = 12_000
const COUNT = 20_000

/** A port on loopback that is free now. @throws Error when a hundred of them were taken */
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
