import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'
import { interrupt, Interrupted } from './child-process.ts'
import { createArchive, type Archive } from './log-archive.ts'
import { createShopDatabase, startDatabaseNodes, SUPERUSER_PASSWORD, type DatabaseNodes } from './database-nodes.ts'
import { startHaproxy, startNginx, startPgBouncer } from './front-ends.ts'
import type { Programs } from './programs.ts'
import { build, startShop, type ShopProcesses } from './shop-processes.ts'

export type Cluster = {
  /** The shop, by nginx. */
  readonly url: string
  readonly addresses: Readonly<Record<string, string>>
  readonly folder: string
  /** Has the secret with which the shop signs cookies. */
  readonly dataDir: string
  readonly nodes: DatabaseNodes
  /** Null unless pgBackRest was among the programs. */
  readonly archive: Archive | null
  readonly shop: ShopProcesses
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
  options: {
    report(line: string): void
    environment?: Record<string, string>
    port?: number
    hasSmallDisks?: boolean
    /** The code that runs at first: a folder with another version, which is built there. */
    root?: string
  },
): Promise<Cluster> {
  const { report } = options
  const root = options.root ?? projectRoot
  report('the build of the shop …')
  for (const folder of new Set([root, projectRoot])) build(folder)
  const folder = await mkdtemp(join(tmpdir(), 'altocert-cluster-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'logs'))
  const stoppers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const stopper of stoppers.splice(0).toReversed()) await stopper()
  }
  try {
    report('etcd and three nodes of PostgreSQL …')
    const program = programs.pgbackrest
    const archive =
      program === undefined ? null : await createArchive(folder, { program, password: SUPERUSER_PASSWORD })
    const nodes = await startDatabaseNodes(folder, programs, (stopper) => stoppers.push(stopper), {
      disks: {
        areSmall: options.hasSmallDisks === true,
        onSkipped: (sentence) => report(`${sentence}.`),
      },
      archive,
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
    const shop = await startShop(folder, {
      root,
      environment: { APP_URL: url, ...environment, ...options.environment },
    })
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
      archive,
      shop,
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
