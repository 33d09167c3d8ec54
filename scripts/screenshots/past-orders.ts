import { startEmbedded } from '../../src/db/embedded/embedded.server.ts'
import { openDatabase, type Db, type OpenDatabase } from '../../src/db/open.server.ts'
import { requireAccess } from '../../src/features/access/access-queries.server.ts'
import { createAccount } from '../../src/features/accounts/accounts-commands.server.ts'
import { trialOf } from '../../src/features/attempts/attempts.ts'
import type { Admission } from '../../src/features/attempts/attempts.schema.ts'
import { finishAttempt, startAttempt } from '../../src/features/attempts/attempts-commands.server.ts'
import {
  findExam,
  getExamQuestions,
  listHomeCourses,
  type ExamFacts,
} from '../../src/features/catalogue/catalogue-queries.server.ts'
import type { CourseCardView } from '../../src/features/catalogue/catalogue.schema.ts'
import type { PaymentGateway } from '../../src/features/checkout/payment/stripe-gateway.server.ts'
import { fulfilOrder } from '../../src/features/checkout/payment/payment-commands.server.ts'
import { findOrder } from '../../src/features/checkout/orders-queries.server.ts'
import { closeOrder, storeCheckoutSession, placeOrder, type CheckoutDeps } from '../../src/features/checkout/orders-commands.server.ts'
import { answerKeyOf } from '../../src/features/questions/types/grading-registry.ts'
import { Answer, type Question } from '../../src/features/questions/types/question-types.schema.ts'
import { quote } from '../../src/features/pricing/quote.ts'
import type { CourseId, OrderId, SessionId, UserId } from '../../src/lib/ids.ts'
import { cents } from '../../src/lib/money.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts'
import { CachedQueries } from '../../src/platform/cache/cached-queries.server.ts'
import { createLog } from '../../src/platform/log.server.ts'
import { selecting } from '../../tests/support/answers.ts'

const DAYS = 62
const USERS = 88
const WRITER = 'past'
/** How the orders of some users ended; nearly all others are paid. */
const ends: Readonly<Record<number, PastOrder['end']>> = {
  5: 'refunded',
  22: 'partly',
  46: 'refunded',
  74: 'odd',
  80: 'partly',
}
const firstNames = 'Amara Bruno Chiara Deniz Elif Farid Greta Hugo Ines Jonas Kemi Lars Mira Noor Otto Priya'.split(' ')
const lastNames = 'Adeyemi Berg Costa Demir Eriksen Farouk Gruber Haddad Ito Jansen'.split(' ')

/**
 * Adds two months of history by the app's own commands: users try an exam, buy a course, take its exams, and some get refunds.
 * Returns the ids of the users.
 */
