import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../src/app/server/free-port.server.ts'
import type { OpenDatabase } from '../../src/db/open.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'
import { ACCESS_SECONDS, type Round } from './bounds.ts'
import { startProxied, withDatabase } from './database.ts'
import { breakThings, FAULT_NAMES, needsProxy, type FaultName, type World } from './faults.ts'
import { createLoad, type Load } from './load.ts'
import { makePeople, type People } from './people.ts'
import { untilWell } from './probe.ts'
import { findPostmaster, processesOf, signal } from './postgres-processes.ts'
import { seededRandom, type Random } from './random.ts'
import { createShop, type Program, type Shop } from './shop.ts'
import { mountSmallDisk } from './small-disk.ts'

export type ChaosOptions = {
  readonly seed: number
  readonly rounds: number
  readonly minutes: number
  readonly program: Program
  /** Only these faults; all of them when there are none. */
  readonly faults?: readonly FaultName[]
  readonly takers: number
  readonly buyers: number
  /** Of an imported bank. */
  readonly questions: number
  /** From and to, in seconds, of faults that last. */
  readonly lasting: readonly [number, number]
  /** How long a disk is full, in seconds; by default drawn from `lasting`. */
  readonly fullDiskSeconds?: number
  readonly mostKills: number
  /** How long there is nothing but load before a fault. */
  readonly calmMs: number
  /** Whether the data lies on a small disk, so that it can become full. */
  readonly hasSmallDisk: boolean
  readonly onRound?: (round: Round) => void
  readonly onSkipped?: (sentence: string) => void
  /** For a look at the database, and at what the clients have written down, before all of it is removed. */
  readonly atEnd?: (database: OpenDatabase, load: Load) => Promise<void>
}

/** How long a round waits for all to be well; more than the bound, to tell late from never. */
const WELL_LIMIT_MS = 120_000
const STUCK_LIMIT_MS = 120_000

/** Runs the shop under load, breaks things round after round, and verifies what is stored after each. */
export async function runChaos(options: ChaosOptions): Promise<{ rounds: Round[]; logFile: string }> {
  const place = await preparePlace(options)
  const { shop, dataDir } = place
  const rounds: Round[] = []
  try {
    await shop.start()
    const people = await withDatabase(dataDir, (database) =>
      makePeople(database, { ...options, dataDir, url: shop.url }),
    )
    const load = createLoad(people, { ...options, url: shop.url, random: seededRandom(options.seed + 1) })
    try {
      await runRounds(options, { place, people, load, rounds })
      if (options.atEnd !== undefined) {
        const { atEnd } = options
        await withDatabase(dataDir, (database) => atEnd(database, load))
      }
    } finally {
      await load.end()
    }
  } finally {
    await place.leave()
  }
  return { rounds, logFile: place.logFile }
}

type Place = {
  readonly shop: Shop
  readonly dataDir: string
  readonly clockFile: string
  readonly logFile: string
  readonly disk: World['disk']
  leave(): Promise<void>
}

async function preparePlace({ seed, program, hasSmallDisk, onSkipped }: ChaosOptions): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'altocert-chaos-'))
  // The database's user must be able to enter.
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { mode: 0o755 })
  const mounted = hasSmallDisk ? mountSmallDisk(dataDir) : null
  if (typeof mounted === 'string') onSkipped?.(mounted)
  const disk = typeof mounted === 'string' ? null : mounted
  const clockFile = join(folder, 'clock')
  await writeFile(clockFile, '0')
  const logFile = join(tmpdir(), `altocert-chaos-${seed}.log`)
  await rm(logFile, { force: true })
  const shop = createShop({ root: projectRoot, program, dataDir, port: await freePort(), clockFile, logFile })
  // Also when this process ends before its time: a server that nobody knows of would stay.
  const clear = () => {
    shop.kill()
    const postmaster = findPostmaster(dataDir)
    for (const pid of postmaster === null ? [] : processesOf(postmaster)) signal(pid, 'SIGKILL')
    disk?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', clear)
  return {
    shop,
    dataDir,
    clockFile,
    logFile,
    disk,
    async leave() {
      await shop.stop()
      process.off('exit', clear)
      clear()
    },
  }
}

