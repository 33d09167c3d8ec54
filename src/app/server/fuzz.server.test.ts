import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { selecting } from '../../../tests/support/answers.ts'
import { aCourse, anExam, aQuestion } from '../../../tests/support/build-course.ts'
import { drawOf, sampleOf, uuidOf, type Draw, type JsonSchema } from '../../../tests/support/json-samples.ts'
import { startApp, type Reply, type Visitor } from '../../../tests/support/start-app.ts'
import { seeded } from '../../../tests/support/turns.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD, type SignedIn } from '../../../tests/support/users.ts'
import { beginDraft } from '../../features/authoring/drafts/drafts-commands.server.ts'
import { after, DAY_MS, SECOND_MS } from '../../lib/time.ts'
import type { Endpoint } from '../../platform/http/endpoint.server.ts'
import { projectRoot } from '../../platform/project-root.server.ts'
import { Failed } from './api-description.server.ts'

/*
 * Requests that are generated from our own OpenAPI document, by every role. `npm run fuzz` sends 100,000 of them, `npm test` a
 * sample. The same seed generates the same requests; they are sent a few at a time, so that writes meet each other.
 */
const COUNT = Number(process.env['FUZZ_COUNT'] ?? 2000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 15)
/** The sample ends after this time on a busy machine. `npm run fuzz` has no limit. */
const LIMIT_MS = Number(process.env['FUZZ_SECONDS'] ?? 20) * SECOND_MS
const AT_ONCE = 6
/** After this many requests the sessions are looked at: a request may have ended one. */
const BATCH = 300

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database

const course = await aCourse(db)
const hidden = [1, 2, 3, 4].map((number) => aQuestion(number))
const paid = await anExam(db, course.id, { isFreeTrial: false, questions: hidden })
const trial = await anExam(db, course.id, {
  isFreeTrial: true,
  questions: [5, 6].map((number) => ({ ...aQuestion(number), explanation: 'public' })),
})
const KEYS = /SECRET-EXPLANATION/
const NEVER = /\$argon2|passwordHash|password_hash/

/** What the admin may change and delete, so that the other roles keep what they ask for. */
const spares = await Promise.all(
  [1, 2, 3, 4, 5, 6].map(async (number) => {
    const spare = await aCourse(db)
    const questions = [aQuestion(number), aQuestion(number + 10)].map((one) => ({ ...one, explanation: 'spare' }))
    return { course: spare, exam: await anExam(db, spare.id, { questions }), user: await aStudent(app) }
  }),
)
const [student, ended, other] = [await aStudent(app), await aStudent(app), await aStudent(app)]
const admin = await anAdmin(app)
for (const user of [student, ended]) await giveAccess(app, user, course.id)
await giveAccess(app, other, spares[0]!.course.id)

/** What somebody has: attempts with a note, drills, an order. The note is a word that only they and admins may read. */
async function belongingsOf({ browser, email }: SignedIn, examSlugs: readonly (readonly [string, string])[]) {
  const attempts: string[] = []
  for (const [examSlug, mode] of examSlugs) {
    const attempt = (await browser.post('/api/attempts', { examSlug, mode, writer: 'w' })).body as {
      id: string
      questions: { id: string; options: { id: string }[] }[]
    }
    const [question] = attempt.questions
    const save = {
      answer: selecting(question!.options[0]!.id),
      isFlagged: false,
      note: `note of ${email}`,
      seq: 1,
      writer: 'w',
    }
    await browser.put(`/api/attempts/${attempt.id}/answers/${question!.id}`, save)
    attempts.push(attempt.id)
  }
  await browser.post(`/api/attempts/${attempts[0]}/finish`, { writer: 'w' })
  await browser.post('/api/functions/create-cart-payment', { cartItems: [{ id: course.id, quantity: 2 }] })
  return attempts
}
const all = [
  [paid.slug, 'practice'],
  [paid.slug, 'timed'],
  [trial.slug, 'preview'],
] as const
const attempts = {
  student: await belongingsOf(student, all),
  ended: await belongingsOf(ended, all),
  other: await belongingsOf(other, [[trial.slug, 'preview']]),
}
const drills = await Promise.all(
  [student, ended].map(async ({ browser }) =>
    String(((await browser.post('/api/drills', { courseSlug: course.slug, filters: {} })).body as { id: string }).id),
  ),
)
await student.browser.put(`/api/attempts/${attempts.student[0]}/reports/${hidden[0]!.id}`, { reason: 'unclear' })
await db
  .updateTable('access_periods')
  .set({ starts_at: after(app.clock.now(), -31 * DAY_MS), ends_at: after(app.clock.now(), -DAY_MS) })
  .where('user_id', '=', ended.id)
  .execute()
await beginDraft(db, { examId: paid.id, actorId: admin.id, now: app.clock.now() })
const orders = await db.selectFrom('orders').select(['id', 'gateway_session_id']).execute()
const reports = await db.selectFrom('question_reports').select('id').execute()

