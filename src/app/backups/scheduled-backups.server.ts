import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isAway } from '../../db/connect-with-retry.server.ts'
import type { Db, OpenDatabase } from '../../db/open.server.ts'
import { limitSilence } from '../../db/silent-connections.server.ts'
import { lastDue, listExpired, periodMs, retryDelay, type BackupSchedule } from '../../platform/backup-plan.ts'
import type { Clock } from '../../platform/clock.server.ts'
import type { Env } from '../../platform/env.server.ts'
import type { Log } from '../../platform/log.server.ts'
import type { Figure } from '../../platform/metrics.server.ts'
import { readStateOf, writeBackupState, type BackupState } from './backup-state.server.ts'
import { StoreFailed, type BackupStore } from './backup-store.server.ts'
import { ContentSums } from './content-sums.server.ts'
import { openStores, type BackupStores } from './open-store.server.ts'
import { CannotRestore, type BackupSource } from './restore-snapshot.server.ts'
import { dropLeftDatabases, MayNotCreate, testRestore } from './restore-test.server.ts'
import { seal } from './seal.server.ts'
import { writeSnapshot } from './snapshot.server.ts'
import {
  backupName,
  copyBackup,
  deleteBackup,
  listBackups,
  writeFacts,
  type BackupFacts,
  type RestoreTest,
} from './stored-backups.server.ts'

type Deps = {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly database: OpenDatabase
  readonly secret: string
}

export type ScheduledBackups = {
  /** Makes the backup that is due, or tests the restore of one that could not be tested. Failures are in the log and in the state. */
  run(): Promise<void>
  figures(): Promise<Figure[]>
  /** Ends what is under way; the next start does it again. */
  stop(): void
}

/** Null without BACKUP_DIR and BACKUP_S3_BUCKET. One process at a time may call `run`. */
export function createScheduledBackups(deps: Deps): ScheduledBackups | null {
  const { env, clock, database } = deps
  const stopping = new AbortController()
  const stores = openStores(env.backups, stopping.signal)
  if (stores === null || env.backups === null) return null
  const { schedule } = env.backups
  const { main: store, copies } = stores
  return {
    async run() {
      const now = clock.now()
      const state = await readStateOf(database.db, store.place)
      const isMade = state.last !== null && isBetween(state.last.madeAt, lastDue(schedule, now), now)
      const isUsable = isMade && state.last?.test !== 'failed'
      const isDone = isUsable && state.last?.test !== null && isCopied(state, copies)
      const mustWait = state.failure !== null && isBetween(now, state.failure.at, state.failure.retryAt)
      if (isDone || mustWait || stopping.signal.aborted) return
      await runOnce({ ...deps, store, copies, signal: stopping.signal }, state, isUsable)
    },
    figures: () => figuresOf({ db: database.db, clock, stores, schedule }),
    stop: () => stopping.abort(),
  }
}

/** What a clock wrote that has been set back since counts for nothing: it would put the next backup off for as long. */
function isBetween(time: string | Date, from: string | Date, to: string | Date): boolean {
  return new Date(from) <= new Date(time) && new Date(time) <= new Date(to)
}

type Run = Deps & { readonly store: BackupStore; readonly copies: BackupStore | null; readonly signal: AbortSignal }

/** Does what is left to do: makes the backup, tests its restore, copies it. */
async function runOnce(run: Run, before: BackupState, isMade: boolean): Promise<void> {
  const { log, clock, database, store, copies, signal } = run
  let state = before
  const save = async (change: Partial<BackupState>) => {
    state = { ...state, ...change }
    await writeBackupState(database.db, state, clock.now())
  }
  try {
    const left = await dropLeftDatabases(database)
    if (left.length > 0) log.info({ databases: left }, 'dropped temporary databases that a test of a restore had left')
    await store.deleteLeftovers()
    if (!isMade) await save({ last: await make(run) })
    if (state.last!.test === null) {
      await save(await tested(run, state.last!))
      await deleteExpired(run, store)
    }
    if (copies !== null && !isCopied(state, copies)) {
      await save({ copied: await copyLast(run, copies, state.last!) })
      await deleteExpired(run, copies)
    }
    await save({ failures: 0, failure: null })
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof TestFailed) state = { ...state, last: error.last }
    const failures = state.failures + 1
    const now = clock.now()
    const retryAt = new Date(now.getTime() + retryDelay(failures)).toISOString()
    const sentence = sentenceOf(error)
    log.error({ err: error, failures, retryAt }, `the scheduled backup failed: ${sentence}`)
    await save({ failures, failure: { at: now.toISOString(), sentence, retryAt } })
  }
}