export async function addPastOrders(options: {
  dataDir: string
  exam: string
  trial: string
  now: Date
}): Promise<string[]> {
  const { dataDir, now } = options
  const embedded = await startEmbedded({ dataDir })
  const database = openDatabase(embedded.url, { connections: 2 })
  try {
    const { db } = database
    const cachedQueries = new CachedQueries({ isUp: () => false, now: () => 0 })
    const [exam, trial, { courses: cards }] = [
      await findExam(db, options.exam),
      await findExam(db, options.trial),
      await listHomeCourses({ db, cachedQueries }, { text: '', category: null, page: 1 }),
    ]
    const mostBought = cards.find(({ id }) => id === exam?.courseId)
    if (exam === null || trial === null || mostBought === undefined) throw new Error('the demo catalogue has changed')
    const users: string[] = []
    for (let number = 0; number < USERS; number += 1) {
      // More users came in the second month than in the first.
      const cameAt = after(
        now,
        -Math.round(DAYS * (1 - number / USERS) ** 1.3 * DAY_MS) - ((number * 7) % 11) * HOUR_MS,
      )
      const userId = await aLearner(db, number, cameAt)
      users.push(userId)
      if (number % 5 !== 3) await takeExam(db, { exam: trial, userId, number, at: cameAt })
      if (number % 4 === 3) continue
      const others: readonly CourseCardView[] = cards.filter(({ id }) => id !== mostBought.id)
      const bought: CourseCardView[] = number % 4 === 2 ? [others[number % others.length] ?? mostBought] : [mostBought]
      if (number % 9 === 0) bought.push(others[(number * 5) % others.length] ?? mostBought)
      const boughtAt = after(cameAt, 2 * HOUR_MS)
      const lines = [...new Set(bought)].map(({ id, title, priceCents }) => ({
        courseId: id,
        title,
        unitPriceCents: cents(priceCents),
        quantity: number % 17 === 4 ? 2 : 1,
      }))
      const end = ends[number] ?? (number % 13 === 6 ? 'left' : 'paid')
      await addOrder(db, { userId, lines, at: boughtAt, end })
      if (end === 'paid' && bought.includes(mostBought))
        await takeExam(db, { exam, userId, number, at: after(boughtAt, HOUR_MS) })
    }
    await addFailedEmail(database)
    return users
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/** An account with a creation date in the past; nobody signs in to it. */
async function aLearner(db: Db, number: number, at: Date): Promise<UserId> {
  const name = `${firstNames[number % firstNames.length]} ${lastNames[(number * 3) % lastNames.length]}`
  const email = `${name.toLowerCase().replace(' ', '.')}${number < firstNames.length ? '' : number}@example.com`
  const id = await createAccount(db, { name, email, passwordHash: '', isVerified: number % 8 !== 3 })
  await db.updateTable('users').set({ created_at: at }).where('id', '=', id).execute()
  return id
}

type PastOrder = {
  readonly userId: UserId
  readonly lines: Parameters<typeof placeOrder>[1]['lines']
  readonly at: Date
  readonly end: 'paid' | 'left' | 'refunded' | 'partly' | 'odd'
}

/** An order with one of the ends: paid, abandoned ('left'), refunded in full or in part, or paid with a wrong amount ('odd'). */
async function addOrder(db: Db, { userId, lines, at, end }: PastOrder): Promise<void> {
  const { orderId } = await placeOrder(db, { userId, lines, quote: quote(lines), isLive: false, provider: 'stripe', now: at })
  if (end === 'left')
    return closeOrder(db, { orderId, to: 'expired', cause: 'session expired', now: after(at, 24 * HOUR_MS) })
  const sessionId = `cs_test_${orderId.replaceAll('-', '')}`
  await storeCheckoutSession(db, { orderId, sessionId, url: null, payableUntil: after(at, DAY_MS) })
  await fulfilOrder(db, await aPaidGateway(db, orderId, { isOdd: end === 'odd' }), {
    sessionId,
    cause: 'checkout.session.completed',
    now: after(at, MINUTE_MS),
  })
  if (end === 'paid' || end === 'odd') return
  const shop = await aPaidGateway(db, orderId, { refundedShare: end === 'partly' ? 0.4 : 1 })
  await fulfilOrder(db, shop, { sessionId, cause: 'charge.refunded', now: after(at, 2 * DAY_MS) })
}

/** Checkout dependencies with a gateway that knows this order only, as paid and refunded by a share. */
async function aPaidGateway(
  db: Db,
  orderId: OrderId,
  { refundedShare = 0, isOdd = false }: { refundedShare?: number; isOdd?: boolean },
): Promise<CheckoutDeps> {
  const order = await findOrder(db, orderId)
  if (order === null) throw new Error('the order was not stored')
  const findPayment: PaymentGateway['findPayment'] = async (sessionId) => ({
    sessionId,
    orderId,
    status: 'complete',
    isPaid: true,
    hasFailed: false,
    amountCents: order.totalCents - (isOdd ? 500 : 0),
    currency: 'usd',
    isLive: false,
    paymentIntent: sessionId.replace('cs_test_', 'pi_'),
    refundedCents: Math.round(order.totalCents * refundedShare),
    url: null,
    payableUntil: null,
  })
  const unused = () => Promise.reject(new Error('nobody asks this of the past'))
  return {
    gateway: {
      provider: 'stripe',
      isLive: false,
      isUp: async () => true,
      openSession: unused,
      findPayment,
      findSessionOf: unused,
      findDispute: unused,
      closeSession: unused,
      refund: unused,
      listCompleted: unused,
      readEvent: () => {
        throw new Error('nobody asks this of the past')
      },
    },
    // Send no receipts for past orders.
    mail: {
      send: async () => true,
      insertionOf: async () => null,
      wake: () => {},
      isUp: async () => true,
      listStored: async () => [],
      follow: unused,
      forget: unused,
      close: () => {},
    },
    brand: 'Altocert',
    appUrl: 'http://localhost',
    log: createLog('error'),
  }
}

/** A finished attempt with answers by the user's ability: some questions are hard for all, some mislead the best. */
async function takeExam(db: Db, options: { exam: ExamFacts; userId: UserId; number: number; at: Date }) {
  const { exam, userId, number, at } = options
  const taker = { kind: 'person', userId } as const
  const attemptId = await startAttempt(db, { exam, admission: await admissionTo(db, options), taker, now: at })
  const ability = 0.55 + (((number * 37) % 60) / 60) * 0.45
  const answers = (await getExamQuestions(db, exam.id)).map((question, place) => {
    const ease = place % 16 === 7 ? 0.95 - ability : ability - ((place * 13) % 7) * 0.03
    const isKnown = ((number * 31 + place * 17) % 100) / 100 < ease
    const answer = {
      answer: isKnown ? Answer.parse(answerKeyOf(question)) : wrongAnswer(question, number + place),
      isFlagged: false,
      struck: [],
      note: '',
      confidence: null,
      activeMs: 20_000 + ((number * 7 + place * 29) % 60) * 1000,
      seq: 1,
      writer: WRITER,
    }
    return [question.id, answer] as const
  })
  await finishAttempt(db, {
    attemptId,
    taker,
    writer: WRITER,
    answers: Object.fromEntries(answers),
    activeMs: {},
    now: after(at, Math.min(exam.timeLimitMinutes - 5, 30 + (number % 25)) * MINUTE_MS),
  })
}

/** A single wrong option: the statistics show which ones learners take for right. */
function wrongAnswer(question: Question, pick: number): Answer | null {
  if (question.type !== 'choice') return null
  const wrong = question.options.filter(({ isRight }) => !isRight)
  return selecting(wrong[pick % wrong.length]?.id)
}

async function admissionTo(
  db: Db,
  { exam, userId, at }: { exam: ExamFacts; userId: UserId; at: Date },
): Promise<Admission> {
  const trial = trialOf(exam)
  if (trial !== null) return { mode: 'preview', proof: trial }
  const user = { id: userId, email: '', name: '', role: 'student', sessionId: '' as SessionId, isFactorMissing: false, confirmedAt: null } as const
  return { mode: 'timed', proof: await requireAccess(db, user, exam.courseId as CourseId, at) }
}

/** A receipt email that failed after all retries. */
async function addFailedEmail({ pool }: OpenDatabase) {
  const email = { to: 'hugo.ito@example.com', subject: 'Your receipt', text: '', html: '' }
  await pool.query(
    `insert into jobs.job (id, name, data, state, retry_count, completed_on, output)
     values (gen_random_uuid(), 'mail', $1, 'failed', 8, now(), $2)`,
    [JSON.stringify(email), JSON.stringify({ message: '452 4.2.2 The mailbox is full' })],
  )
}
