import type { Browser, Page } from '@playwright/test'
import { startEmbedded } from '../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../src/db/open.server.ts'
import { makeTakers } from '../tests/support/exam-takers.ts'
import { noteStart, requestsBeforeStart, startOf } from '../tests/support/page-start.ts'
import type { BenchServer } from './server.ts'
import { launchBrowser, slowPhone } from './slow-phone.ts'
import { serveTwins, staticTwin } from './static-twin.ts'
import { figureRow, limitRow, median, type Row } from './table.ts'

const ROUNDS = 5
/** Against a static page of the same text. */
const PAINT_LIMIT = 1.3
const SHIFT_LIMIT = 0.02
const REQUESTS_LIMIT = 12

type Target = { readonly name: string; readonly path: string; readonly cookie: string | null }

/** First visits of pages on a slow phone, each beside a static page of the same text, alternating. */
export async function benchPaint(server: BenchServer): Promise<Row[]> {
  const targets = await targetsOf(server)
  const twins = new Map<string, string>()
  for (const { name, path, cookie } of targets) twins.set(name, staticTwin(await htmlOf(server.url, path, cookie)))
  const statics = await serveTwins(twins)
  const browser = await launchBrowser()
  try {
    const rows: Row[] = []
    for (const target of targets) rows.push(...(await compare(browser, server.url, target, statics.url(target.name))))
    return rows
  } finally {
    await browser.close()
    await statics.stop()
  }
}

async function compare(browser: Browser, site: string, target: Target, twin: string): Promise<Row[]> {
  const ours: Visit[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page, close } = await openWatched(browser, twin, null)
    bare.push(await firstPaintOf(page))
    await close()
    ours.push(await visit(browser, `${site}${target.path}`, target.cookie))
  }
  return rowsOf(target.name, ours, bare)
}

function rowsOf(name: string, ours: readonly Visit[], bare: readonly number[]): Row[] {
  const paint = median(ours.map(({ paintMs }) => paintMs))
  const twinPaint = median(bare)
  const worst = (of: 'requests' | 'shift') => Math.max(...ours.map((seen) => seen[of]))
  const times = `${Math.round(paint)} (${spreadOf(ours.map(({ paintMs }) => paintMs))}) of ${Math.round(twinPaint)} (${spreadOf(bare)}) ms`
  const what = `first paint of ${name} against its static twin, slow phone`
  const ratio = limitRow(what, paint / twinPaint, PAINT_LIMIT, '', 2)
  const usable = ours.map(({ usableMs }) => usableMs)
  return [
    { ...ratio, measured: `${ratio.measured}  (${times})` },
    figureRow(`${name} is usable, slow phone`, `${Math.round(median(usable))} ms (${spreadOf(usable)})`),
    limitRow(`requests before ${name} is usable`, worst('requests'), REQUESTS_LIMIT, '', 0),
    limitRow(`layout shift of ${name} (worst of ${ROUNDS})`, worst('shift'), SHIFT_LIMIT, '', 3),
  ]
}

function spreadOf(times: readonly number[]): string {
  return `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`
}

type Visit = {
  readonly paintMs: number
  readonly usableMs: number
  readonly shift: number
  readonly requests: number
}

/**
 * Opens a page or its twin, watched in the same way: whatever the test's own scripts cost is in both. It looks at the page after it
 * has loaded, because the first look runs a large script of the test in it.
 */
async function openWatched(browser: Browser, address: string, cookie: string | null) {
  const page = await slowPhone(browser, new URL(address).origin, cookie)
  await noteStart(page)
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seenShift: seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(address, { waitUntil: 'load' })
  return { page, close: () => page.context().close() }
}

async function visit(browser: Browser, address: string, cookie: string | null): Promise<Visit> {
  const { page, close } = await openWatched(browser, address, cookie)
  const { length: requests } = await requestsBeforeStart(page)
  const usableMs = await startOf(page)
  const paintMs = await firstPaintOf(page)
  // Until the sheet, the font and the parts that load late have been there for a while.
  await page.waitForLoadState('networkidle')
  const shift = await page.evaluate(() => (window as unknown as { seenShift: { shift: number } }).seenShift.shift)
  await close()
  return { paintMs, usableMs, shift, requests }
}

async function firstPaintOf(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  return Number(await handle.jsonValue())
}

/** The pages of a guest, and those of a learner with a finished exam. */
async function targetsOf(server: BenchServer): Promise<Target[]> {
  const learner = await aLearnerWhoFinished(server)
  return [
    { name: '/', path: '/', cookie: null },
    { name: 'a course page', path: await firstCourse(server.url), cookie: null },
    { name: 'login', path: '/login', cookie: null },
    { name: 'My Courses', path: '/my-courses', cookie: learner.cookie },
    { name: 'a review', path: `/exam-review/${learner.attemptId}`, cookie: learner.cookie },
  ]
}

async function aLearnerWhoFinished({ url, dataDir }: BenchServer): Promise<{ cookie: string; attemptId: string }> {
  const embedded = await startEmbedded({ dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  try {
    const exam = await database.db.selectFrom('test_questions').select('slug').orderBy('slug').executeTakeFirstOrThrow()
    const [taker] = await makeTakers(database.db, { dataDir, url, count: 1, examSlug: exam.slug })
    if (taker === undefined) throw new Error('nobody takes the exam')
    const reply = await fetch(`${url}/api/attempts/${taker.attemptId}/finish`, {
      method: 'POST',
      headers: { origin: url, cookie: taker.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ writer: taker.writer, answers: {}, activeMs: {} }),
    })
    if (!reply.ok) throw new Error(`could not finish: ${await reply.text()}`)
    return taker
  } finally {
    await database.close()
    await embedded.stop()
  }
}

async function htmlOf(site: string, path: string, cookie: string | null): Promise<string> {
  return (await fetch(`${site}${path}`, { headers: cookie === null ? {} : { cookie } })).text()
}

async function firstCourse(url: string): Promise<string> {
  const path = /href="(\/course\/[^"?/]+)"/.exec(await htmlOf(url, '/', null))?.[1]
  if (path === undefined) throw new Error('no course was found in the page')
  return path
}
