import type { Db } from '../../../src/db/open.server.ts'
import type { People } from './make-people.ts'
import { pause, successOf, type Requests } from './requests.ts'

const TRY_AGAIN_MS = 500
const PAUSE_MS = 1500

type Draft = {
  readonly settings: { readonly title: string }
  readonly settingsVersion: number
  readonly version: number
}

export type Publisher = {
  acknowledged(): number
  run(isOver: () => boolean): Promise<void>
  /** Editions that were published and are not there, and those that are there twice. */
  findFaults(db: Db): Promise<string[]>
}

/** An admin who changes the title of an exam and publishes it, again and again. Nobody takes this exam. */
export function createPublisher({ publishedExam: id }: People, cookie: string, requests: Requests): Publisher {
  const published: { title: string; versionNumber: number }[] = []

  async function publishEdition(title: string, isOver: () => boolean) {
    const send = async <Body>(method: string, path: string, body?: object) =>
      successOf<Body>(await requests.send(method, `/api/exams/${id}${path}`, { cookie, ...(body && { body }) }))
    for (; !isOver(); await pause(TRY_AGAIN_MS)) {
      const exam = await send<{ settings: { title: string } }>('GET', '')
      // It was published by a try whose reply did not arrive.
      if (exam?.settings.title === title) return
      const draft = exam && (await send<Draft>('POST', '/draft'))
      const settings = draft && { ...draft.settings, title }
      const changed = draft && (await send<Draft>('PATCH', '/draft', { settings, version: draft.settingsVersion }))
      const done =
        changed && (await send<{ versionNumber: number }>('POST', '/draft/publish', { version: changed.version }))
      if (done === null) continue
      published.push({ title, versionNumber: done.versionNumber })
      return
    }
  }

  return {
    acknowledged: () => published.length,
    async run(isOver) {
      for (let edition = 1; !isOver(); edition += 1) {
        await publishEdition(`Chaos edition ${edition}`, isOver)
        await pause(PAUSE_MS)
      }
    },
    async findFaults(db) {
      const rows = await db
        .selectFrom('test_questions')
        .where('test_name', 'like', 'Chaos edition %')
        .select(['test_name as title', 'version_number'])
        .execute()
      const lost = published
        .filter(
          ({ title, versionNumber }) =>
            !rows.some((row) => row.title === title && row.version_number === versionNumber),
        )
        .map(({ title, versionNumber }) => `${title}: published as version ${versionNumber}, and gone`)
      const titles = rows.map(({ title }) => title)
      const twice = [...new Set(titles.filter((title, at) => titles.indexOf(title) !== at))]
      return [...lost, ...twice.map((title) => `${title}: published twice`)]
    },
  }
}
