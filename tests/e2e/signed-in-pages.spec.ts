import { openDatabase } from '../../src/db/open.server.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { freePort } from '../../src/app/server/free-port.server.ts'
import type { CourseId, UserId } from '../../src/lib/ids.ts'
import { makeLearner } from '../support/exam-takers.ts'
import { expect, test, untilHydrated } from './e2e-test.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'

let server: ReturnType<typeof launch>
let folder: Awaited<ReturnType<typeof dataFolder>>
let close: () => Promise<void>
let database: ReturnType<typeof openDatabase>
test.beforeAll(async () => {
  folder = await dataFolder()
  server = launch(folder.path, await freePort())
  await untilReady(server)
  const embedded = await startEmbedded({ dataDir: folder.path })
  database = openDatabase(embedded.url, { connections: 2 })
  close = async () => {
    await database.close()
    await embedded.stop()
  }
})
test.afterAll(async () => {
  await close()
  server.child.kill('SIGTERM')
  await server.ended
  await folder.remove()
})

type Person = Awaited<ReturnType<typeof makeLearner>> & { readonly cookieHeader: string }

async function aLearner(courseId: string, name = 'Taker'): Promise<Person> {
  const learner = await makeLearner(database.db, { dataDir: folder.path, courseId: courseId as CourseId })
  await database.db.updateTable('profiles').set({ full_name: name }).where('id', '=', learner.id).execute()
  return { ...learner, cookieHeader: `${learner.cookie.name}=${learner.cookie.value}` }
}

async function anAdmin(courseId: string): Promise<Person> {
  const admin = await aLearner(courseId, 'Admin')
  await setRole(admin.id, 'admin')
  return admin
}

const setRole = (id: UserId, role: 'admin' | 'student') =>
  database.db.updateTable('profiles').set({ role }).where('id', '=', id).execute()

async function twoCourses() {
  return database.db
    .selectFrom('courses')
    .select(['id', 'slug'])
    .where('status', '=', 'published')
    .orderBy('slug')
    .limit(2)
    .execute()
}

async function bodyOf(path: string, person: Person | null, encoding = 'gzip'): Promise<string> {
  const headers = { 'accept-encoding': encoding, ...(person === null ? {} : { cookie: person.cookieHeader }) }
  const reply = await fetch(`${server.url}${path}`, { headers })
  expect([path, reply.status, reply.headers.get('cache-control')]).toEqual([
    path,
    200,
    person === null ? 'private, no-cache' : 'no-store',
  ])
  return reply.text()
}

const namesOf = (person: Person) => [person.id, person.email]

test('however users, admins and guests take turns, each gets the page of their own name, role and courses', async () => {
  const [first, second] = await twoCourses()
  const [ann, ben] = [await aLearner(first!.id, 'Ann Example'), await aLearner(first!.id, 'Ben Example')]
  const [cleo, admin] = [await aLearner(second!.id, 'Cleo Example'), await anAdmin(second!.id)]
  const people = [ann, ben, cleo, admin]
  const visitors = [...people, null]
  const paths = ['/', `/course/${first!.slug}`, `/course/${second!.slug}`, `/course/${first!.slug}?mode=preview`]
  const pages = paths.flatMap((path) => visitors.map((visitor) => ({ path, visitor })))
  const alone = new Map<(typeof pages)[number], string>()
  for (const page of pages) alone.set(page, await bodyOf(page.path, page.visitor))

  for (let round = 0; round < 6; round += 1) {
    // Another order in each round, all at once.
    const order = pages.map((page, at) => ({ page, at: (at * 7 + round * 11) % pages.length }))
    const turns = order.toSorted((a, b) => a.at - b.at).map(({ page }) => page)
    const bodies = await Promise.all(
      turns.map(({ path, visitor }) => bodyOf(path, visitor, round % 2 === 0 ? 'gzip' : 'identity')),
    )
    for (const [at, page] of turns.entries()) {
      const { visitor } = page
      const body = bodies[at] ?? ''
      expect(body === alone.get(page), `${page.path} for ${visitor?.email}`).toBe(true)
      for (const person of people)
        for (const name of namesOf(person))
          expect(body.includes(name), `${name} at ${page.path}`).toBe(person === visitor)
      expect(body.includes('href="/admin"'), `the admin area at ${page.path}`).toBe(visitor === admin)
    }
  }

  const home = (person: Person) => bodyOf('/', person)
  const [of, to] = [await home(ann), await home(ben)]
  expect(of.replaceAll(ann.id, ben.id).replaceAll(ann.email, ben.email).replaceAll('Ann Example', 'Ben Example')).toBe(
    to,
  )
  expect(await home(cleo)).not.toBe(to.replaceAll(ben.id, cleo.id).replaceAll(ben.email, cleo.email))
})

test('a course that is taken away and a role that is changed show on the next page', async () => {
  const [first] = await twoCourses()
  const [ann, ben, admin] = [await aLearner(first!.id), await aLearner(first!.id), await anAdmin(first!.id)]
  const study = `href="/course/${first!.slug}/drill"`
  const owns = async (person: Person) => (await bodyOf(`/course/${first!.slug}`, person)).includes(study)
  expect([await owns(ann), await owns(ben)]).toEqual([true, true])
  const revoked = database.db
    .updateTable('access_periods')
    .set({ revoked_at: new Date() })
    .where('user_id', '=', ben.id)
  await revoked.execute()
  expect([await owns(ann), await owns(ben)]).toEqual([true, false])
  const isAdmin = async () => (await bodyOf('/', admin)).includes('href="/admin"')
  expect(await isAdmin()).toBe(true)
  await setRole(admin.id, 'student')
  expect(await isAdmin()).toBe(false)
})

test('a page is right without scripts and for any name, and its scripts may run', async ({
  browser,
  context,
  page,
}) => {
  const [first] = await twoCourses()
  const plain = await aLearner(first!.id)
  const odd = await aLearner(first!.id, `</script><script>alert(1)</script> "O'Neill" & \\ 👩‍💻 \u2028`)
  await database.db.updateTable('users').set({ email: `"o'<neill>&"@example.com` }).where('id', '=', odd.id).execute()
  const cookies = (person: Person) => [{ ...person.cookie, url: server.url }]
  for (const path of ['/', `/course/${first!.slug}`]) {
    // Whoever comes first, the next one gets a filled page.
    await bodyOf(path, plain)
    await context.addCookies(cookies(odd))
    await page.goto(`${server.url}${path}`)
    await untilHydrated(page)
    await expect(page.getByText(`"o'<neill>&"@example.com`)).toBeVisible()
    await page.getByRole('button', { name: 'Open cart' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  }
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } })
  await withoutScripts.addCookies(cookies(plain))
  const still = await withoutScripts.newPage()
  await still.goto(`${server.url}/course/${first!.slug}`)
  await expect(still.getByText(plain.email)).toBeVisible()
  await expect(still.getByRole('link', { name: 'Sign in' })).toHaveCount(0)
  await withoutScripts.close()
})
