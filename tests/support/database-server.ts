import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { migrate } from '../../src/db/migrate.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a server on which each test file creates its own databases, as copies of the migrated `altocert_template`. */
    databaseServer: string
  }
}

/** Provides one PostgreSQL server for the whole run: TEST_DATABASE_URL, or an embedded one in a temporary folder. */
export default async function setup(project: TestProject) {
  const externalUrl = process.env['TEST_DATABASE_URL']
  const folder = externalUrl === undefined ? await mkdtemp(join(tmpdir(), 'altocert-test-')) : null
  // The server's unprivileged user must be able to enter, or its files would go to another folder and stay there.
  if (folder !== null) await chmod(folder, 0o755)
  const server = folder === null ? null : await startEmbedded({ dataDir: folder })
  const url = externalUrl ?? server?.url ?? ''
  await makeTemplate(url)
  project.provide('databaseServer', url)
  return async () => {
    await server?.stop()
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string) {
  const root = openDatabase(url, { connections: 1 })
  await root.pool.query('drop database if exists altocert_template')
  await root.pool.query('create database altocert_template')
  await root.close()
  const template = openDatabase(withDatabase(url, 'altocert_template'), { connections: 1 })
  await migrate(template.pool)
  await template.close()
  await untilUnused(url, 'altocert_template')
}

/** A database can be copied only without connections, and the server needs a moment to close one. */
async function untilUnused(url: string, name: string) {
  const root = openDatabase(url, { connections: 1 })
  for (;;) {
    const { rows } = await root.pool.query('select 1 from pg_stat_activity where datname = $1', [name])
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await root.close()
}

export function withDatabase(url: string, name: string): string {
  const named = new URL(url)
  named.pathname = `/${name}`
  return named.href
}
