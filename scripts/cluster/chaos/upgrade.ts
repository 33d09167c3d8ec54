import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { projectRoot } from '../../../src/platform/project-root.server.ts'
import { counted } from '../../../src/lib/text.ts'
import type { Cluster } from '../reference-cluster.ts'
import type { Outcome } from './commands.ts'
import { pause } from './requests.ts'
import { describeWellness, isWell, type Prober, type Wellness } from './well.ts'

/** How long the two versions serve beside each other. */
const BESIDE_MS = 30_000
/** What a version says that must not start on the tables of a later one. */
const TOO_OLD = /that this version .* does not know/

export type Upgrade = {
  readonly said: readonly string[]
  readonly faults: readonly string[]
  readonly well: Wellness
}

/**
 * Upgrades the shop under load, one process after the other. The first process of this version migrates while the one of the version
 * before serves; then both serve beside each other, and each is tried by itself; at last the version before is started once more, which
 * must refuse.
 */
export async function upgrade(
  { shop, directUrl }: Cluster,
  { root, proberAt, prober }: { root: string; proberAt(url: string): Prober; prober: Prober },
): Promise<Upgrade> {
  const said: string[] = []
  const faults: string[] = []
  const before = await countMigrations(directUrl)
  const describe = ({ endMs, startMs }: Awaited<ReturnType<typeof shop.replace>>) =>
    `${(endMs / 1000).toFixed(1)} s to end the old one, ${(startMs / 1000).toFixed(1)} s until the new one serves`
  const first = await shop.replace(0, projectRoot)
  const migrated = (await countMigrations(directUrl)) - before
  said.push(`first process: ${describe(first)}; it has run ${counted(migrated, 'migration')}`)
  if (migrated === 0) faults.push('the version before has the same tables, so nothing was migrated')
  await pause(BESIDE_MS)
  for (const [number, port] of shop.ports.entries()) {
    const version = number === 0 ? 'this version' : 'the version before'
    const wellness = await proberAt(`http://127.0.0.1:${port}`).untilWell(performance.now())
    said.push(`${version} beside the other: ${describeWellness(wellness).replaceAll(' after it', '')}`)
    if (!isWell(wellness)) faults.push(`${version} beside the other: ${wellness.failing ?? 'too late'}`)
  }
  const second = await shop.replace(1, projectRoot)
  const endedAt = performance.now()
  said.push(`second process: ${describe(second)}`)
  const well = await prober.untilWell(endedAt)
  const refusal = await tryTooOld(() => shop.startBeside(root))
  said.push(refusal.said)
  if (!refusal.isGood) faults.push(refusal.said)
  return { said, faults, well }
}

async function tryTooOld(start: () => Promise<{ serves: boolean; logFile: string }>): Promise<Outcome> {
  const { serves, logFile } = await start()
  if (serves) return { isGood: false, said: 'the version before starts on the tables of this one' }
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n')
  const sentence = lines.findLast((line) => TOO_OLD.test(line))
  return sentence === undefined
    ? { isGood: false, said: `the version before ends without saying why: ${lines.at(-1)}` }
    : { isGood: true, said: `the version before refuses to start again: ${sentence.slice(0, 300)}` }
}

async function countMigrations(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ count: string }>('select count(*) from migrations').finally(() => client.end())
  return Number(rows[0]!.count)
}
