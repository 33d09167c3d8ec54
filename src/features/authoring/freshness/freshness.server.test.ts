import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent } from '../../../../tests/support/users.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { editOf } from '../../questions/types/edit-registry.ts'
import { getCurrentExam, listDraftQuestions } from '../drafts/drafts-queries.server.ts'
import type { DraftQuestionView, DraftView } from '../drafts/drafts.schema.ts'
import { freshSince, MAX_MARKED, type StaleReason } from './freshness.ts'
import { getLastReview } from './last-review-queries.server.ts'
import { domainLines, readDomains } from './guide-domains.ts'
import { listStaleQuestions } from './freshness-queries.server.ts'
import { StaleFilter } from './freshness.schema.ts'
import { dayOf } from './verification.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const today = () => dayOf(app.clock.now())

async function anExamWith(...fields: object[]) {
  const course = await aCourse(db)
  const guide = {
    code: 'X-1',
    minutes: 90,
    questions: 65,
    passingScore: 700,
    source: 'https://example.com/',
    guide: 'X-1 2.0',
  }
  const blueprint = JSON.stringify({ ...guide, domains: [{ name: 'Odd', weight: 100 }] })
  await db.updateTable('courses').set({ blueprint }).where('id', '=', course.id).execute()
  const questions = fields.map((field, place) => ({ ...aQuestion(place + 1), ...field }))
  const exam = await anExam(db, course.id, { questions })
  const queue = (filter: Partial<StaleFilter> = {}) =>
    listStaleQuestions(db, { ...StaleFilter.parse({}), course: course.id, reason: null, ...filter }, today())
  return {
    course,
    exam,
    queue,
    /** Why each question of the queue waits, by its number. */
    reasons: async (filter: Partial<StaleFilter> = {}): Promise<Record<number, readonly StaleReason[]>> =>
      Object.fromEntries((await queue(filter)).questions.map(({ number, reasons }) => [number, reasons])),
    mark: (...places: number[]) =>
      admin.browser.post('/api/question-verifications', {
        questions: places.map((place) => ({ examId: exam.id, questionId: exam.questions[place - 1]!.id })),
      }),
    undo: (markingId: string, count: number) =>
      admin.browser.post(`/api/question-verifications/${markingId}/undo`, { count }),
    async rewrite(place: number, stem: string) {
      const path = `/api/exams/${exam.id}/draft`
      await admin.browser.post(path)
      const one = `${path}/questions/${exam.questions[place - 1]!.id}`
      const { question, version } = (await admin.browser.get(one)).body as DraftQuestionView
      expect((await admin.browser.put(one, { question: { ...editOf(question), stem }, version })).status).toBe(200)
    },
    async publish() {
      const path = `/api/exams/${exam.id}/draft`
      const { version } = (await admin.browser.get(path)).body as DraftView
      expect((await admin.browser.post(`${path}/publish`, { version })).status).toBe(200)
    },
  }
}

test('the queue says why each question waits, and a filter shows one reason', async () => {
  const { reasons, queue } = await anExamWith(
    {},
    { verifiedOn: today() },
    { verifiedOn: '2020-01-31' },
    { verifiedOn: today(), guide: 'X-1 1.0' },
    { verifiedOn: '2999-01-01' },
    { verifiedOn: today(), guide: 'X-1 2.0', url: 'https://example.com/dead' },
  )
  const checked = { detail: '404', checked_at: app.clock.now(), gone_since: app.clock.now() }
  await db
    .insertInto('link_checks')
    .values({ ...checked, url: 'https://example.com/dead', state: 'dead' })
    .execute()
  expect(await reasons()).toEqual({ 1: ['never'], 3: ['old'], 4: ['guide'], 5: ['never'], 6: ['dead'] })
  expect(await reasons({ reason: 'guide' })).toEqual({ 4: ['guide'] })
  expect(await queue()).toMatchObject({
    count: 5,
    totalCount: 6,
    reasons: { never: 2, old: 1, changed: 0, guide: 1, dead: 1 },
  })
  expect((await queue({ reason: 'dead' })).questions[0]).toMatchObject({ deadLinks: ['https://example.com/dead'] })
})

test('a question that is marked leaves the queue in the published version and the draft, and no version is made', async () => {
  const { exam, reasons, mark } = await anExamWith({}, { verifiedOn: today(), guide: 'X-1 1.0' }, {})
  await admin.browser.post(`/api/exams/${exam.id}/draft`)
  expect(await mark(1, 2)).toMatchObject({ status: 200, body: { count: 2 } })
  expect(await reasons()).toEqual({ 3: ['never'] })
  const { id, versionNumber } = await getCurrentExam(db, exam.id)
  expect([id, versionNumber]).toEqual([exam.id, 1])
  for (const questions of [await getExamQuestions(db, id), await listDraftQuestions(db, exam.id)])
    expect(questions.map(({ verifiedOn, guide }) => [verifiedOn, guide])).toEqual([
      [today(), 'X-1 2.0'],
      [today(), 'X-1 2.0'],
      [undefined, undefined],
    ])
  const entry = await db
    .selectFrom('audit_log')
    .where('action', '=', 'exam.questions.verified')
    .where('subject_id', '=', exam.id)
    .select('actor_id')
    .executeTakeFirst()
  expect(entry).toEqual({ actor_id: admin.id })
})

