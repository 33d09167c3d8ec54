import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { readEnv } from '../../platform/env.server.ts'
import { createLog } from '../../platform/log.server.ts'
import { seed } from './seed.server.ts'

const { db } = await aDatabase()
const options = { db, env: readEnv({}), clock: { now: () => new Date() }, log: createLog('silent') }

test('the demo catalogue is added once, with each drawing that its texts show', async () => {
  expect((await seed(options)).courses).toBe(12)
  const files = await readdir(fileURLToPath(new URL('../../../content', import.meta.url)), { recursive: true })
  const drawn = files.filter((path) => path.endsWith('.svg'))
  expect(drawn.length).toBeGreaterThan(40)
  const exams = await db.selectFrom('test_questions').select(['questions', 'case_studies']).execute()
  const shown = new Set(JSON.stringify(exams).match(/\/pictures\/[^)]+/g))
  const stored = await db.selectFrom('images').select(['id', 'content_type', 'made_by']).execute()
  expect([...shown].sort()).toEqual(stored.map(({ id }) => `/pictures/${id}.svg`).sort())
  expect(stored).toHaveLength(drawn.length)
  expect(new Set(stored.map((image) => [image.content_type, image.made_by].join()))).toEqual(
    new Set(['image/svg+xml,']),
  )
  expect((await seed(options)).courses).toBe(0)
})
