import { join } from 'node:path'
import { createRequestHandler } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { createApplication } from './app/server/application.server.ts'
import { CannotListen, serve } from './app/server/listen.server.ts'
import { FirstProcess } from './app/server/processes/first-process.server.ts'
import { joinFirstProcess } from './app/server/processes/worker-process.server.ts'
import { pageRoutes } from './app/server/page-routes.ts'
import { openServices } from './app/server/services.server.ts'
import { DatabaseUnavailable } from './db/connect-with-retry.server.ts'
import { DatabaseTooNew } from './db/migrate.server.ts'
import { DatabaseMisconfigured } from './db/sessions.server.ts'
import { BadEnvironment, readEnv } from './platform/env.server.ts'
import { createLog } from './platform/log.server.ts'
import { projectRoot } from './platform/project-root.server.ts'
import { staticFiles } from './platform/http/static-files.server.ts'

/** Starts the server: environment, database, application, listen; or, for several processes, the first one, which starts the others. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const log = createLog(env.logLevel)
  const worker = joinFirstProcess()
  if (env.workers > 1 && worker === null) return new FirstProcess(env, log).run()
  const services = await openServices(env, log, { isSeeded: true })
  const files = await staticFiles(join(projectRoot, 'build/client'))
  const application = await createApplication(
    services,
    Object.assign(createRequestHandler(build, 'production'), { routeOf: pageRoutes(build.routes) }),
    files,
    build.assets.version,
    worker,
  )
  await serve(services, application, worker)
}

main().catch((error: unknown) => {
  if (error instanceof BadEnvironment || error instanceof CannotListen) process.stderr.write(`${error.message}\n`)
  else if (
    error instanceof DatabaseUnavailable ||
    error instanceof DatabaseMisconfigured ||
    error instanceof DatabaseTooNew
  )
    process.stderr.write(`Altocert could not start. ${error.message}\n`)
  else
    process.stderr.write(
      `Altocert could not start. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  process.exit(1)
})
