import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aDatabase } from '../../../../tests/support/test-database.ts'
import { readImport } from './dry-run-commands.server.ts'
import { beatImport, listSilentImports, MOST_LOST_READERS, requeueLost } from './lost-readings-commands.server.ts'
import { readAgain, restoreOwnership, storeUpload, tidyImports } from '../imports/imports-commands.server.ts'
import { getImport } from '../imports/imports-queries.server.ts'

const { db } = await aDatabase()
const now = new Date()

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('Which?\nA. This\nB. That\nANSWER: A\n')
}

const upload = () => storeUpload(db, { actorId: null, now, name: 'one.txt', bytes: bytes() })

/** As if a process had begun to read it, and was last heard so long ago. */
const setReading = (id: string, heardSecondsAgo: number) =>
  sql`update imports set state = 'reading', heartbeat_at = now() - ${heardSecondsAgo} * interval '1 second'
    where id = ${id}`.execute(db)

test('an import whose process was not heard of for long waits to be read again, and no other one does', async () => {
  const [living, dead, stopped] = [await upload(), await upload(), await upload()]
  await setReading(living, 60)
  await beatImport(db, living)
  await setReading(dead, 60)
  await setReading(stopped, 1)
  await restoreOwnership(db, stopped)
  expect((await listSilentImports(db)).map(({ id }) => id)).toEqual([dead])
  // Also by a process that believes it of all of them.
  await requeueLost(db, [living, dead, stopped], now)
  expect(new Set(await tidyImports(db, now))).toEqual(new Set([dead, stopped]))
  expect(await readImport(db, dead, { now: () => now })).toBe('read')
})

test('a process that was only slow stores nothing more of its reading once another has taken it over', async () => {
  const id = await upload()
  const slow = await db.transaction().execute(async (tx) => {
    // Its reading begins and stands still.
    await sql`lock table import_questions in exclusive mode`.execute(tx)
    const reading = readImport(db, id, { now: () => now })
    await expect.poll(async () => (await getImport(db, id))?.state).toBe('reading')
    await setReading(id, 60)
    await requeueLost(db, [id], now)
    return { reading }
  })
  expect(await slow.reading).toBe('cancelled')
  expect(await getImport(db, id)).toMatchObject({ state: 'waiting' })
  expect(await readImport(db, id, { now: () => now })).toBe('read')
  expect(await getImport(db, id)).toMatchObject({ state: 'read', readCount: 1 })
})

test('a file that ends each process that reads it waits for an admin after some of them, and can be read again', async () => {
  const id = await upload()
  for (let times = 1; times < MOST_LOST_READERS; times += 1) {
    await setReading(id, 60)
    await requeueLost(db, [id], now)
    expect(await tidyImports(db, now)).toContain(id)
  }
  await setReading(id, 60)
  await requeueLost(db, [id], now)
  expect(await getImport(db, id)).toMatchObject({ state: 'failed', hasBytes: true })
  await readAgain(db, { actorId: null, importId: id, now })
  expect(await readImport(db, id, { now: () => now })).toBe('read')
})
