import { randomUUID } from 'node:crypto'
import { createSync, sendEdit, type Sync, type SyncNews } from '../../src/features/catalogue/sync/client.ts'
import { withEdits, type ShownCourse } from '../../src/features/catalogue/sync/rules.ts'
import { Edit, type Outbox } from '../../src/features/catalogue/sync/schema.ts'
import type { AdminCourseView } from '../../src/features/catalogue/schema.ts'
import { CallFailed } from '../../src/platform/client.ts'
import type { FailureReply } from '../../src/lib/failure.ts'
import type { SignedIn } from './people.ts'

/** What happens to the next call of a browser. */
export type Fate = 'arrives' | 'offline' | 'answer lost' | 'tab dies'

export type Tab = {
  readonly browser: ABrowser
  readonly sync: Sync
  /** What was said about edits in this tab. */
  readonly news: SyncNews[]
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
  readonly person: SignedIn
  readonly tabs: Tab[]
  fates: Fate[] = []
  /** What lies on the disk: text, as nothing else survives. */
  #disk = '[]'
  #ticks = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(person: SignedIn, tabs: number) {
    this.person = person
    this.tabs = Array.from({ length: tabs }, () => this.#open())
  }

  get stored(): Outbox {
    return Edit.array().parse(JSON.parse(this.#disk))
  }

  restart(place: number) {
    this.tabs[place]?.sync.stop()
    this.tabs[place] = this.#open()
  }

  #open(): Tab {
    let base: AdminCourseView[] = []
    const news: SyncNews[] = []
    let die = () => undefined as void
    const death = new Promise<void>((resolve) => {
      die = resolve
    })
    let isDead = false
    const sync = createSync({
      by: this.person.id,
      read: () => Promise.resolve(this.stored),
      change: (make) => {
        if (isDead) return new Promise(() => undefined)
        const next = make(this.stored)
        this.#disk = JSON.stringify(next)
        return Promise.resolve(next)
      },
      send: (edit) =>
        sendEdit(edit, async (method, path, ...[given]) => {
          const fate = this.fates.shift() ?? 'arrives'
          if (fate === 'offline') throw lost('OFFLINE')
          const reply = await this.#call(method, path, given ?? {})
          if (fate === 'tab dies') {
            isDead = true
            die()
            return new Promise<never>(() => undefined)
          }
          if (fate === 'answer lost') throw lost('NETWORK_ERROR')
          if (reply.status >= 400) throw new CallFailed(reply.status, (reply.body as FailureReply).error)
          return reply.body as never
        }),
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
      const place = this.tabs.indexOf(tab)
      if (isDead && place >= 0) this.restart(place)
    }
    const tab: Tab = {
      browser: this,
      sync,
      news,
      flush: () => sync.flush().then(reopen),
      choose: (id, choice) => sync.choose(id, choice).then(reopen),
      readList: async () => {
        const askedAt = this.#now()
        const { body } = await this.person.browser.get('/api/admin/courses')
        base = (body as { courses: AdminCourseView[] }).courses
        await sync.reload()
        await sync.takeList(askedAt)
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

  #call(method: string, path: string, given: { params?: object; query?: object; body?: unknown }) {
    const params = Object.entries(given.params ?? {}) as [string, string][]
    const whole = params.reduce((text, [name, value]) => text.replace(`:${name}`, value), path)
    const query = Object.entries(given.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return this.person.browser.call(method, `${whole}?${new URLSearchParams(query).toString()}`, given.body)
  }
}

const lost = (code: string) => new CallFailed(0, { code, kind: 'network', message: 'lost' })
