import type { Browser } from '@playwright/test'
import { Client } from 'pg'
import { fillShop, type Cookies } from '../../scripts/screenshots/lived-in-shop.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { COURSE, looks, SAMPLER } from './pages.ts'
import { admin } from './shared-users.ts'
import { dataFolder, launch, untilReady } from './server-process.ts'
import { expectNoOverflowAnywhere, test, visit } from './e2e-test.ts'

/** A word of 199 characters, as long as a title may be. */
const LONG = `Unbroken${'Wonderfully'.repeat(18)}`.slice(0, 199)

/** A shop with sales, learners, attempts and imports, whose courses, exams and users have the longest names. */
async function aFullShop() {
  const folder = await dataFolder()
  const server = launch(folder.path, await freePort(), {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LIMITS: 'checkout=100,coupon=100,search=1000,export=500,import=500,report=1000,guest=3000,account=3000',
  })
  await untilReady(server)
  const { lived, cookies } = await fillShop(server.url, folder.path)
  const database = await startEmbedded({ dataDir: folder.path })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    update courses set title = left('${LONG}', 197) || (random() * 89 + 10)::int;
    update test_questions set test_name = left('${LONG}', 197) || (random() * 89 + 10)::int;
    update exam_drafts set test_name = '${LONG}';
    update order_lines set title = '${LONG}';
    update profiles set full_name = left('${LONG}', 100);
  `)
  const one = async (text: string) => String((await client.query<{ id: string }>(text)).rows[0]?.id)
  const facts = {
    courseId: lived.course.id,
    examId: lived.draftedExamId,
    questionId: lived.draftedQuestionId,
    attemptId: lived.attemptId,
    drillId: lived.openDrill,
    orderId: lived.orderId,
    importId: lived.importId,
    userId: await one(`select id from users where email = 'lea@example.com'`),
  }
  await client.end()
  await database.stop()
  const stop = async () => {
    server.child.kill('SIGTERM')
    await server.ended
    await folder.remove()
  }
  return { url: server.url, cookies, facts, stop }
}

type Shop = Awaited<ReturnType<typeof aFullShop>>

/** These pages belong to one learner. */
const ownPages: Readonly<Record<string, 'student' | 'friend'>> = {
  '/exam-review/:attemptId': 'student',
  '/orders/:orderId': 'student',
  '/course/:courseSlug/drill/:drillId': 'friend',
}

async function measure(browser: Browser, shop: Shop, viewer: 'guest' | 'student' | 'friend' | 'admin') {
  const storageState: Cookies = shop.cookies[viewer]
  const context = await browser.newContext({ baseURL: shop.url, storageState, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const measureAt = (path: string) =>
    test.step(`${viewer} ${path}`, async () => {
      await visit(page, path)
      await expectNoOverflowAnywhere(page)
    })
  for (const [route, { who, path }] of Object.entries(looks)) {
    const isOwn = ownPages[route] === undefined ? viewer !== 'friend' : ownPages[route] === viewer
    const isFor = who === 'admin' ? viewer === 'admin' : who === 'anyone' || viewer !== 'guest'
    if (isFor && isOwn && (who !== 'anyone' || viewer !== 'admin'))
      await measureAt(typeof path === 'string' ? path : path(shop.facts))
  }
  if (viewer === 'student') {
    // With finished attempts and an open one.
    await measureAt(`/course/${COURSE}/exam/${SAMPLER}/preview`)
    await measureAt(`/course/${COURSE}/exam/${SAMPLER}`)
    await measureAt(`/course/${COURSE}/exam/clf-practice-exam-1`)
  }
  await context.close()
}

test('no page of a full shop sticks out of 320 px, or of a window zoomed to 200%', async ({ browser }) => {
  test.setTimeout(480_000)
  const shop = await aFullShop()
  try {
    for (const viewer of ['guest', 'student', 'friend', 'admin'] as const) await measure(browser, shop, viewer)
  } finally {
    await shop.stop()
  }
})
