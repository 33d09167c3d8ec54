import { z } from 'zod'
import type { Generation } from '../../platform/backup-plan.ts'
import type { BackupStore } from './backup-store.server.ts'

const Test = z.discriminatedUnion('result', [
  z.object({ result: z.literal('passed'), at: z.string() }),
  z.object({ result: z.literal('not tested'), why: z.string() }),
  z.object({ result: z.literal('failed'), why: z.string() }),
])
export type RestoreTest = z.infer<typeof Test>

/** What lies beside a backup as `<name>.json`, so that it is known without the database too. */
export const BackupFacts = z.object({
  rows: z.number().int(),
  isSealed: z.boolean(),
  /** Of all rows (`ContentSums`). */
  digest: z.string(),
  test: Test,
})
export type BackupFacts = z.infer<typeof BackupFacts>

export type StoredBackup = Generation & {
  readonly bytes: number
  /** Null when the process ended before it wrote them. */
  readonly facts: BackupFacts | null
}

const NAME = /^altocert-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.backup$/
/** A file of facts is small; nobody else's file is read whole. */
const LARGEST_FACTS = 64 * 1024

export const backupName = (at: Date) => `altocert-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
export const isBackupName = (name: string) => NAME.test(name)
export const factsName = (name: string) => `${name}.json`

/** The backups in the store, newest first. Other files are not ours. */
export async function listBackups(store: BackupStore): Promise<StoredBackup[]> {
  const files = await store.list()
  const names = new Set(files.map(({ name }) => name))
  const backups = await Promise.all(
    files.map(async ({ name, bytes }): Promise<StoredBackup | null> => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? []
      const madeAt = new Date(`${day}T${hour}:${minute}:${second}Z`)
      if (day === undefined || Number.isNaN(madeAt.getTime())) return null
      const facts = names.has(factsName(name)) ? await readFacts(store, name) : null
      return { name, madeAt, bytes, facts, test: facts?.test.result ?? 'not tested' }
    }),
  )
  return backups.filter((backup) => backup !== null).toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}

export async function writeFacts(store: BackupStore, name: string, facts: BackupFacts): Promise<void> {
  await store.write(factsName(name), oneChunk(Buffer.from(`${JSON.stringify(facts, null, 2)}\n`)))
}

async function readFacts(store: BackupStore, name: string): Promise<BackupFacts | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of store.read(factsName(name))) {
    parts.push(part)
    size += part.length
    if (size > LARGEST_FACTS) return null
  }
  try {
    return BackupFacts.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
  } catch {
    return null
  }
}

async function* oneChunk(bytes: Buffer) {
  yield bytes
}

/** The facts go last: without them a backup that is still there would count as untested. */
export async function deleteBackup(store: BackupStore, name: string): Promise<void> {
  await store.delete(name)
  await store.delete(factsName(name))
}

/** Copies the facts last: without them a copy counts as not tested. */
export async function copyBackup(from: BackupStore, to: BackupStore, name: string): Promise<void> {
  for (const file of [name, factsName(name)]) await to.write(file, from.read(file))
}
