import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'

/** A file system in memory that can be made full at once. */
export type SmallDisk = { fill(): void; empty(): void; remove(): void }

const PAGE_KB = 4

/** Mounts it at the folder; the sentence says why it cannot be done here. */
export function mountSmallDisk(folder: string, sizeMb = 1500): SmallDisk | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'no full disk: mounting a small one needs root on Linux'
  const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' })
  const mounted = mount('-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'tmpfs', folder)
  if (mounted.status !== 0) return `no full disk: a small one could not be mounted (${String(mounted.stderr).trim()})`
  const resize = (size: string) => {
    const { status, stderr } = mount('-o', `remount,size=${size}`, folder)
    return { isDone: status === 0, stderr }
  }
  return {
    fill() {
      // The database writes on between the look and the mount, so a size that is too small is refused: look again.
      for (let tries = 0; tries < 50; tries += 1) {
        const { blocks, bfree, bsize } = statfsSync(folder)
        const usedKb = ((blocks - bfree) * bsize) / 1024
        if (resize(`${usedKb + PAGE_KB * (1 + tries)}k`).isDone) return
      }
      throw new Error('the disk could not be filled')
    },
    empty() {
      const { isDone, stderr } = resize(`${sizeMb}m`)
      if (!isDone) throw new Error(`the disk could not be emptied: ${stderr}`)
    },
    remove() {
      spawnSync('umount', ['--lazy', folder])
    },
  }
}
