import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase, type Db } from '../src/db/open.server.ts'
import { findExam } from '../src/features/catalogue/catalogue-queries.server.ts'
import type { CourseId } from '../src/lib/ids.ts'
import { aCourse, anExam, aQuestion } from '../tests/support/build-course.ts'
import { makeLearner } from '../tests/support/exam-takers.ts'
import { INTERACTION_LIMIT_MS, interactionMs, noteInteractions } from './interaction.ts'
import type { BenchServer } from './server.ts'
import { CPU_SLOWER, launchBrowser, LATENCY_MS, phone, slowPhone } from './slow-phone.ts'
import { limitRow, logged, median, type Row } from './table.ts'

const ROUNDS = 5
const QUESTION_LIMIT = 1.5
const START_LIMIT_MS = LATENCY_MS + 100
const STEPS = 20
const STEP_LIMIT_MS = 16

/** The time to the first question's text beside a static page of the same text, of a start within the app, of a step and of presses. */
export async function benchFirstQuestion(server: BenchServer): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const database = openDatabase(embedded.url, { connections: 4 })
  const browser = await launchBrowser()
  try {
    const rows: Row[] = []
    for (const mode of ['preview', 'practice'] as const)
      rows.push(...(await questionRows(browser, await aTakerOfCatalogue(database.db, server, mode))))
    rows.push(await startRow(browser, () => aTakerOfCatalogue(database.db, server, 'practice')))
    for (const count of [65, 1000])
      rows.push(await stepRow(browser, await aTaker(database.db, server, count, 'practice'), count))
    rows.push(...(await pressRows(browser, await aTaker(database.db, server, 65, 'practice'))))
    return rows
  } finally {
    await browser.close()
    await database.close()
    await embedded.stop()
  }
}

type Taker = { readonly url: string; readonly startPath: string; readonly path: string; readonly cookie: string | null }

/** An exam of its own, and somebody who may take it: a guest in the preview. */
async function aTaker(db: Db, server: BenchServer, count: number, mode: 'preview' | 'practice'): Promise<Taker> {
  const course = await aCourse(db, { title: `Course of ${count} questions, ${mode}` })
  const questions = Array.from({ length: count }, (_, index) => aQuestion(index + 1))
  const exam = await anExam(db, course.id, { questions, isFreeTrial: mode === 'preview' })
  const cookie = mode === 'preview' ? null : await cookieOfLearner(db, server, course.id)
  const startPath = `/course/${course.slug}/exam/${exam.slug}`
  return { url: server.url, startPath, path: `${startPath}/${mode}`, cookie }
}

/** The catalogue's exams: what somebody reads, 20 questions in the preview and 65 in practice. */
const CATALOGUE_COURSE = 'aws-certified-cloud-practitioner'
const CATALOGUE_EXAMS = { preview: 'clf-free-sampler', practice: 'clf-practice-exam-1' } as const

/** Somebody who may take an exam of the catalogue and has not begun it. */
async function aTakerOfCatalogue(db: Db, server: BenchServer, mode: 'preview' | 'practice'): Promise<Taker> {
  const exam = await findExam(db, CATALOGUE_EXAMS[mode])
  if (exam === null) throw new Error(`the catalogue has no exam ${CATALOGUE_EXAMS[mode]}`)
  const cookie = mode === 'preview' ? null : await cookieOfLearner(db, server, exam.courseId)
  const startPath = `/course/${CATALOGUE_COURSE}/exam/${CATALOGUE_EXAMS[mode]}`
  return { url: server.url, startPath, path: `${startPath}/${mode}`, cookie }
}

async function cookieOfLearner(db: Db, { dataDir }: BenchServer, courseId: CourseId): Promise<string> {
  const { name, value } = (await makeLearner(db, { dataDir, courseId })).cookie
  return `${name}=${value}`
}

