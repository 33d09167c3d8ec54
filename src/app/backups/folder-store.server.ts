import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { HOUR_MS } from '../../lib/time.ts'
import { StoreFailed, type BackupStore } from './backup-store.server.ts'

/** A file that is being written. Nothing else of ours begins like this. */
const PART = /^\.altocert-.*\.part$/
/** A write that is under way changes its file all the time. */
const LEFT_MS = HOUR_MS

export function createFolderStore(dir: string): BackupStore {
  const folder = resolve(dir)
  const explained = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw explain(error, folder)
    })
  return {
    place: folder,
    list: () => explained(list(folder)),
    write: (name, bytes) => explained(write(folder, name, bytes)),
    async *read(name) {
      try {
        yield* createReadStream(join(folder, name)) as AsyncIterable<Buffer>
      } catch (error) {
        throw explain(error, folder)
      }
    },
    delete: (name) => explained(rm(join(folder, name), { force: true })),
    deleteLeftovers: () => explained(deleteLeftovers(folder)),
  }
}

async function list(folder: string) {
  const names = await namesIn(folder)
  const files = []
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found?.isFile() === true && !PART.test(name)) files.push({ name, bytes: found.size })
  }
  return files
}

/** None when there is no folder yet: the first backup makes it. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** Backups hold addresses and password hashes, so only the owner may read them. */
async function write(folder: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const part = join(folder, `.${name}.${randomBytes(4).toString('hex')}.part`)
  try {
    const file = await open(part, 'wx', 0o600)
    try {
      for await (const chunk of bytes) await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, join(folder, name))
    await syncFolder(folder)
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw error
  }
}

/** So that the new name survives a loss of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  // Some network file systems cannot sync a folder; the bytes of the file are safe already.
  await handle.sync().catch(() => undefined)
  await handle.close()
}

async function deleteLeftovers(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!PART.test(name)) continue
    const found = await stat(join(folder, name)).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > LEFT_MS) await rm(join(folder, name), { force: true })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EACCES: 'the user of this process may not',
  EPERM: 'the user of this process may not',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EIO: 'its disk reports an error',
  ENOENT: 'a file is missing there',
}

/** Errors of the source that is written pass as they are. */
function explain(error: unknown, folder: string): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const reason = REASONS[code]
  if (reason === undefined || syscall === undefined) return error
  const what = syscall === 'read' || code === 'ENOENT' ? 'read' : 'written'
  return new StoreFailed(`The folder of BACKUP_DIR, ${folder}, could not be ${what}: ${reason}.`, { cause: error })
}
