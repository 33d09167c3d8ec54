import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isWell, WELL_SECONDS } from '../../scripts/cluster/chaos/well.ts'
import { writeDeployFile } from '../../scripts/cluster/deploy-file.ts'
import { startNginx } from '../../scripts/cluster/front-ends.ts'
import { findPrograms } from '../../scripts/cluster/programs.ts'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { findNginx } from '../support/find-nginx.ts'

const folder = await mkdtemp(join(tmpdir(), 'altocert-deploy-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the cluster names each package that is missing', () => {
  const withoutPatroni = findPrograms({ exists: (path) => !path.includes('patroni') })
  expect(withoutPatroni).toEqual({ missing: ['patroni'] })
  const nothing = { exists: () => false }
  const missing = ['etcd-server', 'patroni', 'postgresql-15', 'haproxy', 'pgbouncer', 'nginx']
  expect(findPrograms(nothing)).toEqual({ missing })
  expect(findPrograms({ ...nothing, isArchived: true })).toEqual({ missing: [...missing, 'pgbackrest'] })
})

test('a file of deploy/ without the part to replace is an error, not a cluster at the wrong address', async () => {
  const path = join(folder, 'haproxy.cfg')
  await writeDeployFile('haproxy.cfg', path, [['127.0.0.1:5000', '127.0.0.1:1234']])
  expect(await readFile(path, 'utf8')).toContain('bind 127.0.0.1:1234')
  await expect(writeDeployFile('haproxy.cfg', path, [['127.0.0.1:9999', '']])).rejects.toThrow(
    'deploy/haproxy.cfg has no 127.0.0.1:9999',
  )
})

test.skipIf(!existsSync('/usr/sbin/haproxy'))('HAProxy accepts deploy/haproxy.cfg as it is', () => {
  const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', 'deploy/haproxy.cfg'], { encoding: 'utf8' })
  expect(stderr).not.toMatch(/ALERT|WARNING/)
  expect(status).toBe(0)
})

test('a shop that is well too late after a fault, or not at all, fails the chaos run', () => {
  const well = { page: 1, save: 2, purchase: 3, all: WELL_SECONDS, failing: null }
  expect(isWell(well)).toBe(true)
  expect(isWell({ ...well, all: WELL_SECONDS + 0.1 })).toBe(false)
  expect(isWell({ ...well, failing: 'a page' })).toBe(false)
})

/** A process of the shop that has these files of `/assets/`, and knows nothing of others. */
async function aProcessWith(files: Set<string>) {
  const server = createServer(({ url = '' }, response) => {
    if (files.has(url))
      response
        .writeHead(200, { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' })
        .end(url)
    else response.writeHead(404, { 'cache-control': 'no-store' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  afterAll(stop)
  return { port: (server.address() as AddressInfo).port, stop }
}

test.skipIf(findNginx() === null)(
  'during an upgrade nginx finds the files of pages of either version, and keeps them when no process has them any more',
  async () => {
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'logs'))
    const files = new Set(['/assets/of-this-version.css'])
    const old = await aProcessWith(new Set(['/assets/of-the-version-before.css']))
    const today = await aProcessWith(files)
    const port = await freePort()
    const nginx = await startNginx(folder, { nginx: findNginx()! }, { port, shopPorts: [old.port, today.port] })
    afterAll(() => nginx.stop())
    // Several requests, because nginx takes the processes in turn.
    const statuses = async (file: string) => {
      const replies = await Promise.all([1, 2, 3, 4].map(() => fetch(`http://127.0.0.1:${port}/assets/${file}`)))
      return [...new Set(replies.map(({ status }) => status))]
    }
    expect(await statuses('of-this-version.css')).toEqual([200])
    expect(await statuses('of-the-version-before.css')).toEqual([200])
    expect(await statuses('of-none.css')).toEqual([404])
    await old.stop()
    files.add('/assets/of-none.css')
    expect(await statuses('of-the-version-before.css')).toEqual([200])
    expect(await statuses('of-none.css')).toEqual([200])
  },
)