const people = { student, ended, other, admin }
const roles = ['guest', 'student', 'ended', 'other', 'admin'] as const
type Role = (typeof roles)[number]
const visitors: Record<Role, Visitor> = {
  guest: app.visitor(),
  student: student.browser,
  ended: ended.browser,
  other: other.browser,
  admin: admin.browser,
}

const allowed: Record<Endpoint['who'], readonly Role[]> = {
  anyone: roles,
  'signed-in': ['student', 'ended', 'other', 'admin'],
  admin: ['admin'],
}

type Pool = Readonly<Record<string, readonly unknown[]>>
const attemptIds = Object.values(attempts).flat()
const inCommon: Pool = {
  mode: ['practice', 'timed', 'preview'],
  writer: ['w', 'v'],
  optionId: hidden.flatMap(({ options }) => options.map(({ id }) => id)),
  attemptId: attemptIds,
  drillId: drills,
  orderId: orders.map(({ id }) => id),
  sessionId: orders.map(({ gateway_session_id }) => gateway_session_id),
  reportId: reports.map(({ id }) => id),
  place: ['0', '1', '-1', '99'],
  code: ['ABCD-EFGH-2345', 'SPRING'],
  email: ['nobody@example.com'],
  format: ['json', 'csv', 'markdown', 'qti-2', 'gift'],
  limit: ['1', '50'],
  file: [`${'0'.repeat(64)}.webp`],
}
/** Known values for whoever reads, and for learners. */
const everything: Pool = {
  ...inCommon,
  id: [course.id, paid.id, ...attemptIds],
  courseId: [course.id, course.slug],
  course_id: [course.id],
  courseSlug: [course.slug],
  examId: [paid.id, trial.id],
  exam: [paid.id],
  examSlug: [paid.slug, trial.slug],
  questionId: [...hidden, ...trial.questions].map(({ id }) => id),
  userId: [student.id, ended.id, other.id],
  '*key': [...hidden, ...trial.questions].map(({ id }) => id),
}
/** Known values for the admin's writes. */
const expendable: Pool = {
  ...inCommon,
  id: spares.flatMap((spare) => [spare.course.id, spare.exam.id]),
  courseId: spares.map((spare) => spare.course.id),
  course_id: spares.map((spare) => spare.course.id),
  courseSlug: spares.map((spare) => spare.course.slug),
  examId: spares.map((spare) => spare.exam.id),
  toExamId: spares.map((spare) => spare.exam.id),
  examSlug: spares.map((spare) => spare.exam.slug),
  questionId: spares.flatMap((spare) => spare.exam.questions.map(({ id }) => id)),
  userId: spares.map((spare) => spare.user.id),
  '*key': spares.flatMap((spare) => spare.exam.questions.map(({ id }) => id)),
}

type Operation = {
  readonly endpoint: Endpoint
  readonly parameters: readonly { name: string; in: string; schema: JsonSchema }[]
  readonly body: { readonly type: string; readonly schema: JsonSchema } | null
}
type OpenApi = {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { name: string; in: string; schema: JsonSchema }[]
        requestBody?: { content: Record<string, { schema?: JsonSchema }> }
      }
    >
  >
}

async function readOperations(): Promise<Operation[]> {
  const { paths } = (await app.visitor().get('/api/openapi.json')).body as OpenApi
  return app.application.endpoints
    .filter(({ path }) => path !== '/api/auth/sign-out')
    .map((endpoint) => {
      const described = paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
      if (described === undefined) throw new Error(`${endpoint.method} ${endpoint.path} is not described`)
      const [body] = Object.entries(described.requestBody?.content ?? {})
      return {
        endpoint,
        parameters: described.parameters ?? [],
        body: body === undefined ? null : { type: body[0], schema: body[1].schema ?? {} },
      }
    })
}

type Sent = {
  readonly number: number
  readonly role: Role
  readonly endpoint: Endpoint
  readonly path: string
  readonly body: string | undefined
  readonly type: string
}

const FILES = [
  '# A bank\n\n1. Which?\nA. this\nB. that\nAnswer: A\n',
  'question,answer\n"a',
  'PK\u0003\u0004',
  '{"a":',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
]

function nextRequest(number: number, operations: readonly Operation[], draw: Draw): Sent {
  const { endpoint, parameters, body } = draw.one(operations)
  // Mostly somebody who may: a refusal of a role says little about a call.
  const role = draw.happens(0.4) ? draw.one(roles) : draw.one(allowed[endpoint.who])
  const pool = role === 'admin' && endpoint.method !== 'GET' ? expendable : everything
  const known = (field: string) => {
    const values = pool[field] ?? (field.endsWith('Id') ? pool['id'] : undefined)
    return values === undefined ? undefined : draw.one(values)
  }
  const sampler = { draw, known, hostility: draw.one([0, 0.02, 0.15]) }
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = draw.happens(0.9) ? (known(name) ?? uuidOf(draw)) : sampleOf({ type: 'string' }, sampler)
    return encodeURIComponent(segmentOf(value))
  })
  const query = new URLSearchParams()
  for (const { name, in: place, schema } of parameters)
    if (place === 'query' && draw.happens(0.7)) query.set(name, segmentOf(sampleOf(schema, sampler, name)))
  const search = query.size === 0 ? '' : `?${query}`
  const json = body === null ? undefined : JSON.stringify(sampleOf(body.schema, sampler))
  const isFile = body !== null && body.type !== 'application/json'
  return {
    number,
    role,
    endpoint,
    path: path + search,
    body: endpoint.method === 'GET' ? undefined : isFile ? draw.one(FILES) : json,
    type: body?.type ?? 'application/json',
  }
}

