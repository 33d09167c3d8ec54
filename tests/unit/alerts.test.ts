import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startS3 } from '../../src/emulators/s3/s3-emulator.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'
import { startApp } from '../support/start-app.ts'
import { aDatabase } from '../support/test-database.ts'

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8')
const operations = read('docs/operations.md')
const rules = parse(read('deploy/prometheus/alerts.yml')) as {
  groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[]
}
const alerts = rules.groups.flatMap((group) => group.rules)
const samples = parse(read('deploy/prometheus/alerts.test.yml')) as {
  tests: { input_series: { series: string }[]; alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[]
}
const dashboard = JSON.parse(read('deploy/grafana/altocert.json')) as { panels: { targets: { expr: string }[] }[] }

/** A figure with the labels that a query asks for, without those that Prometheus adds. */
type Asked = {
  readonly figure: string
  readonly labels: readonly { readonly name: string; readonly pattern: RegExp }[]
}

function askedIn(query: string): Asked[] {
  return [...query.matchAll(/(altocert_\w+)(?:\{([^}]*)\})?/g)].map(([, figure = '', selectors = '']) => ({
    figure,
    labels: [...selectors.matchAll(/(\w+)\s*(=~?)\s*"([^"]*)"/g)]
      .filter(([, name]) => name !== 'instance' && name !== 'job')
      .flatMap(([, name = '', operator, value = '']) =>
        // Each alternative is to exist, not one of them.
        (operator === '=~' ? value.split('|') : [value]).map((one) => ({
          name,
          pattern: new RegExp(`\\b${name}="${one}"`),
        })),
      ),
  }))
}

/** What `/metrics` of a shop with backups, a bucket and a replica says. */
async function scrape(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'altocert-backups-'))
  const key = { accessKeyId: 'AKIATEST', secretAccessKey: 'a-secret', region: 'us-east-1' }
  const s3 = await startS3({ ...key, bucket: 'backups' })
  const database = await aDatabase()
  const app = await startApp({
    DATABASE_URL: database.url,
    // No replica: the figure is there all the same.
    DATABASE_REPLICA_URL: database.url,
    BACKUP_DIR: join(folder, 'kept'),
    BACKUP_S3_BUCKET: 'backups',
    BACKUP_S3_ENDPOINT: s3.endpoint,
    AWS_ACCESS_KEY_ID: key.accessKeyId,
    AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
  })
  afterAll(async () => {
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  })
  return (await fetch(`${app.url}/metrics`)).text()
}

test('alerts, their samples and the dashboard name figures and labels that the shop has', async () => {
  const lines = (await scrape()).split('\n').filter((line) => !line.startsWith('#'))
  const isShown = ({ figure, labels }: Asked) => {
    const own = lines.filter((line) => new RegExp(`^${figure}[{ ]`).test(line))
    return own.length > 0 && labels.every(({ pattern }) => own.some((line) => pattern.test(line)))
  }
  expect(askedIn('altocert_requests_total{status="6xx"} + altocert_nothing').filter(isShown)).toEqual([])
  const asked = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...samples.tests.flatMap((one) => one.input_series.map(({ series }) => series)),
  ].flatMap(askedIn)
  expect(asked.length).toBeGreaterThan(60)
  expect(asked.filter((one) => !isShown(one))).toEqual([])
})

test.each(alerts)('$alert has its runbook, and samples on which it comes and on which it does not', (rule) => {
  expect(rule.annotations.runbook).toBe(`docs/operations.md#${rule.alert.toLowerCase()}`)
  expect(operations).toContain(`### ${rule.alert}\n`)
  const tried = samples.tests.flatMap((one) => one.alert_rule_test).filter(({ alertname }) => alertname === rule.alert)
  expect(tried.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true)
  expect(tried.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true)
})

const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool'].find(existsSync)

test.for([
  ['the rules are what Prometheus accepts', 'check rules deploy/prometheus/alerts.yml'],
  ['each alert comes on its samples, and on no others', 'test rules deploy/prometheus/alerts.test.yml'],
] as const)('%s', ([, command], { skip }) => {
  if (promtool === undefined) return skip('There is no promtool. Debian’s package prometheus has it.')
  const { status, stdout, stderr } = spawnSync(promtool, command.split(' '), { cwd: projectRoot, encoding: 'utf8' })
  expect(`${stdout}${stderr}`).toContain('SUCCESS')
  expect(status).toBe(0)
})
