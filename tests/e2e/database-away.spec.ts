import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase } from '../../src/db/open.server.ts'
import { hashPassword } from '../../src/features/accounts/argon2-gateway.server.ts'
import { aCourse, anExam, aQuestion } from '../support/build-course.ts'
import { makeLearner } from '../support/exam-takers.ts'
import { expect, expectNoAxeViolationsInEitherTheme, expectNoOverflowAnywhere, test, visit } from './e2e-test.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'

const unavailable = /Failed to load resource|503|Service Unavailable/

test('the database stands still in the middle of a timed exam: guests see the shop, other pages try again, and every answer is saved', async ({
  browser,
  page,
  context,
  problems,
}) => {
  test.setTimeout(300_000)
  problems.allow(unavailable)
  const folder = await dataFolder()
  const server = launch(folder.path, await freePort(), { DEMO_CATALOGUE: 'off' })
  await untilReady(server)
  const embedded = await startEmbedded({ dataDir: folder.path })
  const { db, close } = openDatabase(embedded.url, { connections: 2 })
  const course = await aCourse(db, { title: 'Exams in bad weather' })
  const questions = Array.from({ length: 4 }, (_, index) => aQuestion(index + 1))
  const exam = await anExam(db, course.id, { questions, timeLimitMinutes: 31 })
  const passwordHash = await hashPassword('Correct-Horse-7!')
  const learner = await makeLearner(db, { dataDir: folder.path, courseId: course.id, passwordHash })
  await context.addCookies([{ ...learner.cookie, url: server.url }])
  const stand = (signal: 'SIGSTOP' | 'SIGCONT') => signalDatabase(folder.path, signal)

  try {
    const guest = await (await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })).newPage()
    const line = guest.getByText('Prices are confirmed at checkout.')
    await visit(guest, '/')
    await expect(line).toHaveCount(0)
    const own = await context.newPage()
    await page.goto(`${server.url}/course/${course.slug}/exam/${exam.slug}/timed`)
    await page.getByRole('button', { name: 'Start exam', exact: true }).click()
    const group = page.getByRole('group')
    const answers = group.getByRole('radio').or(group.getByRole('checkbox'))
    const goTo = (number: number) =>
      page
        .getByRole('navigation', { name: 'Questions' })
        .getByRole('button', { name: new RegExp(`^${number},`) })
        .click()
    await answers.nth(0).check()
    await expect(page.getByText('All answers saved')).toBeVisible()

    stand('SIGSTOP')
    await goTo(2)
    await answers.nth(1).check()
    await goTo(3)
    await answers.nth(1).check()
    await expect(page.getByText('Offline: answers are kept on this device')).toBeVisible()

    await expect
      .poll(async () => {
        await guest.goto('/')
        return line.isVisible()
      })
      .toBe(true)
    await expect(guest.getByRole('link', { name: 'Exams in bad weather', exact: true })).toBeVisible()
    await expectNoAxeViolationsInEitherTheme(guest)
    await expectNoOverflowAnywhere(guest)

    const reply = await own.goto(`${server.url}/my-courses`)
    expect([reply?.status(), reply?.headers()['retry-after']]).toEqual([503, '5'])
    await expect(own.getByRole('heading', { name: 'Back in a Moment' })).toBeVisible()

    stand('SIGCONT')
    // Nobody clicks anything.
    await expect(own.getByRole('heading', { name: 'My Courses' })).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('All answers saved')).toBeVisible({ timeout: 60_000 })
    const stored = await db
      .selectFrom('attempt_answers')
      .innerJoin('attempts', 'attempts.id', 'attempt_id')
      .where('user_id', '=', learner.id)
      .select('question_id')
      .execute()
    expect(stored).toHaveLength(3)
    await guest.goto('/')
    await expect(line).toHaveCount(0)
  } finally {
    stand('SIGCONT')
    await close()
    await embedded.stop()
    server.child.kill('SIGTERM')
    await server.ended
    await folder.remove()
  }
})

/** Sends a signal to PostgreSQL and all its processes: stopped, they keep their connections and answer nothing. */
function signalDatabase(dataDir: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  for (const one of [pid, ...readdirSync('/proc').filter((entry) => isChild(entry, pid))])
    process.kill(Number(one), signal)
}

function isChild(entry: string, parent: string): boolean {
  try {
    return (
      /^\d+$/.test(entry) && new RegExp(`^PPid:\\s+${parent}$`, 'm').test(readFileSync(`/proc/${entry}/status`, 'utf8'))
    )
  } catch {
    return false
  }
}