test('a question whose text changed after it was verified is in the queue until it is marked again, on the same day too', async () => {
  const { reasons, mark, rewrite, publish } = await anExamWith({}, {})
  await mark(1, 2)
  await rewrite(1, 'Another text?')
  expect(await reasons()).toEqual({})
  await publish()
  expect(await reasons()).toEqual({ 1: ['changed'] })
  await mark(1)
  expect(await reasons()).toEqual({})
})

test('a marking is undone once, in the published version and the draft, with the reason for which each question waited', async () => {
  const former = { verifiedOn: '2020-01-31', guide: 'X-1 1.0' }
  const { exam, reasons, mark, rewrite, publish, undo } = await anExamWith({}, former, { verifiedOn: today() }, {})
  await rewrite(3, 'Another text?')
  await publish()
  await admin.browser.post(`/api/exams/${exam.id}/draft`)
  const before = await reasons()
  expect(before).toEqual({ 1: ['never'], 2: ['old', 'guide'], 3: ['changed'], 4: ['never'] })
  const { markingId } = (await mark(1, 2, 3)).body as { markingId: string }
  expect(await reasons()).toEqual({ 4: ['never'] })
  expect(await undo(markingId, 3)).toMatchObject({ status: 200, body: { restored: 3, kept: 0 } })
  expect(await reasons()).toEqual(before)
  const { id } = await getCurrentExam(db, exam.id)
  for (const questions of [await getExamQuestions(db, id), await listDraftQuestions(db, exam.id)])
    expect(questions.map(({ verifiedOn, guide }) => ({ verifiedOn, guide })).slice(0, 2)).toEqual([{}, former])
  expect(await undo(markingId, 3)).toMatchObject({ status: 200, body: { restored: 0, kept: 3 } })
  const entries = await db
    .selectFrom('audit_log')
    .where('action', '=', 'exam.questions.undo-verified')
    .where('subject_id', '=', exam.id)
    .select(['actor_id', 'after'])
    .execute()
  const ids = exam.questions.slice(0, 3).map((question) => ({ id: question.id }))
  expect(entries).toEqual([{ actor_id: admin.id, after: { questions: ids } }])
})

test('an undo leaves questions that another tab has marked or edited since', async () => {
  const { exam, reasons, mark, undo } = await anExamWith({}, {}, {})
  const { markingId } = (await mark(1, 2, 3)).body as { markingId: string }
  await mark(2)
  const path = `/api/exams/${exam.id}/draft`
  await admin.browser.post(path)
  const one = `${path}/questions/${exam.questions[2]!.id}`
  const { question, version } = (await admin.browser.get(one)).body as DraftQuestionView
  const edited = { ...editOf(question), stem: 'Another text?', verifiedOn: '2026-07-02' }
  expect((await admin.browser.put(one, { question: edited, version })).status).toBe(200)
  const { version: draftVersion } = (await admin.browser.get(path)).body as DraftView
  expect((await admin.browser.post(`${path}/publish`, { version: draftVersion })).status).toBe(200)
  expect(await undo(markingId, 3)).toMatchObject({ status: 200, body: { restored: 1, kept: 2 } })
  expect(await reasons()).toEqual({ 1: ['never'] })
})

test('a marking is undone by admins, and only with a count that a marking can have', async () => {
  const { mark, undo, reasons } = await anExamWith({})
  const { markingId } = (await mark(1)).body as { markingId: string }
  const student = await aStudent(app)
  const path = `/api/question-verifications/${markingId}/undo`
  expect((await student.browser.post(path, { count: 1 })).status).toBe(403)
  expect((await app.visitor().post(path, { count: 1 })).status).toBe(401)
  expect((await undo(markingId, MAX_MARKED + 1)).status).toBe(400)
  expect((await undo('no-marking', 1)).status).toBe(404)
  expect(await reasons()).toEqual({})
})

test('questions are marked by admins, between 1 and 200 at once', async () => {
  const { exam, mark } = await anExamWith({})
  expect((await mark()).status).toBe(400)
  expect((await mark(...Array.from({ length: MAX_MARKED + 1 }, () => 1))).status).toBe(400)
  const student = await aStudent(app)
  const questions = [{ examId: exam.id, questionId: exam.questions[0]!.id }]
  expect((await student.browser.post('/api/question-verifications', { questions })).status).toBe(403)
  expect((await app.visitor().post('/api/question-verifications', { questions })).status).toBe(401)
})

