import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Env } from '../../platform/env.server.ts'
import { closeAll } from '../../platform/close-all.server.ts'
import type { Application } from './application.server.ts'
import type { WorkerProcess } from './processes/worker-process.server.ts'
import type { Services } from './services.server.ts'
import { counted } from '../../lib/text.ts'

const DRAIN_MS = 10_000
/** How long a connection that a worker keeps may stay idle while the worker is being replaced. Many clients close theirs sooner. */
const LAST_REQUEST_MS = 5_000

/** Why the server could not listen, in words for the operator. */
export class CannotListen extends Error {}

/**
 * Listens until SIGTERM or SIGINT, then finishes open requests and closes everything. A worker also ends when the first process
 * says so. @throws CannotListen
 */
export async function serve(
  services: Services,
  application: Application,
  worker: WorkerProcess | null = null,
): Promise<void> {
  const { env, log, seeded } = services
  // Before anything can fail, such as listening: the password is shown nowhere else.
  if (seeded.courses > 0) process.stdout.write(`Added the demo catalogue: ${counted(seeded.courses, 'course')}.\n`)
  if (seeded.admin?.password)
    process.stdout.write(`Admin: ${seeded.admin.email}  password: ${seeded.admin.password}  (shown once)\n`)
  const isDemo = services.emulators.names.length > 0
  // With an emulator, only this machine may connect; localhost resolves to either address.
  const hosts = env.listenHost === undefined && isDemo ? ['127.0.0.1', '::1'] : [env.listenHost]
  let isRetired = false
  const listener: RequestListener = (request, response) => {
    // The connection ends with this reply; its client opens the next one to another worker.
    if (isRetired) response.shouldKeepAlive = false
    application.listener(request, response)
  }
  const listening = await Promise.all(hosts.map((host) => listen(listener, env, host)))
  const servers = listening.filter((server) => server !== null)
  await services.emulators.start()

  let isStopping = false
  const end = async (reason: object, drained: () => Promise<unknown>) => {
    if (isStopping) return
    isStopping = true
    log.info(reason, 'stopping')
    await drained()
    worker?.sayLastFigures()
    await closeAll([() => application.close(), () => services.close()], log)
    log.info({}, 'stopped')
    process.exit(0)
  }
  const stop = (signal: string) =>
    end({ signal }, () => {
      application.beginShutdown()
      return Promise.all(servers.map(drain))
    })
  const retire = () =>
    end({ isReplaced: true }, () => {
      isRetired = true
      application.retire()
      return Promise.all(servers.map(drainGently))
    })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  // There are no workers to restart: whoever sends it starts this process again, or has closed its terminal.
  if (worker === null) process.on('SIGHUP', () => void stop('SIGHUP'))

  if (worker === null) process.stdout.write(`ready ${env.appUrl}\n`)
  else worker.serving({ stop: () => void stop('stop'), retire: () => void retire() }, application.figures)
}

function listen(
  listener: RequestListener,
  { port, listenHost }: Pick<Env, 'port' | 'listenHost'>,
  host: string | undefined,
): Promise<Server | null> {
  const cannot = (sentence: string) => new CannotListen(`Altocert could not start. ${sentence}`)
  return new Promise((resolve, reject) => {
    const server = createServer(listener)
    server.keepAliveTimeout = 65_000
    server.once('error', (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 has no ::1; 127.0.0.1 is enough then.
      const isMissing = error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'
      if (isMissing && listenHost === undefined && host === '::1') resolve(null)
      else if (isMissing)
        reject(cannot(`This machine does not have the address ${host}. Set LISTEN_HOST to another one.`))
      else if (error.code === 'EADDRINUSE') reject(cannot(`Port ${port} is in use. Set PORT to another one.`))
      else reject(error)
    })
    server.listen(port, host, () => resolve(server))
  })
}

/** Waits for open requests, closes idle connections at once, and cuts the rest off after `DRAIN_MS`. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/**
 * For a worker that another has replaced. A connection that is closed while it is idle may lose a request that is on its way. So each
 * one gets a last reply, or was idle for `LAST_REQUEST_MS` before it is closed.
 */
function drainGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined
    const idle = setTimeout(() => {
      server.closeIdleConnections()
      sweep = setInterval(() => server.closeIdleConnections(), 500)
    }, LAST_REQUEST_MS)
    const limit = setTimeout(() => server.closeAllConnections(), LAST_REQUEST_MS + DRAIN_MS)
    // An HTTP server's own close would close idle connections at once.
    NetServer.prototype.close.call(server, () => {
      for (const timer of [idle, sweep, limit]) clearTimeout(timer)
      resolve()
    })
  })
}
