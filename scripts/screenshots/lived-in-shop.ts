import type { APIRequestContext } from '@playwright/test'
import { admin, type BrowserUser } from '../../tests/e2e/shared-users.ts'
import { aCaller, type Caller } from './api-caller.ts'
import { keepShop } from './order-screens.ts'
import { liveThroughMonths } from './past-orders.ts'

/** Who looks at a screen. A newcomer is signed in and has nothing yet; a friend was given a seat. */
export const viewers = ['guest', 'newcomer', 'friend', 'student', 'admin'] as const
export type Viewer = (typeof viewers)[number]

export type Cookies = Awaited<ReturnType<APIRequestContext['storageState']>>

/** What the people of the pictures have done, by the names that the addresses of the screens need. */
export type Lived = Awaited<ReturnType<typeof liveIn>>['lived']

export const COURSE = 'aws-certified-cloud-practitioner'
const SAMPLER = 'clf-free-sampler'
const EXAM = 'clf-practice-exam-1'
/** Nobody has this exam open, so that its draft is only in the pictures of the admin. */
const DRAFTED = 'aws-certified-developer-associate'

export type Course = {
  id: string
  slug: string
  title: string
  exams: { id: string; slug: string; isFreeTrial: boolean }[]
}
export type Taken = { id: string; questions: { id: string; options: { id: string }[] }[] }
type Reviewed = { questions: { question: { id: string; rightOptionIds: string[] } }[] }
type Drill = { id: string; questions: { place: number; question: { options: { id: string }[] } }[] }

/** A shop in which people have bought, studied, reported and asked, by the calls that the pages make. */
export async function liveIn(url: string, dataDir: string) {
  const users = await liveThroughMonths({ dataDir, exam: EXAM, trial: SAMPLER, now: new Date() })
  const shopkeeper = await enter(url, admin)
  const student = await aUser(url, 'Lea Learner', 'lea@example.com')
  const friend = await aUser(url, 'Finn Friend', 'finn@example.com')
  const newcomer = await aUser(url, 'Nora Newcomer', 'nora@example.com')

  const { courses } = await shopkeeper.ask<{ courses: Course[] }>('GET', '/api/admin/courses')
  const course = found(courses, ({ slug }) => slug === COURSE)
  const other = found(courses, ({ slug }) => slug === DRAFTED)
  const exam = found(course.exams, ({ slug }) => slug === EXAM)
  const bought = await buy(student, { courseId: course.id, quantity: 3, method: 'card' })
  const { orderId } = await student.ask<{ orderId: string }>('POST', '/api/functions/verify-payment', {
    sessionId: bought,
  })
  const { lines } = await student.ask<{ lines: { seats: { code: string }[] }[] }>('GET', `/api/orders/${orderId}`)
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
  const waiting = await buy(newcomer, { courseId: other.id, quantity: 1, method: 'bank' })
  const failed = await buy(newcomer, { courseId: course.id, quantity: 1, method: 'bank' })
  await shopkeeper.ask('POST', '/demo/gateway/settle', { sessionId: failed, outcome: 'fails' })

  const keys = new Map<string, string[]>()
  await take(student, { examSlug: SAMPLER, mode: 'preview', keys, rightShare: 0 })
  await take(student, { examSlug: SAMPLER, mode: 'preview', keys, rightShare: 0.6 })
  await take(student, { examSlug: EXAM, mode: 'timed', keys, rightShare: 0 })
  const taken = await take(student, { examSlug: EXAM, mode: 'timed', keys, rightShare: 0.78 })
  const questionId = taken.questions[0]?.id ?? ''
  await student.ask('PUT', `/api/attempts/${taken.id}/reports/${questionId}`, {
    reason: 'unclear',
    words: 'Two of the answers say nearly the same.',
  })

  const finishedDrill = await drill(student, 8)
  await student.ask('POST', `/api/drills/${finishedDrill}/finish`)
  const openDrill = await drill(friend, 3)

  const draftedExam = found(other.exams, ({ isFreeTrial }) => isFreeTrial)
  await shopkeeper.ask('POST', `/api/exams/${draftedExam.id}/draft`)
  const drafted = await shopkeeper.ask<Taken>('POST', '/api/attempts', { examSlug: draftedExam.slug, mode: 'preview' })

  const kept = await keepShop({ shopkeeper, student, friend, courses, taken, users })

  return {
    lived: {
      ...kept,
      courses,
      course,
      other,
      examId: exam.id,
      questionId,
      draftedExamId: draftedExam.id,
      draftedQuestionId: drafted.questions[0]?.id ?? '',
      attemptId: taken.id,
      orderId,
      usedSeat,
      openSeat,
      finishedDrill,
      openDrill,
      paid: bought,
      returned: refunded,
      waiting,
      failed,
    },
    cookies: {
      guest: { cookies: [], origins: [] },
      newcomer: await newcomer.cookies(),
      friend: await friend.cookies(),
      student: await student.cookies(),
      admin: await shopkeeper.cookies(),
    } satisfies Record<Viewer, Cookies>,
  }
}

async function enter(url: string, { email, password }: Pick<BrowserUser, 'email' | 'password'>): Promise<Caller> {
  const caller = await aCaller(url)
  await caller.ask('POST', '/api/auth/sign-in', { email, password })
  return caller
}

/** Registers, and follows the link of the mail. */
async function aUser(url: string, name: string, email: string): Promise<Caller> {
  const caller = await aCaller(url)
  const { password } = admin
  await caller.ask('POST', '/api/auth/sign-up', { name, email, password })
  await caller.ask('POST', '/api/auth/verify-email', { token: await tokenFor(caller, email) })
  return caller
}

async function tokenFor({ context }: Caller, email: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await context.fetch('/demo/outbox', { headers: { accept: 'application/json' } })
    const mails = (await reply.json()) as { to: string; text: string }[]
    const token = mails.find(({ to }) => to.includes(email))?.text.match(/[?&]token=([\w.~-]+)/)?.[1]
    if (token !== undefined) return token
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no mail has come to ${email}`)
}

/** Pays at the test gateway; gives the id of the payment session. */
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

/** Takes an exam: so many right by the keys, every ninth flagged, every seventh unsure; learns the keys from its review. */
async function take(
  { ask }: Caller,
  options: { examSlug: string; mode: 'preview' | 'timed'; keys: Map<string, string[]>; rightShare: number },
): Promise<Taken> {
  const { examSlug, mode, keys, rightShare } = options
  const taken = await ask<Taken>('POST', '/api/attempts', { examSlug, mode, writer: 'w' })
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

/** Starts a drill and answers all but the last two questions of it. */
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

function found<Thing>(things: readonly Thing[], fits: (thing: Thing) => boolean): Thing {
  const thing = things.find(fits)
  if (thing === undefined) throw new Error('the demo catalogue has changed: the pictures need another course or exam')
  return thing
}