type LastBackup = NonNullable<BackupState['last']>

/** The backup is damaged and is made again. */
class TestFailed extends Error {
  readonly last: LastBackup
  constructor(last: LastBackup) {
    super(`The restore of ${last.name} failed its test. ${last.why}`)
    this.last = last
  }
}

const isCopied = ({ copied, last }: BackupState, copies: BackupStore | null) =>
  copies === null || (copied?.place === copies.place && copied.name === last?.name)

/** @throws TestFailed when it proved to be damaged */
async function tested(run: Run, last: LastBackup): Promise<Partial<BackupState>> {
  const { log, store } = run
  const test = await testLast(run, last.name)
  const found = { ...last, test: test.result, why: test.result === 'passed' ? null : test.why }
  if (test.result === 'failed') throw new TestFailed(found)
  if (test.result === 'passed') log.info({ backup: last.name, place: store.place }, 'tested the restore of a backup')
  else log.warn({ backup: last.name, why: test.why }, 'the restore of a backup is not tested; no older one is deleted')
  return { last: found, ...(test.result === 'passed' ? { testedMadeAt: last.madeAt } : {}) }
}

async function copyLast({ log, store }: Run, copies: BackupStore, last: LastBackup): Promise<BackupState['copied']> {
  const { name, madeAt } = last
  try {
    await copies.deleteLeftovers()
    await copyBackup(store, copies, name)
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    throw new StoreFailed(`${name} is in ${store.place}, but was not copied. ${error.message}`, { cause: error })
  }
  log.info({ backup: name, place: copies.place }, 'copied a backup')
  return { place: copies.place, name, madeAt }
}

async function make({ env, log, clock, database, secret, store, signal }: Run): Promise<BackupState['last']> {
  const now = clock.now()
  const name = backupName(now)
  const sums = new ContentSums()
  const passphrase = env.backupPassphrase ?? null
  let rows = 0
  let bytes = 0
  let writing: Promise<void> | undefined
  const client = await database.direct.connect()
  // A single statement may take as long as it needs.
  limitSilence(client, 0)
  try {
    const lines = writeSnapshot(client, {
      // One of the environment is not ours to store.
      secret: env.authSecret === undefined ? secret : null,
      now,
      onProgress: (done) => (rows = done),
      onRow: (table, row) => sums.add(table, row),
    })
    await pipeline(
      Readable.from(lines),
      createGzip(),
      (packed: AsyncIterable<Buffer>) => (passphrase === null ? packed : seal(packed, passphrase)),
      (whole: AsyncIterable<Buffer>) => {
        writing = store.write(
          name,
          counting(whole, (more) => (bytes += more)),
        )
        return writing
      },
      { signal },
    )
  } catch (error) {
    // When the store fails, the pipeline only says that its streams were aborted.
    await writing?.catch((reason: unknown) => {
      if (reason instanceof StoreFailed) throw reason
    })
    throw error
  } finally {
    client.release(true)
  }
  const isSealed = passphrase !== null
  await writeFacts(store, name, { rows, isSealed, digest: sums.digest(), test: NOT_YET })
  log.info({ backup: name, place: store.place, rows, bytes, isSealed }, 'made a backup')
  return { name, madeAt: now.toISOString(), bytes, rows, isSealed, test: null, why: null }
}