test('a new exam guide moves questions of the published version and the draft at once, and queues all that it did not verify', async () => {
  const { course, exam, reasons, mark } = await anExamWith({}, { domain: 'Even' }, { guide: 'X-1 3.0', domain: 'Odd' })
  await mark(1, 2)
  await admin.browser.post(`/api/exams/${exam.id}/draft`)
  const { row_version: version } = await db
    .selectFrom('courses')
    .where('id', '=', course.id)
    .select('row_version')
    .executeTakeFirstOrThrow()
  const change = {
    guide: 'X-1 3.0',
    former: 'X-1 2.0',
    domains: [{ name: 'Uneven', weight: 100 }],
    mapping: { Odd: 'Uneven', Even: null },
    version,
    isPreview: false,
  }
  const send = (fields: object) => admin.browser.post(`/api/courses/${course.id}/guide`, { ...change, ...fields })
  const domains = async () => {
    const lists = [await getExamQuestions(db, exam.id), await listDraftQuestions(db, exam.id)]
    return lists.map((questions) => questions.map(({ domain }) => domain).join(' '))
  }
  const outcome = {
    domains: [
      { from: 'Even', to: null, count: 1 },
      { from: 'Odd', to: 'Uneven', count: 2 },
    ],
    queued: 2,
  }
  expect(await send({ isPreview: true })).toMatchObject({ status: 200, body: outcome })
  expect(await domains()).toEqual(['Odd Even Odd', 'Odd Even Odd'])
  expect((await send({ mapping: { Odd: 'Nowhere' } })).status).toBe(400)
  expect((await send({ domains: [{ name: 'Uneven', weight: 99 }] })).status).toBe(400)
  expect((await send({ guide: 'X-1 2.0' })).status).toBe(400)
  expect((await send({ guide: 'x'.repeat(200) })).status).toBe(400)
  expect((await send({ version: version + 1 })).status).toBe(409)

  expect(await send({})).toMatchObject({ status: 200, body: outcome })
  expect(await domains()).toEqual(['Uneven Even Uneven', 'Uneven Even Uneven'])
  expect(await reasons({ reason: 'guide' })).toEqual({ 1: ['guide'], 2: ['guide'] })
  expect((await send({})).status).toBe(409)
  expect((await getCurrentExam(db, exam.id)).versionNumber).toBe(1)
})

test('a course says when it was last reviewed: the latest day, and the questions of the 12 months before', async () => {
  const of = async (...fields: object[]) => getLastReview(db, (await anExamWith(...fields)).course.id)
  expect(await of({}, {})).toBeNull()
  const days = ['2026-03-05', '2025-03-05', '2025-03-04', '2999-01-01'].map((verifiedOn) => ({ verifiedOn }))
  expect(await of({}, ...days)).toEqual({ day: '2026-03-05', verified: 2, questions: 5 })
})

test('domains are typed one per line, with their weights', () => {
  const domains = [
    { name: 'Cloud Concepts', weight: 24.5 },
    { name: 'Security 2', weight: 75.5 },
  ]
  expect(readDomains(domainLines(domains))).toEqual(domains)
  expect(readDomains(' 100 %  All \n\n')).toEqual([{ name: 'All', weight: 100 }])
  for (const lines of ['', 'All', '99 All', '50 One\n50 One', '100']) expect(readDomains(lines)).toBeNull()
})

test('a month that is shorter has its last day', () => {
  expect(freshSince('2026-11-24', 12)).toBe('2025-11-24')
  expect(freshSince('2026-05-31', 3)).toBe('2026-02-28')
  expect(freshSince('2026-01-15', 24)).toBe('2024-01-15')
})

test('10,000 questions are counted and paged by reading columns, not texts', async () => {
  const { course } = await anExamWith({})
  const { rows } = await app.services.database.pool.query<{ id: string }>(
    `insert into test_questions (course_id, test_name, slug, position, questions)
     select $1::uuid, 'Big ' || n, 'big-' || n || '-' || $1::text, n, (
       select jsonb_agg(jsonb_build_object('id', 'q-' || i, 'type', 'numerical', 'stem', repeat('word ', 200), 'explanation',
         repeat('why ', 200), 'domain', 'Odd', 'url', '', 'value', '1'))
       from generate_series(1, 1000) as i)
     from generate_series(1, 10) as n returning id`,
    [course.id],
  )
  expect(rows).toHaveLength(10)
  const wanted = { ...StaleFilter.parse({}), course: course.id, reason: null }
  const last = await listStaleQuestions(db, { ...wanted, page: 100_000 }, today())
  expect(last).toMatchObject({ count: 10_001, totalCount: 10_001, page: 201, pageCount: 201 })
  expect(last.questions).toHaveLength(1)
})