type Running = { readonly place: Place; readonly people: People; readonly load: Load; readonly rounds: Round[] }

async function runRounds(options: ChaosOptions, running: Running): Promise<void> {
  const { place, rounds } = running
  const random = seededRandom(options.seed)
  const wanted = options.faults ?? FAULT_NAMES
  const possible = wanted.filter((name) => name !== 'full disk' || place.disk !== null)
  const over = performance.now() + options.minutes * 60_000
  let next: FaultName[] = []
  for (let number = 1; number <= options.rounds && performance.now() < over; number += 1) {
    // Each fault once before any comes again.
    if (next.length === 0) next = random.shuffle(possible)
    const fault = next.shift()!
    const round = await runRound(options, running, { number, fault, random: random.fork() })
    rounds.push(round)
    options.onRound?.(round)
    if (round.failing !== null) break
  }
}

function repliesOf({ record }: Load): string {
  return `saves ${record.summary(/^PUT \/api\/attempts/)}, a guest's pages ${record.summary(/^GET \/course/)}`
}

type Turn = { readonly number: number; readonly fault: FaultName; readonly random: Random }

async function runRound(options: ChaosOptions, running: Running, turn: Turn): Promise<Round> {
  if (!needsProxy(turn.fault)) return breakAndVerify(options, running, turn, null)
  const { shop, dataDir } = running.place
  // The shop leaves its embedded server, and comes back through the proxy.
  const proxied = await startProxied(dataDir)
  try {
    await shop.stop()
    await shop.start({ DATABASE_URL: proxied.url })
    return await breakAndVerify(options, running, turn, proxied.proxy)
  } finally {
    await shop.stop()
    await proxied.stop()
    await shop.start()
  }
}

async function breakAndVerify(
  { program, lasting, fullDiskSeconds, mostKills, calmMs }: ChaosOptions,
  { place, people, load }: Running,
  { number, fault, random }: Turn,
  proxy: World['proxy'],
): Promise<Round> {
  const { shop, dataDir, clockFile, disk } = place
  const before = { deaths: shop.deaths.length, failedStarts: shop.failedStarts.length, ...load.figures() }
  load.newRecord()
  load.open()
  const stall = monitorEventLoopDelay()
  stall.enable()
  await wait(calmMs)
  const world = { dataDir, shop, clockFile, disk, proxy, lasting, fullDiskSeconds: fullDiskSeconds ?? null, mostKills }
  const broken = await breakThings(fault, world, random)
  const endedAt = performance.now()
  const said = fault === 'full disk' ? `${broken}; ${repliesOf(load)}` : broken
  const unwell =
    (await untilWell(people, { call: load.call, program, limitMs: WELL_LIMIT_MS })) ??
    (await load.untilAllSaved(endedAt, WELL_LIMIT_MS)) ??
    // From the sources a reader, which has a low priority, may need minutes to start on a machine that others use.
    (program === 'built' ? await load.untilImportGoesOn(endedAt, WELL_LIMIT_MS) : null)
  const wellSeconds = (performance.now() - endedAt) / 1000
  stall.disable()
  const [one = 0] = loadavg()
  const failing = unwell ?? (await load.close(STUCK_LIMIT_MS))
  const findings = await withDatabase(dataDir, ({ db }) => load.verify(db, ACCESS_SECONDS * 1000))
  const after = load.figures()
  const { record } = load
  return {
    number,
    fault,
    said,
    answers: after.answers - before.answers,
    payments: after.payments - before.payments,
    imports: after.imports - before.imports,
    givenUp: load.records.imports.givenUp.slice(before.givenUp),
    failedRequests: record.failed,
    slowRequests: record.slow,
    slowestSeconds: record.slowestMs / 1000,
    wellSeconds,
    failing,
    findings,
    deaths: shop.deaths.slice(before.deaths),
    failedStarts: shop.failedStarts.slice(before.failedStarts),
    refusals: [...record.refusals].map(([what, count]) => `${count} × ${what}`),
    stallSeconds: stall.max / 1e9,
    load: one / availableParallelism(),
  }
}