/** The exam and its static twin in turns: each round opens both with an empty cache, and once more with a full one. */
async function questionRows(browser: Browser, taker: Taker): Promise<Row[]> {
  const mode = taker.path.split('/').at(-1)
  const twin = await startTwin(await textOfQuestion(browser, taker))
  const seen = {
    cold: { ours: [] as number[], twin: [] as number[] },
    warm: { ours: [] as number[], twin: [] as number[] },
  }
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ours = await open(browser, taker)
      await ours.request.post(`${taker.url}${taker.path}`, {
        form: { do: 'start' },
        headers: { origin: taker.url },
      })
      const theirs = await open(browser, taker)
      for (const cache of ['cold', 'warm'] as const) {
        seen[cache].twin.push(await timeToQuestion(theirs, twin.url))
        seen[cache].ours.push(await timeToQuestion(ours, `${taker.url}${taker.path}`))
        await ours.waitForFunction(() => 'started' in document.documentElement.dataset)
      }
      await ours.context().close()
      await theirs.context().close()
    }
  } finally {
    twin.stop()
  }
  return (['cold', 'warm'] as const).map((cache) => {
    const [ours, theirs] = [median(seen[cache].ours), median(seen[cache].twin)]
    const figures = `${Math.round(ours)} of ${Math.round(theirs)} ms, ${spread(seen[cache].ours)}`
    return logged(
      limitRow(
        `first question of a ${mode} beside a static page, slow phone, ${cache} (${figures})`,
        ours / theirs,
        QUESTION_LIMIT,
        'times',
        2,
      ),
    )
  })
}

const spread = (times: readonly number[]) => `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms`

/** From the press on 'Start exam' to the first question of 65, on a page whose scripts have run. */
async function startRow(browser: Browser, newTaker: () => Promise<Taker>): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const taker = await newTaker()
    const page = await open(browser, taker)
    await page.goto(`${taker.url}${taker.startPath}`)
    await page.waitForFunction(() => document.querySelector('link[rel=modulepreload][href*="exam-page"]') !== null)
    await page.waitForLoadState('networkidle')
    times.push(
      await page.evaluate(async (path) => {
        const shown = new Promise<void>((resolve) => {
          new MutationObserver(() => {
            if (document.querySelector('fieldset legend') !== null) resolve()
          }).observe(document, { childList: true, subtree: true })
        })
        const pressedAt = performance.now()
        document.querySelector<HTMLElement>(`form[action="${path}"] button`)?.click()
        await shown
        // The layout of the frame that shows it belongs to the time. Asking in each frame would cost frames that nobody sees.
        await new Promise((resolve) => requestAnimationFrame(resolve))
        document.querySelector('fieldset legend')?.getBoundingClientRect()
        return performance.now() - pressedAt
      }, taker.path),
    )
    await page.context().close()
  }
  const name = `start press to the first question, slow phone (${spread(times)})`
  return logged(limitRow(name, median(times), START_LIMIT_MS, 'ms', 0))
}

/** From a press on an option, on Flag and on Next to the next paint, of a learner who goes from question to question. */
async function pressRows(browser: Browser, taker: Taker): Promise<Row[]> {
  const page = await slowPhone(browser, taker.url, taker.cookie)
  await noteInteractions(page)
  await page.request.post(`${taker.url}${taker.path}`, { form: { do: 'start' }, headers: { origin: taker.url } })
  await page.goto(`${taker.url}${taker.path}`)
  await page.waitForFunction(() => 'started' in document.documentElement.dataset)
  await page.waitForLoadState('networkidle')
  const controls = {
    'an option': page.getByRole('radio').first(),
    Flag: page.locator('button[value=flag]'),
    Next: page.locator('button[value=next]'),
  }
  const seen = Object.entries(controls).map(([name, control]) => ({ name, control, times: [] as number[] }))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { control, times } of seen) times.push(await interactionMs(page, () => control.click()))
  await page.context().close()
  return seen.map(({ name, times }) => {
    const title = `press on ${name} to the next paint, slow phone (${spread(times)})`
    return logged(limitRow(title, median(times), INTERACTION_LIMIT_MS, 'ms', 0))
  })
}

