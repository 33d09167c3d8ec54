import { chown, mkdir } from 'node:fs/promises'
import { UNPRIVILEGED } from './child-process.ts'

/** A folder that etcd and PostgreSQL may write to. */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o755 })
  await giveAway(path)
}

export async function giveAway(path: string): Promise<void> {
  if (UNPRIVILEGED.uid !== undefined) await chown(path, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
}
