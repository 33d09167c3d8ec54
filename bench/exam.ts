import { NAMES_HEADER, TODAY } from '../src/platform/build-id.ts'
import { chromium } from '@playwright/test'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { aCourse, anExam, aQuestion } from '../tests/support/build-course.ts'
import { chromiumArguments, findChromium } from '../tests/support/chromium.ts'
import { makeTakers } from '../tests/support/exam-takers.ts'
import type { BenchServer } from './server.ts'
import { figureRow, limitRow, median, type Row } from './table.ts'

const OPENINGS = 9
const STEPS = 20
/** The browser's own housekeeping falls into a task now and then, so each page is opened this often and the median counts. */
const PAGES = 3
/** The CPU slowdown of a slow laptop. */
const SLOWER = 4

/** Opening exams with 65 and 1,000 questions, and the page's longest task while moving from question to question. */
export async function benchExam(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 4 })
  try {
    const course = await aCourse(database.db, { title: 'Course of the bench' })
    const rows: Row[] = []
    const opened: number[] = []
    for (const count of [65, 1000]) {
      const questions = Array.from({ length: count }, (_, index) => aQuestion(index + 1))
      const exam = await anExam(database.db, course.id, { questions, timeLimitMinutes: 600 })
      const [taker] = await makeTakers(database.db, {
        dataDir: server.dataDir,
        url: server.url,
        count: 1,
        examSlug: exam.slug,
      })
      if (taker === undefined) throw new Error('nobody takes the exam')
      const times: number[] = []
      for (let round = 0; round < OPENINGS; round += 1) {
        const startedAt = performance.now()
        const reply = await fetch(`${server.url}/api/attempts/${taker.attemptId}`, {
          // As the page asks; without it the reply has each renamed field twice, for pages of earlier builds.
          headers: { cookie: taker.cookie, [NAMES_HEADER]: TODAY },
        })
        await reply.arrayBuffer()
        times.push(performance.now() - startedAt)
      }
      opened.push(median(times))
      const path = `/course/${course.slug}/exam/${exam.slug}/timed`
      const longest: number[] = []
      for (let round = 0; round < PAGES; round += 1) longest.push(await longestTask(server.url, path, taker.cookie))
      rows.push(
        limitRow(`longest task while moving on, ${count} questions, ${SLOWER}x slower CPU`, median(longest), 50, 'ms'),
      )
    }
    const [small = 0, large = 0] = opened
    rows.unshift(
      figureRow('opening an exam of 65 / of 1,000 questions', `${small.toFixed(1)} ms / ${large.toFixed(1)} ms`),
    )
    return rows
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/**
 * The page's longest task in milliseconds, for a CPU that is slower by SLOWER. Measures CPU time, so that other programs on
 * this machine do not count.
 */
async function longestTask(url: string, path: string, cookie: string): Promise<number> {
  const executablePath = findChromium()
  const browser = await chromium.launch({
    args: chromiumArguments,
    ...(executablePath === null ? {} : { executablePath }),
  })
  try {
    const page = await browser.newPage()
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ name, value, url }])
    await page.goto(`${url}${path}`)
    // Another writer than this page started the attempt.
    await page.getByRole('button', { name: 'Take over here' }).click()
    await page.getByText('Question 1 of').waitFor()
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', '__metadata'] })
    // Click from inside the page: the selectors of Playwright would count as the page's own work.
    await page.evaluate(async (steps) => {
      const next = [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Next')
      for (let step = 0; step < steps; step += 1) {
        next?.click()
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      }
    }, STEPS)
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    await page.getByText(`Question ${STEPS + 1} of`).waitFor()
    return longestOf(trace.traceEvents) * SLOWER
  } finally {
    await browser.close()
  }
}

/** An event in Chromium's trace format; `tdur` is the thread's CPU time in microseconds. */
type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }

function longestOf(events: readonly TraceEvent[]): number {
  const isPage = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  )
  const tasks = events.filter(
    ({ name, pid, tid, tdur }) => name.endsWith('RunTask') && tdur !== undefined && isPage.has(`${pid}:${tid}`),
  )
  if (tasks.length === 0) throw new Error('the trace holds no task of the page')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
