import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'
import { interrupt, Interrupted, startChild, until, type Child } from './child-process.ts'
import { createShopDatabase, startDatabaseNodes, type DatabaseNodes } from './database-nodes.ts'
import { startHaproxy, startNginx, startPgBouncer } from './front-ends.ts'
import type { Programs } from './programs.ts'

const SHOP_PROCESSES = 2
const WORKERS = 2
export const ADMIN = { email: 'ada@example.com', password: 'Correct-Horse-7!' }

export type Cluster = {
  /** The shop, by nginx. */
  readonly url: string
  readonly addresses: Readonly<Record<string, string>>
  readonly folder: string
  /** Has the secret with which the shop signs cookies. */
  readonly dataDir: string
  readonly nodes: DatabaseNodes
  readonly shops: readonly Child[]
  /** PostgreSQL's primary by HAProxy. */
  readonly directUrl: string
  /** What a process of the shop, or a command, needs to reach the database. */
  readonly environment: Readonly<Record<string, string>>
  restartPgBouncer(): Promise<void>
  /** What each program said last. */
  lastLines(): Promise<string>
  stop(): Promise<void>
}

/** The deployment of `deploy/` on this machine, in a temporary folder that `stop` removes. */
export async function startCluster(
  programs: Programs,
  options: { report(line: string): void; environment?: Record<string, string>; port?: number; hasSmallDisks?: boolean },
): Promise<Cluster> {
  const { report } = options
  build(report)
  const folder = await mkdtemp(join(tmpdir(), 'altocert-cluster-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'logs'))
  const stoppers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const stopper of stoppers.splice(0).toReversed()) await stopper()
  }
  try {
    report('etcd and three nodes of PostgreSQL …')
    const nodes = await startDatabaseNodes(folder, programs, (stopper) => stoppers.push(stopper), {
      areSmall: options.hasSmallDisks === true,
      onSkipped: (sentence) => report(`${sentence}.`),
    })
    const haproxy = await startHaproxy(folder, programs, nodes)
    stoppers.push(() => haproxy.child.stop())
    const password = randomBytes(12).toString('hex')
    await createShopDatabase(haproxy.primaryPort, nodes.superuserPassword, password)
    const pooler = await startPgBouncer(folder, programs, { primaryPort: haproxy.primaryPort, password })
    let pgBouncer = await pooler.start()
    stoppers.push(() => pgBouncer.stop('SIGQUIT'))
    report('the processes of the shop …')
    const databaseAt = (port: number) => `postgres://altocert:${password}@127.0.0.1:${port}/altocert`
    const directUrl = databaseAt(haproxy.primaryPort)
    const url = `http://localhost:${options.port ?? (await freePort())}`
    const environment = { DATABASE_URL: databaseAt(pooler.port), DATABASE_DIRECT_URL: directUrl }
    const shop = await startShop(folder, { APP_URL: url, ...environment, ...options.environment })
    stoppers.push(() => shop.stop())
    const nginx = await startNginx(folder, programs, { port: Number(new URL(url).port), shopPorts: shop.ports })
    stoppers.push(() => nginx.stop())
    return {
      url,
      addresses: {
        'shop (nginx)': url,
        'its processes': shop.ports.map((port) => `http://localhost:${port}`).join(', '),
        PgBouncer: databaseAt(pooler.port),
        'primary (HAProxy)': directUrl,
        'replicas (HAProxy)': databaseAt(haproxy.replicasPort),
        ...Object.fromEntries(
          Object.entries(nodes.ports).map(([node, { postgres, patroni }]) => [
            node,
            `PostgreSQL ${postgres}, Patroni http://127.0.0.1:${patroni}/cluster`,
          ]),
        ),
        logs: join(folder, 'logs'),
      },
      folder,
      dataDir: join(folder, 'shop'),
      nodes,
      shops: shop.children,
      directUrl,
      environment: { ...environment, DATA_DIR: join(folder, 'shop') },
      async restartPgBouncer() {
        await pgBouncer.stop('SIGQUIT')
        pgBouncer = await pooler.start()
      },
      lastLines: () => lastLines(join(folder, 'logs')),
      stop,
    }
  } catch (error) {
    const logs = await lastLines(join(folder, 'logs'))
    interrupt(false)
    await stop()
    if (error instanceof Interrupted) throw error
    throw new Error(`The cluster could not start.\n${logs}`, { cause: error })
  }
}

/** For a failure, because the folder with the logs is removed. */
async function lastLines(folder: string): Promise<string> {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return names.map((name, at) => `${name}:\n${texts[at]!.trimEnd().split('\n').slice(-12).join('\n')}`).join('\n\n')
}

function build(report: (line: string) => void): void {
  report('the build of the shop …')
  const { status, signal, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--build-only'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  if (signal === 'SIGINT' || signal === 'SIGTERM') throw new Interrupted()
  if (status !== 0) throw new Error(`the build failed: ${stderr}`)
}

/** Two times `npm start`, which share the database and with it the emulators. */
async function startShop(folder: string, environment: Record<string, string>) {
  const dataDir = join(folder, 'shop')
  const secret = randomBytes(32).toString('base64url')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'auth-secret'), secret)
  const ports: number[] = []
  const children: Child[] = []
  for (let number = 1; number <= SHOP_PROCESSES; number += 1) {
    const port = await freePort()
    ports.push(port)
    children.push(
      startChild(`process ${number} of the shop`, [process.execPath, 'scripts/start.mjs'], {
        log: join(folder, `logs/shop-${number}.log`),
        isUnprivileged: false,
        cwd: projectRoot,
        environment: {
          PORT: String(port),
          DATA_DIR: dataDir,
          AUTH_SECRET: secret,
          WEB_CONCURRENCY: String(WORKERS),
          LISTEN_HOST: '127.0.0.1',
          EDGE_CACHE_SECONDS: '60',
          ADMIN_EMAIL: ADMIN.email,
          ADMIN_PASSWORD: ADMIN.password,
          LOG_LEVEL: 'warn',
          ...environment,
        },
      }),
    )
  }
  const stop = async (ms = 30_000) => void (await Promise.all(children.map((child) => child.stop('SIGTERM', ms))))
  try {
    for (const [at, port] of ports.entries())
      await until(
        `process ${at + 1} of the shop`,
        180,
        async () => (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) })).ok,
        children[at],
      )
  } catch (error) {
    // They may be in the middle of their start, and have nothing to lose.
    await stop(3_000)
    throw error
  }
  return { ports, children, stop }
}
