import { expect, test } from 'vitest'
import { aCourse } from '../../../tests/support/build-course.ts'
import { aNetworkTo } from '../../../tests/support/database-network.ts'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { createLog } from '../log.server.ts'
import { followChanges } from './catalogue-changes.server.ts'

const ignored = {
  onPossibleChange: () => undefined,
  onChanges: () => undefined,
  onOtherHistory: () => undefined,
  onUserChange: () => undefined,
  onOwnChange: () => undefined,
  onMissedUserChanges: () => undefined,
}
const log = createLog('silent')

test('following changes stops also when the database says nothing any more', async () => {
  const network = await aNetworkTo((await aDatabase()).url)
  const changes = await followChanges(network.url, ignored, log)
  network.freeze()
  await changes.stop()
  expect(changes.isUp()).toBe(false)
})

test('a database that lost the newest changes is read from the start again, and later changes arrive', async () => {
  const { db, url } = await aDatabase()
  await aCourse(db)
  const heard: string[] = []
  const numbersOf = (changes: readonly { number: number }[]) => changes.map(({ number }) => number).join(' ')
  await aCourse(db)
  await aCourse(db)
  const changes = await followChanges(
    url,
    {
      ...ignored,
      onChanges: (batch) => heard.push(`more ${numbersOf(batch)}`),
      onOtherHistory: (batch) => heard.push(`instead ${numbersOf(batch)}`),
    },
    log,
  )
  expect(heard).toEqual(['more 1 2 3'])
  // As after a failover to a server that had not received them.
  await db.deleteFrom('catalogue_changes').where('number', '>', 1).execute()
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['more 1 2 3', 'instead 1'])
  expect(changes.newest()).toBe(1)
  await aCourse(db)
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['more 1 2 3', 'instead 1', 'more 4'])
  // Lost again, and a new one comes before anybody looks.
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('catalogue_changes').where('number', '>', 1).execute()
    await aCourse(tx)
  })
  await expect.poll(() => heard.slice(3), { timeout: 10_000 }).toEqual(['instead 1 5'])
  await changes.stop()
})
