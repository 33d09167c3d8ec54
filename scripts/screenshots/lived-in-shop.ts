import type { APIRequestContext } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { addDays, dayIn } from '../../src/lib/calendar-day.ts'
import { admin, type BrowserUser } from '../../tests/e2e/shared-users.ts'
import { aCaller, type Caller } from './api-caller.ts'
import { addAdminData } from './order-screens.ts'
import { addPastOrders } from './past-orders.ts'

/** The viewers of screens. The newcomer is signed in and owns nothing; the secured user has an authenticator app; the friend received a seat. */
export const viewers = ['guest', 'secured', 'newcomer', 'friend', 'student', 'admin'] as const
export type Viewer = (typeof viewers)[number]

export type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>

/** The ids and codes in the demo shop that the paths of screens need. */
export type DemoShop = Awaited<ReturnType<typeof fillShop>>['lived']

export const COURSE = 'aws-certified-cloud-practitioner'
/** The address of the user with an authenticator app. */
export const SECURED = 'sam@example.com'
const SAMPLER = 'clf-free-sampler'
const EXAM = 'clf-practice-exam-1'
/** A demo exam with a case study. */
const GROUPED = 'aif-question-types'
/** Only admin screens show this course, so that its draft does not affect the others. */
const DRAFTED = 'aws-certified-developer-associate'

export type Course = {
  id: string
  slug: string
  title: string
  exams: { id: string; slug: string; isFreeTrial: boolean }[]
}
export type TakenExam = { id: string; questions: { id: string; options: { id: string }[] }[] }
type Reviewed = { questions: { question: { id: string; rightOptionIds: string[] } }[] }
type Drill = { id: string; questions: { place: number; question: { options: { id: string }[] } }[] }

/** Fills the shop with purchases, attempts, reports and admin data, by the API calls of the pages. */
export async function fillShop(url: string, dataDir: string) {
  const users = await addPastOrders({ dataDir, exam: EXAM, trial: SAMPLER, now: new Date() })
  const shopkeeper = await signIn(url, admin)
  const student = await aUser(url, 'Lea Learner', 'lea@example.com')
  const friend = await aUser(url, 'Finn Friend', 'finn@example.com')
  const newcomer = await aUser(url, 'Nora Newcomer', 'nora@example.com')
  const secured = await aUser(url, 'Sam Secured', SECURED)
  await setUpAuthenticator(secured)

  const { courses } = await shopkeeper.ask<{ courses: Course[] }>('GET', '/api/admin/courses')
  const course = requireItem(courses, ({ slug }) => slug === COURSE)
  const other = requireItem(courses, ({ slug }) => slug === DRAFTED)
  const exam = requireItem(course.exams, ({ slug }) => slug === EXAM)
  const paid = await buy(student, { courseId: course.id, quantity: 3, method: 'card' })
  const { orderId } = await student.ask<{ orderId: string }>('POST', '/api/functions/verify-payment', {
    sessionId: paid,
  })
  const { lines } = await student.ask<{ lines: { seats: { code: string }[] }[] }>('GET', `/api/orders/${orderId}`)
  // The plan counts its days in UTC, as this script does.
  const examDate = addDays(dayIn(new Date(), 'UTC'), 24)
  await student.ask('PUT', `/api/plans/${COURSE}`, { examDate, timeZone: 'UTC', minutesADay: 45, restDays: [7] })
  const [usedSeat = '', openSeat = ''] = lines.flatMap(({ seats }) => seats.map(({ code }) => code))
  await friend.ask('POST', '/api/seats/redeem', { code: usedSeat })
  const refunded = await buy(friend, { courseId: other.id, quantity: 1, method: 'card' })
  const returned = await friend.ask<{ orderId: string }>('POST', '/api/functions/verify-payment', {
    sessionId: refunded,
  })
  await shopkeeper.ask('POST', `/api/orders/${returned.orderId}/refund`, {
    amount: null,
    endAccess: true,
    key: crypto.randomUUID(),
  })
  await shopkeeper.ask('POST', '/demo/gateway/switches', { bankDebit: 'waits' })
  // An order that nobody pays.
  await secured.ask('POST', '/api/functions/create-cart-payment', { cartItems: [{ id: other.id, quantity: 1 }] })
  const waiting = await buy(newcomer, { courseId: other.id, quantity: 1, method: 'bank' })
  const failed = await buy(newcomer, { courseId: course.id, quantity: 1, method: 'bank' })
  await shopkeeper.ask('POST', '/demo/gateway/settle', { sessionId: failed, outcome: 'fails' })

  const keys = new Map<string, string[]>()
  await takeExam(student, { examSlug: SAMPLER, mode: 'preview', keys, rightShare: 0 })
  await takeExam(student, { examSlug: SAMPLER, mode: 'preview', keys, rightShare: 0.6 })
  await takeExam(student, { examSlug: EXAM, mode: 'timed', keys, rightShare: 0 })
  const taken = await takeExam(student, { examSlug: EXAM, mode: 'timed', keys, rightShare: 0.78 })
  const questionId = taken.questions[0]?.id ?? ''
  await student.ask('PUT', `/api/attempts/${taken.id}/reports/${questionId}`, {
    reason: 'unclear',
    words: 'Two of the answers say nearly the same.',
  })

  const finishedDrill = await drill(student, 8)
  await student.ask('POST', `/api/drills/${finishedDrill}/finish`)
  const openDrill = await drill(friend, 3)

  const draftedExam = requireItem(other.exams, ({ isFreeTrial }) => isFreeTrial)
  await shopkeeper.ask('POST', `/api/exams/${draftedExam.id}/draft`)
  const drafted = await shopkeeper.ask<TakenExam>('POST', '/api/attempts', { examSlug: draftedExam.slug, mode: 'preview' })

  const grouped = requireItem(
    courses.flatMap(({ exams }) => exams),
    ({ slug }) => slug === GROUPED,
  )
  await shopkeeper.ask('POST', `/api/exams/${grouped.id}/draft`)

  const adminIds = await addAdminData({ shopkeeper, student, friend, courses, taken, users })

  return {
    lived: {
      ...adminIds,
      courses,
      course,
      other,
      examId: exam.id,
      questionId,
      draftedExamId: draftedExam.id,
      groupedExamId: grouped.id,
      draftedQuestionId: drafted.questions[0]?.id ?? '',
      attemptId: taken.id,
      orderId,
      usedSeat,
      openSeat,
      finishedDrill,
      openDrill,
      paid: paid,
      returned: refunded,
      waiting,
      failed,
    },
    cookies: {
      guest: { cookies: [], origins: [] },
      secured: await secured.cookies(),
      newcomer: await newcomer.cookies(),
      friend: await friend.cookies(),
      student: await student.cookies(),
      admin: await shopkeeper.cookies(),
    } satisfies Record<Viewer, Cookies>,
  }
}