const NOT_YET: RestoreTest = { result: 'not tested', why: 'The restore is not tested yet.' }

async function* counting(source: AsyncIterable<Buffer>, count: (bytes: number) => void) {
  for await (const chunk of source) {
    count(chunk.length)
    yield chunk
  }
}

/** @throws when the test could not be carried out, so that nothing is known of the backup */
async function testLast({ env, database, store, signal }: Run, name: string): Promise<RestoreTest> {
  const found = (await listBackups(store)).find((backup) => backup.name === name)
  if (found === undefined) return { result: 'failed', why: `There is no file ${name} any more.` }
  const test = await testRestore(database, sourceOf(store, name, env.backupPassphrase), {
    digest: found.facts?.digest ?? null,
    signal,
  }).then(
    (): RestoreTest => ({ result: 'passed', at: new Date().toISOString() }),
    (error: unknown): RestoreTest => {
      if (error instanceof MayNotCreate) return { result: 'not tested', why: error.message }
      if (error instanceof CannotRestore) return { result: 'failed', why: error.message }
      throw error
    },
  )
  if (found.facts !== null) await writeFacts(store, name, { ...found.facts, test } satisfies BackupFacts)
  return test
}

export function sourceOf(store: BackupStore, name: string, passphrase: string | undefined): BackupSource {
  return {
    open: () => store.read(name),
    async passphrase() {
      if (passphrase !== undefined) return passphrase
      throw new CannotRestore('The backup is sealed. Set ALTOCERT_BACKUP_PASSPHRASE.')
    },
  }
}

/** What cannot be deleted stays until the next backup; it takes space and harms nothing. */
async function deleteExpired({ env, log }: Run, store: BackupStore): Promise<void> {
  const expired = listExpired(await listBackups(store), env.backups?.keep ?? {})
  for (const { name } of expired) {
    try {
      await deleteBackup(store, name)
      log.info({ backup: name, place: store.place }, 'deleted an old backup')
    } catch (error) {
      log.warn({ err: error, backup: name }, 'an old backup could not be deleted')
    }
  }
}

const DISK_FULL = '53100'

function sentenceOf(error: unknown): string {
  if ((error as { code?: string }).code === DISK_FULL) return 'The disk of the database is full.'
  if (isAway(error)) return 'The connection to the database was lost while the backup was under way.'
  return error instanceof Error ? error.message : String(error)
}

type FigureDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly stores: BackupStores
  readonly schedule: BackupSchedule
}

async function figuresOf({ db, clock, stores, schedule }: FigureDeps): Promise<Figure[]> {
  const state = await readStateOf(db, stores.main.place).catch(() => null)
  // The database is away: a wrong age would be worse than none.
  if (state === null) return []
  const age = (madeAt: string | null | undefined) =>
    typeof madeAt === 'string' ? (clock.now().getTime() - new Date(madeAt).getTime()) / 1000 : Number.POSITIVE_INFINITY
  const copied = state.copied?.place === stores.copies?.place ? state.copied : null
  const copiedAge: [Record<string, string>, number][] =
    stores.copies === null ? [] : [[{ backup: 'copied' }, age(copied?.madeAt)]]
  return [
    {
      name: 'altocert_backup_age_seconds',
      kind: 'gauge',
      help: 'Age of the last scheduled backup, and of the last one whose restore was tested or that was copied to the bucket; +Inf when there is none.',
      values: [
        [{ backup: 'last' }, age(state.last?.madeAt)],
        [{ backup: 'tested' }, age(state.testedMadeAt)],
        ...copiedAge,
      ],
    },
    {
      name: 'altocert_backup_period_seconds',
      kind: 'gauge',
      help: 'The time from one scheduled backup to the next.',
      values: [[{}, periodMs(schedule) / 1000]],
    },
    {
      name: 'altocert_backup_failures',
      kind: 'gauge',
      help: 'Failures of the scheduled backup since its last success.',
      values: [[{}, state.failures]],
    },
  ]
}
