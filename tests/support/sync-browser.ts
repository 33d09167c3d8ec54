import { randomUUID } from 'node:crypto'
import {
  createSync,
  sendEdit,
  type Sync,
  type SyncNotice,
} from '../../src/features/catalogue/data-calls/course-sync-client.ts'
import { withEdits, type ShownCourse } from '../../src/features/catalogue/data-calls/course-sync.ts'
import { Edit, type NewEdit, type Outbox } from '../../src/features/catalogue/data-calls/course-sync.schema.ts'
import type { AdminCourseView } from '../../src/features/catalogue/catalogue.schema.ts'
import { CallFailed, type clientOf } from '../../src/platform/api-client.ts'
import type { dataCallsApi } from '../../src/features/catalogue/data-calls/data-calls-endpoints.server.ts'
import type { FailureReply } from '../../src/lib/failure.ts'
import type { Reply } from './start-app.ts'
import type { SignedIn } from './users.ts'

/** The outcome of the next call of a browser. */
export type CallOutcome = 'arrives' | 'offline' | 'answer lost' | 'tab dies'

export type Tab = {
  readonly browser: ABrowser
  readonly sync: Sync
  /** The notifications about edits in this tab. */
  readonly news: SyncNotice[]
  /** A user's edit. When this tab has died, the edit happens in the tab that replaced it. */
  add(edit: NewEdit): Promise<void>
  flush(): Promise<void>
  choose(id: string, choice: 'mine' | 'theirs'): Promise<void>
  readList(): Promise<void>
  /** The list as this tab shows it, limited to these ids. */
  courses(rows: ReadonlySet<string>): Promise<ShownCourse[]>
}

/**
 * An admin's browser with tabs. It uses the real sync and the real server, with simulated storage that survives restarts, a
 * network that fails on command, and tabs that die during a call. Waiting takes no time.
 */
export class ABrowser {
  readonly user: SignedIn
  readonly tabs: Tab[]
  outcomes: CallOutcome[] = []
  /** The stored outbox as text, like real browser storage. */
  #disk = '[]'
  #ticks = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(user: SignedIn, tabs: number) {
    this.user = user
    this.tabs = Array.from({ length: tabs }, (_, place) => this.#open(place))
  }

  get stored(): Outbox {
    return Edit.array().parse(JSON.parse(this.#disk))
  }

  restart(place: number) {
    this.tabs[place]?.sync.stop()
    this.tabs[place] = this.#open(place)
  }

  #open(place: number): Tab {
    let base: AdminCourseView[] = []
    const news: SyncNotice[] = []
    let die = () => undefined as void
    const death = new Promise<void>((resolve) => {
      die = resolve
    })
    let isDead = false
    const sync = createSync({
      by: this.user.id,
      read: () => Promise.resolve(this.stored),
      change: (make) => {
        if (isDead) return new Promise(() => undefined)
        const next = make(this.stored)
        this.#disk = JSON.stringify(next)
        return Promise.resolve(next)
      },
      send: (edit) =>
        sendEdit(
          edit,
          callAs(this.user, async (reply) => {
            const outcome = this.outcomes.shift() ?? 'arrives'
            if (outcome === 'offline') throw lost('OFFLINE')
            await reply()
            if (outcome === 'answer lost') throw lost('NETWORK_ERROR')
            if (outcome !== 'tab dies') return
            isDead = true
            die()
            await new Promise(() => undefined)
          }),
        ),
      runExclusively: (run) => {
        const turn = this.#turn.then(() => (isDead ? undefined : Promise.race([run(), death])))
        this.#turn = turn.catch(() => undefined)
        return turn
      },
      wait: () => Promise.resolve(),
      schedule: () => () => undefined,
      now: () => this.#now(),
      newId: () => randomUUID(),
      notifyTabs: () => undefined,
      notify: (notice) => void news.push(notice),
    })
    const reopen = () => {
      if (isDead && this.tabs[place] === tab) this.restart(place)
    }
    /** The tab that is currently open at this index. */
    const alive = () => {
      reopen()
      return this.tabs[place] ?? tab
    }
    const tab: Tab = {
      browser: this,
      sync,
      news,
      add: (edit) => (isDead ? alive().add(edit) : sync.add(edit)),
      flush: () => sync.flush().then(reopen),
      choose: (id, choice) => (isDead ? alive().choose(id, choice) : sync.choose(id, choice).then(reopen)),
      readList: async () => {
        const requestedAt = this.#now()
        const { body } = await this.user.browser.get('/api/admin/courses')
        base = (body as { courses: AdminCourseView[] }).courses
        await sync.reload()
        if (isDead) reopen()
        else await sync.removeListed(requestedAt)
      },
      courses: async (rows) => {
        await sync.reload()
        return withEdits(base, sync.outbox()).filter(({ id }) => rows.has(id))
      },
    }
    return tab
  }

  #now(): number {
    this.#ticks += 1
    return this.#ticks
  }
}

const lost = (code: string) => new CallFailed(0, { code, kind: 'network', message: 'lost' })

/** The browser's typed client, signed in as `user`; `network` runs around each call and may fail or delay it. */
export function callAs(
  user: SignedIn,
  network: (reply: () => Promise<Reply>) => Promise<unknown>,
): ReturnType<typeof clientOf<typeof dataCallsApi>> {
  return async (method, path, ...[options]) => {
    const { params = {}, query = {}, body } = (options ?? {}) as { params?: object; query?: object; body?: unknown }
    const address = Object.entries(params as Record<string, unknown>).reduce<string>(
      (text, [name, value]) => text.replace(`:${name}`, String(value)),
      path,
    )
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    let arrived: Promise<Reply> | null = null
    const reply = () =>
      (arrived ??= user.browser.call(method, `${address}?${new URLSearchParams(parameters).toString()}`, body))
    await network(reply)
    const { status, body: answer } = await reply()
    if (status >= 400) throw new CallFailed(status, (answer as FailureReply).error)
    return answer as never
  }
}
