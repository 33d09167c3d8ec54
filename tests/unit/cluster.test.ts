import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeDeployFile } from '../../scripts/cluster/deploy-file.ts'
import { findPrograms } from '../../scripts/cluster/programs.ts'

const folder = await mkdtemp(join(tmpdir(), 'altocert-deploy-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the cluster names each package that is missing', () => {
  const withoutPatroni = findPrograms((path) => !path.includes('patroni'))
  expect(withoutPatroni).toEqual({ missing: ['patroni'] })
  expect(findPrograms(() => false)).toEqual({
    missing: ['etcd-server', 'patroni', 'postgresql-15', 'haproxy', 'pgbouncer', 'nginx'],
  })
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
