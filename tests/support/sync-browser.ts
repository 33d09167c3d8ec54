import { randomUUID } from 'node:crypto'
import {
  createSync,
  sendEdit,
  type Sync,
  type SyncNews,
} from '../../src/features/catalogue/data-calls/course-sync-client.ts'
import { withEdits, type ShownCourse } from '../../src/features/catalogue/data-calls/course-sync.ts'
import { Edit, type NewEdit, type Outbox } from '../../src/features/catalogue/data-calls/course-sync.schema.ts'
import type { AdminCourseView } from '../../src/features/catalogue/catalogue.schema.ts'
import { CallFailed, type clientOf } from '../../src/platform/api-client.ts'
import type { dataCallsApi } from '../../src/features/catalogue/data-calls/data-calls-endpoints.server.ts'
import type { FailureReply } from '../../src/lib/failure.ts'
import type { Reply } from './start-app.ts'
import type { SignedIn } from './users.ts'

/** What happens to the next call of a browser. */
export type Fate = 'arrives' | 'offline' | 'answer lost' | 'tab dies'

export type Tab = {
  readonly browser: ABrowser
  readonly sync: Sync
  /** What was said about edits in this tab. */
  readonly news: SyncNews[]
  /** What somebody does; in a tab that has died meanwhile nobody can, so it is done in the one that was opened instead. */
  add(edit: NewEdit): Promise<void>
  flush(): Promise<void>
  choose(id: string, choice: 'mine' | 'theirs'): Promise<void>
  readList(): Promise<void>
  /** The list as this tab shows it, of these rows, by id. */
  courses(rows: ReadonlySet<string>): Promise<ShownCourse[]>
}

/**
 * A browser of an admin, with its tabs: the real sync and the real server, with a disk that survives, a network that fails as
 * it is told, and tabs that die in the middle of a call. Time passes only where somebody waits for it.
 */
export class ABrowser {
  readonly user: SignedIn
  readonly tabs: Tab[]
  fates: Fate[] = []
  /** What lies on the disk: text, as nothing else survives. */
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
    const news: SyncNews[] = []
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
            const outcome = this.fates.shift() ?? 'arrives'
            if (outcome === 'offline') throw lost('OFFLINE')
            await reply()
            if (outcome === 'answer lost') throw lost('NETWORK_ERROR')
            if (outcome !== 'tab dies') return
            isDead = true
            die()
            await new Promise(() => undefined)
          }),
        ),
      alone: (run) => {
        const turn = this.#turn.then(() => (isDead ? undefined : Promise.race([run(), death])))
        this.#turn = turn.catch(() => undefined)
        return turn
      },
      wait: () => Promise.resolve(),
      later: () => () => undefined,
      now: () => this.#now(),
      newId: () => randomUUID(),
      tellTabs: () => undefined,
      say: (one) => void news.push(one),
    })
    const reopen = () => {
      if (isDead && this.tabs[place] === tab) this.restart(place)
    }
    /** The tab that is open at this place now. */
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
        const askedAt = this.#now()
        const { body } = await this.user.browser.get('/api/admin/courses')
        base = (body as { courses: AdminCourseView[] }).courses
        await sync.reload()
        if (isDead) reopen()
        else await sync.takeList(askedAt)
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

/** The browser's typed client, as that person, over a network that may do something before or after a call goes through. */
export function callAs(
  user: SignedIn,
  network: (reply: () => Promise<Reply>) => Promise<unknown>,
): ReturnType<typeof clientOf<typeof dataCallsApi>> {
  return async (method, path, ...[given]) => {
    const { params = {}, query = {}, body } = (given ?? {}) as { params?: object; query?: object; body?: unknown }
    const whole = Object.entries(params as Record<string, unknown>).reduce<string>(
      (text, [name, value]) => text.replace(`:${name}`, String(value)),
      path,
    )
    const asked = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    let arrived: Promise<Reply> | null = null
    const reply = () =>
      (arrived ??= user.browser.call(method, `${whole}?${new URLSearchParams(asked).toString()}`, body))
    await network(reply)
    const { status, body: answer } = await reply()
    if (status >= 400) throw new CallFailed(status, (answer as FailureReply).error)
    return answer as never
  }
}
