import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, removeLeftovers } from './embedded-folder.server.ts'

const PREFIX = 'user-'
/** Users of a folder in this process: only the last of them removes its file. */
const counts = new Map<string, number>()

export type User = {
  leave(): void
  /** Whether other processes that are alive, or others in this process, use the folder. */
  hasOthers(): boolean
}

/**
 * Announces this process as a user of the server by a file with its id. The shared lock alone would not do: a process loses it with
 * its connection, and until it has connected again another one could take itself for the last user and stop the server.
 */
export function announceUser(home: string): User {
  removeLeftovers(home, PREFIX)
  const file = join(home, `${PREFIX}${process.pid}`)
  counts.set(home, (counts.get(home) ?? 0) + 1)
  writeFileSync(file, '')
  let isHere = true
  return {
    leave() {
      if (!isHere) return
      isHere = false
      const left = (counts.get(home) ?? 1) - 1
      counts.set(home, left)
      if (left === 0) rmSync(file, { force: true })
    },
    hasOthers: () =>
      readdirSync(home).some((name) => {
        const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN
        return pid > 0 && isAlive(pid)
      }),
  }
}