/** The CPU time of a press on Next or Previous: scripts, style and layout. Other programs on this machine do not count. */
async function stepRow(browser: Browser, taker: Taker, count: number): Promise<Row> {
  const page = await phone(browser, taker.url, taker.cookie)
  await page.request.post(`${taker.url}${taker.path}`, { form: { do: 'start' }, headers: { origin: taker.url } })
  await page.goto(`${taker.url}${taker.path}`)
  await page.waitForFunction(() => 'started' in document.documentElement.dataset)
  await page.waitForLoadState('networkidle')
  await browser.startTracing(page, { categories: ['devtools.timeline', '__metadata'] })
  await page.evaluate(async (steps) => {
    for (const name of ['next', 'previous'])
      for (let step = 0; step < steps; step += 1) {
        document.querySelector<HTMLElement>(`button[value=${name}]`)?.click()
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      }
  }, STEPS)
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  await page.context().close()
  const ms = (workOfPage(trace.traceEvents) / (2 * STEPS)) * CPU_SLOWER
  return logged(limitRow(`next and previous, ${count} questions, ${CPU_SLOWER}x slower CPU`, ms, STEP_LIMIT_MS, 'ms'))
}

/** An event in Chromium's trace format; `tdur` is the thread's CPU time in microseconds. */
type TraceEvent = {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}
const WORK = new Set(['FunctionCall', 'UpdateLayoutTree', 'Layout'])

/** Style and layout that a script asks for are a part of its time. */
function workOfPage(events: readonly TraceEvent[]): number {
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const isPage = new Set(threads.map(({ pid, tid }) => `${pid}:${tid}`))
  const work = events.filter(({ name, pid, tid }) => WORK.has(name) && isPage.has(`${pid}:${tid}`))
  if (work.length === 0) throw new Error('the trace holds no work of the page')
  let end = 0
  let total = 0
  for (const { ts, dur = 0, tdur = 0 } of work.toSorted((one, other) => one.ts - other.ts)) {
    if (ts < end) continue
    end = ts + dur
    total += tdur
  }
  return total / 1000
}

async function open(browser: Browser, taker: Taker): Promise<Page> {
  const page = await slowPhone(browser, taker.url, taker.cookie)
  await page.addInitScript(() => {
    // No frame is drawn while a style sheet blocks, so the first frame after the question was parsed shows it. No function here has a
    // name: the compiler would call a helper that the page does not have.
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('fieldset legend') === null) return
      observer.disconnect()
      requestAnimationFrame(() => {
        document.querySelector('fieldset legend')?.getBoundingClientRect()
        Object.assign(window, { questionAtMs: performance.now() })
      })
    }).observe(document, { childList: true, subtree: true })
  })
  return page
}

async function timeToQuestion(page: Page, address: string): Promise<number> {
  // To ask the page earlier would cost it the time to parse Playwright's own script: 90 ms on this phone.
  await page.goto(address, { waitUntil: 'load' })
  return page.evaluate(() => (window as unknown as { questionAtMs?: number }).questionAtMs ?? Number.NaN)
}

/** The text of the first question with its options, as the server renders them. */
async function textOfQuestion(browser: Browser, taker: Taker): Promise<string[]> {
  const page = await open(browser, taker)
  await page.request.post(`${taker.url}${taker.path}`, { form: { do: 'start' }, headers: { origin: taker.url } })
  await page.goto(`${taker.url}${taker.path}`)
  const texts = await page.locator('fieldset legend, fieldset label').allInnerTexts()
  await page.context().close()
  return texts
}

/** A page of the same text with nothing else, compressed. */
async function startTwin([stem = '', ...options]: readonly string[]): Promise<{ url: string; stop(): void }> {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const rows = options.map((text) => `<p><label><input type="radio" name="answer">${escape(text)}</label></p>`).join('')
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Question 1</title><form><fieldset><legend>${escape(stem)}</legend>${rows}</fieldset><button>Next</button></form></html>`
  const bytes = gzipSync(html)
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'content-length': bytes.length,
    })
    response.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the twin has no port')
  return { url: `http://127.0.0.1:${address.port}/`, stop: () => void server.close() }
}