/** Text for a part of an address: one that leads to another address, or that no request can hold, is replaced. */
function segmentOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const clean = text
    .replaceAll('\u0000', 'x')
    .replaceAll(/[\ud800-\udfff]/g, 'x')
    .slice(0, 2000)
  return clean === '' || clean === '.' || clean === '..' ? 'x' : clean
}

/** The codes of failures with a status of 500 and more that features declare. The two for what nobody expected are not allowed. */
const declared = new Set(
  readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(schema|failures)\.ts$|request-failures\.ts$/.test(name))
    .flatMap((name) => [
      ...readFileSync(join(projectRoot, 'src', name), 'utf8').matchAll(/'([\w.-]+)': \{ status: 5\d\d/g),
    ])
    .map(([, code = '']) => code)
    .filter((code) => code !== 'server.broken' && code !== 'db.other'),
)

function codeOf({ body }: Reply): string {
  return (body as { error?: { code?: string } } | null)?.error?.code ?? ''
}

/** Everything that is wrong with a reply. */
function problemsOf({ role, endpoint }: Sent, reply: Reply): string[] {
  const problems: string[] = []
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
  if (reply.status >= 500 && !declared.has(codeOf(reply))) problems.push(`an undeclared ${reply.status}`)
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true
  if (reply.status >= 400 || (isJson && endpoint.replyType === undefined)) {
    const parsed = (reply.status < 400 ? endpoint.reply : Failed).safeParse(reply.body)
    if (!parsed.success) problems.push(`not of its form: ${JSON.stringify(parsed.error.issues.slice(0, 3))}`)
  }
  const refusal =
    endpoint.who === 'anyone'
      ? null
      : role === 'guest'
        ? 401
        : endpoint.who === 'admin' && role !== 'admin'
          ? 403
          : null
  // A path or a body that no handler reads is refused before the role is looked at.
  if (refusal !== null && reply.status !== refusal) problems.push(`${reply.status} instead of ${refusal}`)
  if (NEVER.test(text)) problems.push('a password hash')
  if (role === 'admin') return problems
  if (role !== 'student' && KEYS.test(text)) problems.push('an answer key')
  for (const [name, { email }] of Object.entries(people))
    if (name !== role && text.includes(email)) problems.push(`data of ${name}`)
  return problems
}

async function restoreSessions(): Promise<void> {
  for (const { browser, email } of Object.values(people)) {
    const { body } = await browser.get('/api/auth/session')
    if (JSON.stringify(body).includes(email)) continue
    const reply = await browser.post('/api/auth/sign-in', { email, password: PASSWORD })
    if (reply.status !== 200) throw new Error(`${email} cannot sign in again: ${JSON.stringify(reply.body)}`)
  }
}

test(`requests of every role, up to ${COUNT}, generated from our OpenAPI by seed ${SEED}, break nothing and reveal nothing`, async () => {
  const operations = await readOperations()
  const draw = drawOf(seeded(SEED))
  const problems: unknown[] = []
  const statuses: Record<string, number> = {}
  const startedAt = performance.now()
  const isDone = (number: number) =>
    number >= COUNT || problems.length >= 20 || performance.now() - startedAt > LIMIT_MS
  let number = 0
  const sendNext = async (end: number) => {
    while (number < end && !isDone(number)) {
      const sent = nextRequest((number += 1), operations, draw)
      const reply = await visitors[sent.role].call(sent.endpoint.method, sent.path, sent.body, {
        'content-type': sent.type,
      })
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
      const found = problemsOf(sent, reply)
      const { role, path, body } = sent
      const call = `${sent.endpoint.method} ${sent.endpoint.path}`
      if (found.length > 0)
        problems.push({ number: sent.number, found, role, call, path, body: body?.slice(0, 600), reply: reply.body })
    }
  }
  while (!isDone(number)) {
    await restoreSessions()
    const end = Math.min(COUNT, number + BATCH)
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendNext(end)))
  }
  process.stdout.write(`seed ${SEED}: ${number} requests; replies by status: ${JSON.stringify(statuses)}\n`)
  expect(problems).toEqual([])
  // Not everything was refused.
  expect(statuses['200']).toBeGreaterThan(number / 20)
}, 3_600_000)