async function signIn(url: string, { email, password }: Pick<BrowserUser, 'email' | 'password'>): Promise<Caller> {
  const caller = await aCaller(url)
  await caller.ask('POST', '/api/auth/sign-in', { email, password })
  return caller
}

/** Registers a user and verifies the email address. */
async function aUser(url: string, name: string, email: string): Promise<Caller> {
  const caller = await aCaller(url)
  const { password } = admin
  await caller.ask('POST', '/api/auth/sign-up', { name, email, password })
  await caller.ask('POST', '/api/auth/verify-email', { token: await tokenFor(caller, email) })
  return caller
}

async function setUpAuthenticator({ ask }: Caller) {
  const { secret } = await ask<{ secret: string }>('POST', '/api/auth/authenticator')
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await ask('POST', '/api/auth/authenticator/enable', { code })
}

async function tokenFor({ context }: Caller, email: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await context.fetch('/demo/outbox', { headers: { accept: 'application/json' } })
    const mails = (await reply.json()) as { to: string; text: string }[]
    const token = mails.find(({ to }) => to.includes(email))?.text.match(/[?&]token=([\w.~-]+)/)?.[1]
    if (token !== undefined) return token
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no email arrived for ${email}`)
}

/** Pays at the test gateway, and returns the id of the payment session. */
async function buy(
  { ask, context }: Caller,
  { courseId, quantity, method }: { courseId: string; quantity: number; method: 'card' | 'bank' },
): Promise<string> {
  const { url } = await ask<{ url: string }>('POST', '/api/functions/create-cart-payment', {
    cartItems: [{ id: courseId, quantity }],
  })
  const card = { card_number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123', name: 'Lea Learner' }
  await context.post(url, { form: { method, email: 'lea@example.com', ...card } })
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

/** Takes an exam with a given share of right answers, and adds the answer keys in its review to `keys`. */
async function takeExam(
  { ask }: Caller,
  options: { examSlug: string; mode: 'preview' | 'timed'; keys: Map<string, string[]>; rightShare: number },
): Promise<TakenExam> {
  const { examSlug, mode, keys, rightShare } = options
  const taken = await ask<TakenExam>('POST', '/api/attempts', { examSlug, mode, writer: 'w' })
  const answers = taken.questions.map((question, place) => {
    const rights = keys.get(question.id) ?? []
    const wrong = question.options.filter(({ id }) => !rights.includes(id)).slice(0, 1)
    const isRight = (place * 7) % 100 < rightShare * 100
    const answer = {
      selection: isRight ? rights : wrong.map(({ id }) => id),
      isFlagged: place % 9 === 4,
      confidence: place % 7 === 3 ? 'unsure' : null,
      note: place === 2 ? 'Read about this again.' : '',
      activeMs: 25_000 + ((place * 37) % 11) * 9000,
      seq: 1,
      writer: 'w',
    }
    return [question.id, answer] as const
  })
  await ask('POST', `/api/attempts/${taken.id}/finish`, { writer: 'w', answers: Object.fromEntries(answers) })
  const review = await ask<Reviewed>('GET', `/api/attempts/${taken.id}/review`)
  for (const { question } of review.questions) keys.set(question.id, question.rightOptionIds)
  return taken
}

/** Starts a drill and answers all but its last two questions. */
async function drill({ ask }: Caller, count: number): Promise<string> {
  const started = await ask<Drill>('POST', '/api/drills', {
    courseSlug: COURSE,
    filters: { from: [], domains: [], count },
  })
  for (const { place, question } of started.questions.slice(0, -2))
    await ask('POST', `/api/drills/${started.id}/questions/${place}/check`, {
      selection: question.options.slice(0, 1).map(({ id }) => id),
    })
  return started.id
}

function requireItem<Thing>(things: readonly Thing[], fits: (thing: Thing) => boolean): Thing {
  const thing = things.find(fits)
  if (thing === undefined) throw new Error('the demo catalogue has changed: the screenshots need another course or exam')
  return thing
}
