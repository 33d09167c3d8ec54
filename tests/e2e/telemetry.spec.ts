import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startOtlpReceiver } from '../../src/emulators/otlp-receiver.server.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'

/** Packages that only send traces and metrics. The sign-in with Google loads @opentelemetry/api by itself when it is installed. */
const SDK = /@opentelemetry\/(?:core|resources|sdk-|exporter-|otlp-)/

/** Runs a built server until `work` is done, stops it, and returns the OpenTelemetry modules that it has loaded. */
async function whileRunning(environment: Record<string, string>, work: (url: string) => Promise<void>) {
  const folder = await dataFolder()
  const list = join(folder.path, 'modules.txt')
  await writeFile(list, '', { mode: 0o666 })
  const hooks = pathToFileURL(join(process.cwd(), 'tests/support/loaded-modules.mjs')).href
  const server = launch(folder.path, await freePort(), {
    DEMO_CATALOGUE: 'off',
    NODE_OPTIONS: `--import=${hooks}`,
    LOADED_MODULES: list,
    LOADED_MODULES_WITH: 'opentelemetry',
    ...environment,
  })
  try {
    await untilReady(server, 120_000)
    await work(server.url)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    return (await readFile(list, 'utf8')).split('\n').filter((url) => SDK.test(url))
  } finally {
    server.child.kill('SIGKILL')
    await folder.remove()
  }
}

/** On a connection of its own, so that workers take turns. */
function ask(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent: new Agent({ keepAlive: false }), family: 4 }, (reply) => {
      reply.resume()
      reply.once('end', () => resolve(reply.statusCode ?? 0))
    })
      .once('error', reject)
      .end()
  })
}

test.beforeEach(() => test.slow())

test('without an endpoint no package of OpenTelemetry is loaded', async () => {
  const loaded = await whileRunning({}, async (url) => {
    expect(await ask(`${url}/`)).toBe(200)
  })
  expect(loaded).toEqual([])
})

test('both workers send their traces and metrics, and what is left when they are stopped', async () => {
  const receiver = await startOtlpReceiver()
  const instances = (sent: readonly { resource: Record<string, unknown> }[]) =>
    new Set(sent.map(({ resource }) => resource['service.instance.id']))
  const hour = { OTEL_BSP_SCHEDULE_DELAY: '3600000', OTEL_METRIC_EXPORT_INTERVAL: '3600000' }
  const loaded = await whileRunning(
    {
      WEB_CONCURRENCY: '2',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      ...hour,
    },
    async (url) => {
      for (let number = 0; number < 20; number += 1) expect(await ask(`${url}/api/courses`)).toBe(200)
      expect(await ask(`${url}/`)).toBe(200)
      // Nothing is due for an hour.
      expect(receiver.spans).toEqual([])
    },
  )
  expect(loaded.length).toBeGreaterThan(3)
  const asked = receiver.spans.filter(({ name }) => name === 'GET /api/courses')
  expect(asked).toHaveLength(20)
  expect(instances(asked).size).toBe(2)
  expect(receiver.spans.map(({ name }) => name)).toContain('GET /')
  const requests = receiver.metrics.filter(({ name }) => name === 'altocert_requests_total')
  expect(instances(requests).size).toBe(2)
  const counted = requests.flatMap(({ sum }) => sum?.dataPoints ?? [])
  const good = counted.filter(({ attributes }) => attributes['status'] === '2xx').map(({ asDouble }) => asDouble)
  expect(good.reduce((all, one) => all + one, 0)).toBe(21)
  await receiver.close()
})
