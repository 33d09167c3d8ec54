import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../src/db/open.server.ts'
import type { Tables } from '../../src/db/tables.server.ts'

/** Runs `act` when it is this actor's turn. For a statement, `backend` is the process id of its database connection. */
export type Step = <T>(what: string, act: () => Promise<T>, backend?: number) => Promise<T>

export type Actor = {
  readonly name: string
  /** The actor that must finish first: for example, no one learns of a payment before it is made. */
  readonly follows?: string
  run(step: Step): Promise<void>
}

/** Pseudorandom numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type State = {
  readonly actor: Actor
  /** Lets the waiting actor continue; null while it runs. */
  resume: (() => void) | null
  /** The current or next step. */
  doing: string
  backend: number | null
  /** Waits for a database lock, until another transaction ends. */
  isBlocked: boolean
  isDone: boolean
}

/** When all actors have waited this long, it is a deadlock. */
const DEADLOCK_MS = 15_000

/**
 * Runs the actors one step at a time. With the probability `restless` it switches to a random actor, and otherwise continues
 * with the current one. An actor that waits for a database lock is skipped until it has the lock. The same random numbers give
 * the same order.
 * @throws Error with the steps so far; its cause is the error of an actor
 */
export async function takeTurns(
  pool: pg.Pool,
  actors: readonly Actor[],
  { random, restless }: { random: () => number; restless: number },
): Promise<void> {
  const steps: string[] = []
  const problems: unknown[] = []
  let changed: () => void = () => {}
  const states = actors.map((actor): State => ({
    actor,
    resume: null,
    doing: 'start',
    backend: null,
    isBlocked: false,
    isDone: false,
  }))

  const startActor = async (state: State) => {
    const step: Step = async (what, act, backend) => {
      state.doing = what
      state.backend = backend ?? null
      await new Promise<void>((resolve) => {
        state.resume = resolve
        state.isBlocked = false
        changed()
      })
      return act()
    }
    try {
      await step('start', async () => {})
      await state.actor.run(step)
    } catch (error) {
      problems.push(error)
    }
    state.isDone = true
    changed()
  }
  const acting = () => states.filter(({ isDone, resume: open }) => !isDone && open === null)
  const isAllowed = ({ actor }: State) =>
    actor.follows === undefined || states.find((other) => other.actor.name === actor.follows)?.isDone === true
  const ready = () => states.filter((state) => state.resume !== null && isAllowed(state))
  const nextChange = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      changed = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const areBlocked = async (backends: readonly number[]) => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from unnest($1::int[]) as pid where cardinality(pg_blocking_pids(pid)) > 0',
      [backends],
    )
    return rows[0]?.count === backends.length
  }
  /** Waits until each actor waits for its turn, waits for a lock, or is done. */
  const settle = async () => {
    for (let pauseMs = 2; problems.length === 0; pauseMs *= 2) {
      const busy = acting().filter(({ isBlocked }) => !isBlocked)
      if (busy.length === 0) return
      await nextChange(pauseMs)
      const waiting = acting().filter(({ isBlocked }) => !isBlocked)
      const backends = waiting.flatMap(({ backend }) => backend ?? [])
      if (backends.length > 0 && backends.length === waiting.length && (await areBlocked(backends)))
        for (const state of waiting) state.isBlocked = state.resume === null
    }
  }

  for (const state of states) void startActor(state)
  await settle()
  let current: State | null = null
  let waitsSince = performance.now()
  while (problems.length === 0 && states.some(({ isDone }) => !isDone)) {
    const free = ready()
    const [first] = free
    if (first === undefined) {
      if (performance.now() - waitsSince > DEADLOCK_MS) {
        problems.push(new Error('deadlock: all actors wait for each other'))
        break
      }
      await nextChange(5)
      continue
    }
    const isRestless = random() < restless
    current =
      isRestless || current === null || !free.includes(current)
        ? ((isRestless ? free[Math.floor(random() * free.length)] : undefined) ?? first)
        : current
    steps.push(`${current.actor.name}: ${current.doing}`)
    const { resume: open, doing } = current
    if (/^(commit|rollback)/i.test(doing)) for (const state of states) state.isBlocked = false
    current.resume = null
    open?.()
    await settle()
    waitsSince = performance.now()
  }
  if (problems.length > 0) {
    const waiting = states.filter(({ isDone }) => !isDone).map(({ actor, doing }) => `${actor.name}: ${doing}`)
    throw new Error(['after', ...steps, 'while', ...waiting].join('\n  '), { cause: problems[0] })
  }
}

/** A database whose statements wait for the actor's turn. */
export function databaseInTurns(pool: pg.Pool, step: Step): Db {
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    const backend = (client as pg.PoolClient & { readonly processID: number }).processID
    const query = (text: string, values: readonly unknown[]) =>
      step(text.replaceAll(/\s+/g, ' ').slice(0, 80), () => client.query(text, [...values]), backend)
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) })
}

/** A service whose calls wait for the actor's turn. */
export function serviceInTurns<Service extends object>(service: Service, step: Step): Service {
  return new Proxy(service, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(value, target, args) as unknown
        // readEvent is synchronous and calls no other service.
        return name === 'readEvent' ? call() : step(String(name), async () => call())
      }
    },
  })
}
