import { createServer, type Server } from 'node:http'
import type { Env } from '../../platform/env.server.ts'
import type { Application } from './application.server.ts'
import type { Services } from './services.server.ts'
import { counted } from '../../lib/text.ts'

const DRAIN_MS = 10_000

/** Why the server could not listen, in words for the operator. */
export class CannotListen extends Error {}

/** Listens until SIGTERM or SIGINT, then finishes open requests and closes everything. @throws CannotListen */
export async function serve(services: Services, application: Application): Promise<void> {
  const { env, log, seeded } = services
  // Before anything can fail, such as listening: the password is shown nowhere else.
  if (seeded.courses > 0) process.stdout.write(`Added the demo catalogue: ${counted(seeded.courses, 'course')}.\n`)
  if (seeded.admin?.password)
    process.stdout.write(`Admin: ${seeded.admin.email}  password: ${seeded.admin.password}  (shown once)\n`)
  const isDemo = services.emulators.names.length > 0
  // With an emulator, only this machine may connect; localhost resolves to either address.
  const hosts = env.listenHost === undefined && isDemo ? ['127.0.0.1', '::1'] : [env.listenHost]
  const servers = await Promise.all(hosts.map((host) => listen(application, env, host)))
  await services.emulators.start()

  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    application.beginShutdown()
    await Promise.all(servers.map((server) => (server === null ? undefined : drain(server))))
    await application.close()
    await services.close()
    log.info({}, 'stopped')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  process.stdout.write(`ready ${env.appUrl}\n`)
}

function listen(
  application: Application,
  { port, listenHost }: Pick<Env, 'port' | 'listenHost'>,
  host: string | undefined,
): Promise<Server | null> {
  const cannot = (sentence: string) => new CannotListen(`Altocert could not start. ${sentence}`)
  return new Promise((resolve, reject) => {
    const server = createServer(application.listener)
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
