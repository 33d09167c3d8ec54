import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { findPostmaster, processesOf, signal } from './postgres-processes.ts'
import type { Random } from './random.ts'
import type { Shop } from './shop.ts'
import type { SmallDisk } from './small-disk.ts'
import type { SwallowingProxy } from './swallowing-proxy.ts'

/** What can be broken. */
export type World = {
  readonly dataDir: string
  readonly shop: Shop
  readonly clockFile: string
  /** Null where none could be mounted. */
  readonly disk: SmallDisk | null
  /** Null while the shop reaches its database directly. */
  readonly proxy: SwallowingProxy | null
  /** Faults that last take so long, in seconds: from and to. */
  readonly lasting: readonly [number, number]
  /** How long a disk is full, in seconds; null for a time like that of the others. */
  readonly fullDiskSeconds: number | null
  /** How often something is killed in one round. */
  readonly mostKills: number
}

export const FAULT_NAMES = [
  'kill postgres',
  'kill node',
  'kill both',
  'freeze postgres',
  'half-open',
  'full disk',
  'wrong clock',
  'four at once',
] as const
export type FaultName = (typeof FAULT_NAMES)[number]

/** Breaks something, waits, and ends the fault. Tells what was done. */
type Fault = (world: World, random: Random) => Promise<string>

const faults: Readonly<Record<FaultName, Fault>> = {
  'kill postgres': (world, random) =>
    repeated(world, random, (times) => ({ said: `postmaster killed ${times}`, act: () => killPostgres(world) })),
  'kill node': (world, random) =>
    repeated(world, random, (times) => ({ said: `node killed ${times}`, act: () => world.shop.kill() })),
  'kill both': (world, random) =>
    repeated(world, random, (times) => ({
      said: `both killed ${times}`,
      act() {
        world.shop.kill()
        killPostgres(world)
      },
    })),
  'freeze postgres': async (world, random) => {
    const seconds = random.between(...world.lasting)
    const postmaster = findPostmaster(world.dataDir)
    const frozen = postmaster === null ? [] : processesOf(postmaster)
    for (const pid of frozen) signal(pid, 'SIGSTOP')
    await wait(seconds * 1000)
    for (const pid of frozen) signal(pid, 'SIGCONT')
    return `frozen for ${seconds} s`
  },
  'half-open': async ({ proxy, lasting }, random) => {
    const seconds = random.between(...lasting)
    proxy?.swallow()
    await wait(seconds * 1000)
    proxy?.restore()
    return `connections lost, new ones too for ${seconds} s`
  },
  'full disk': async ({ disk, lasting, fullDiskSeconds }, random) => {
    const drawn = random.between(...lasting)
    const seconds = fullDiskSeconds ?? drawn
    disk?.fill()
    await wait(seconds * 1000)
    disk?.empty()
    return `full for ${seconds} s`
  },
  'wrong clock': async ({ clockFile, shop, lasting }, random) => {
    const seconds = random.between(...lasting)
    const minutes = random.between(2, 180) * random.pick([-1, 1])
    const restarts = random.next() < 0.5
    await writeFile(clockFile, String(minutes * 60_000))
    if (restarts) shop.kill()
    await wait(seconds * 1000)
    await writeFile(clockFile, '0')
    return `${Math.abs(minutes)} min ${minutes < 0 ? 'slow' : 'fast'} for ${seconds} s${restarts ? ', node killed before' : ''}`
  },
  'four at once': async (world, random) => {
    const kinds = random.shuffle(FAULT_NAMES.filter((name) => name !== 'four at once' && whyNot(name, world) === null))
    // Each draws its numbers before any begins, so that they do not depend on how fast the machine is.
    const planned = kinds.slice(0, 4).map((name) => ({ name, delayMs: random.between(0, 2000), own: random.fork() }))
    const said = await Promise.all(
      planned.map(async ({ name, delayMs, own }) => {
        await wait(delayMs)
        return faults[name](world, own)
      }),
    )
    return said.join('; ')
  },
}

export const breakThings = (name: FaultName, world: World, random: Random): Promise<string> =>
  faults[name](world, random)

/** Why this fault cannot be made here; null when it can. */
export function whyNot(name: FaultName, { disk, proxy }: Pick<World, 'disk' | 'proxy'>): string | null {
  if (name === 'full disk' && disk === null) return 'no full disk: no small one could be mounted'
  if (name === 'half-open' && proxy === null) return 'no half-open connections: there is no proxy'
  return null
}

/** Half-open connections need something between the shop and its database. */
export function needsProxy(name: FaultName): boolean {
  return name === 'half-open' || name === 'four at once'
}

function killPostgres({ dataDir }: World): void {
  const postmaster = findPostmaster(dataDir)
  if (postmaster !== null) signal(postmaster, 'SIGKILL')
}

async function repeated(
  { mostKills }: World,
  random: Random,
  plan: (times: string) => { said: string; act(): void },
): Promise<string> {
  const pauses = Array.from({ length: random.between(0, mostKills - 1) }, () => random.between(300, 3000))
  const { said, act } = plan(pauses.length === 0 ? 'once' : `${pauses.length + 1} times`)
  act()
  for (const pause of pauses) {
    await wait(pause)
    act()
  }
  return said
}
