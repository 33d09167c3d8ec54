import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { readEnv } from '../../platform/env.server.ts'
import { createLog } from '../../platform/log.server.ts'
import { openServices } from './services.server.ts'

const { url } = await aDatabase()

test('an empty secret, as a full disk leaves it, is refused: anybody could sign with it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'altocert-secret-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  await writeFile(join(dataDir, 'auth-secret'), '')
  const env = readEnv({ DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'silent' })
  const opening = openServices(env, createLog('silent')).then((services) => services.close())
  await expect(opening).rejects.toThrow(
    `The secret in ${join(dataDir, 'auth-secret')} is empty or cut off. Restore the file from a copy, or delete it: then everybody signs in again.`,
  )
})
