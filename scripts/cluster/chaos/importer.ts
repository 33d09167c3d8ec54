import { sql } from 'kysely'
import type { Db } from '../../../src/db/open.server.ts'
import { bankFile } from '../../../bench/bank-files.ts'
import { ADMIN } from '../shop-processes.ts'
import { pause, successOf, type Requests } from './requests.ts'

const QUESTIONS = 10_000
const TRY_AGAIN_MS = 1000
const PAUSE_MS = 20_000
/** The import that is under way at the end is finished; reading 10,000 questions takes a busy machine a minute. */
const FINISH_MS = 240_000

export type Importer = {
  summary(): string
  run(isOver: () => boolean): Promise<void>
  /** Imports that are stored in part, twice, or not at all although that was acknowledged. */
  findFaults(db: Db): Promise<string[]>
}

/** An admin who imports 10,000 questions into a new course, again and again. */
export function createImporter(cookie: string, requests: Requests): Importer {
  const bank = new TextDecoder().decode(bankFile('json', QUESTIONS).bytes)
  const acknowledged = new Set<string>()
  const titles: string[] = []
  const counts = { uploads: 0, refused: 0 }
  /** The state in which the reading of each upload ended, or why it was not stored. */
  const endings: string[] = []

  async function untilRead(path: string, isOver: () => boolean): Promise<string> {
    while (!isOver()) {
      const view = successOf<{ state: string }>(await requests.send('GET', path, { cookie }))
      if (view !== null && view.state !== 'waiting' && view.state !== 'reading') return view.state
      await pause(TRY_AGAIN_MS)
    }
    return 'still being read'
  }

  async function importOnce(number: number, isOver: () => boolean) {
    const title = `Chaos import ${number}`
    // The shop does not store a question that it has already.
    const upload = new TextEncoder().encode(
      bank.replaceAll('bench-json-', `chaos-${number}-`).replaceAll('for case ', `for case ${number}/`),
    )
    const uploaded = successOf<{ id: string }>(
      await requests.send('POST', `/api/imports?name=${encodeURIComponent(title)}.json`, { cookie, upload }),
    )
    counts.uploads += 1
    if (uploaded === null) {
      counts.refused += 1
      return
    }
    const path = `/api/imports/${uploaded.id}`
    endings.push(await untilRead(path, isOver))
    if (isOver()) return
    titles.push(title)
    const target = { kind: 'new-course', course: { title }, exam: { title } }
    for (;;) {
      const reply = await requests.send('POST', `${path}/store`, { cookie, body: { target, withReview: true } })
      const stored = successOf<{ added: number }>(reply)
      if (stored !== null && stored.added > 0) acknowledged.add(title)
      if (stored === null && reply !== null && reply.status < 500)
        endings.push(`${reply.status} ${reply.text.slice(0, 200)}`)
      // A refusal says that it is stored already, by a try whose reply did not arrive, or that it cannot be.
      if (stored !== null || (reply !== null && reply.status < 500) || isOver()) return
      await pause(TRY_AGAIN_MS)
    }
  }

  return {
    summary: () =>
      `of ${acknowledged.size} acknowledged; ${counts.uploads} uploads, ${counts.refused} refused, ${endings.join(', ')}`,
    async run(isOver) {
      let endAt = 0
      const isTooLate = () => {
        if (isOver() && endAt === 0) endAt = performance.now() + FINISH_MS
        return endAt !== 0 && performance.now() > endAt
      }
      for (let number = 1; !isOver(); number += 1) {
        await importOnce(number, isTooLate)
        await pause(PAUSE_MS)
      }
    },
    async findFaults(db) {
      const { rows } = await sql<{ title: string; exams: number; questions: number }>`
        select course.title, count(exam.id)::int as exams, coalesce(sum(exam.question_count), 0)::int as questions
        from courses course left join test_questions exam on exam.course_id = course.id
        where course.title like 'Chaos import %' group by course.id`.execute(db)
      const found = rows
        .filter(({ questions }) => questions !== QUESTIONS)
        .map(({ title, exams, questions }) => `${title}: ${questions} questions in ${exams} exams`)
      const count = (title: string) => rows.filter((row) => row.title === title).length
      const twice = titles.filter((title) => count(title) > 1).map((title) => `${title}: is there twice`)
      const lost = [...acknowledged].filter((title) => count(title) === 0).map((title) => `${title}: is gone`)
      return [...found, ...twice, ...lost]
    },
  }
}

export async function signIn(url: string): Promise<string> {
  const reply = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  if (!reply.ok) throw new Error(`the admin could not sign in: ${reply.status} ${await reply.text()}`)
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
