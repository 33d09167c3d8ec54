// The server from its sources, for the short form in the tests: like src/main.server.ts, without pages, which need a build.
import { createApplication } from '../../src/app/server/application.server.ts'
import { serve } from '../../src/app/server/listen.server.ts'
import { openServices } from '../../src/app/server/services.server.ts'
import { readEnv } from '../../src/platform/env.server.ts'
import { createLog } from '../../src/platform/log.server.ts'

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const services = await openServices(env, createLog(env.logLevel), { isSeeded: true })
  const noPages = () => Promise.resolve(new Response('no pages', { status: 501 }))
  await serve(services, await createApplication(services, noPages, () => null))
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
})
