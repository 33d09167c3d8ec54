import { asChoice } from '../../../tests/support/choices.ts'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import type { AttemptView } from '../../features/attempts/attempts.schema.ts'
import {
  getCurrentExam,
  listDraftCaseStudies,
  listDraftQuestions,
} from '../../features/authoring/drafts/drafts-queries.server.ts'
import type { DraftQuestionView, DraftView, ExamRecord } from '../../features/authoring/drafts/drafts.schema.ts'
import { getExamCaseStudies, getExamQuestions } from '../../features/catalogue/catalogue-queries.server.ts'
import type { CaseStudyView } from '../../features/authoring/case-studies/draft-case-studies.schema.ts'
import type { CaseStudy } from '../../features/questions/case-studies/case-study.schema.ts'
import { listStudySheets } from '../../features/catalogue/study-sheets/study-sheets-queries.server.ts'
import { choiceEditing } from '../../features/questions/types/choice/choice-edit.ts'
import { readContent } from '../server/content.server.ts'
import { addCatalogueCourse } from './catalogue-additions-commands.server.ts'
import { updateCatalogue, type CourseUpdate, type UpdateMode } from './catalogue-update-commands.server.ts'
import { aContentFolder, type FixtureCourse } from './content-folder.fixture.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)

type Questions = Record<string, string>
type Release = Partial<Omit<FixtureCourse, 'slug' | 'exams'>> & {
  one?: Questions
  two?: Questions
  three?: Questions
  /** The case study of the first exam. */
  scenario?: string
  /** Further facts of its questions. */
  facts?: Questions
}
const ONE: Questions = { 'n-1': 'One?', 'n-2': 'Two?', 'n-3': 'Three?', 'n-4': 'Four?' }
const TWO: Questions = { 'n-5': 'Five?' }

/**
 * A shop with a course of two exams from the catalogue. An older one was seeded before their origin was recorded. Time passes between
 * all that is done to it.
 */
async function aShop({ isOlder = false, scenario }: { isOlder?: boolean; scenario?: string } = {}) {
  const slug = `net-${randomBytes(4).toString('hex')}`
  const catalogueOf = async ({
    one = ONE,
    two = TWO,
    three,
    scenario: text = scenario,
    facts,
    ...course
  }: Release = {}) => {
    const exams = [one, two, ...(three === undefined ? [] : [three])]
    const named = exams.map((questions, place) => ({
      slug: `${slug}-${place + 1}`,
      questions,
      ...(place === 0 && text !== undefined && { scenario: text }),
      ...(place === 0 && facts !== undefined && { facts }),
    }))
    return (await readContent(await aContentFolder([{ ...course, slug, exams: named }]))).courses
  }
  const [course] = await catalogueOf()
  const courseId = await db
    .transaction()
    .execute((tx) => addCatalogueCourse(tx, course!, { status: 'published', now: app.clock.now() }))
  if (isOlder) await db.deleteFrom('catalogue_origins').where('slug', 'like', `${slug}%`).execute()
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .orderBy('position')
    .select('id')
    .execute()
  const [one, two] = rows.map(({ id }) => id) as [string, string]
  return {
    slug,
    courseId,
    one,
    two,
    async update(mode: UpdateMode, release?: Release): Promise<CourseUpdate> {
      app.clock.forward(1000)
      const { courses } = await updateCatalogue(db, { mode, catalogue: await catalogueOf(release), clock: app.clock })
      app.clock.forward(1000)
      return courses.find((updated) => updated.slug === slug)!
    },
  }
}

/** Changes a question as the editor does, in the draft. */
async function edit(examId: string, questionId: string, stem: string): Promise<void> {
  app.clock.forward(1000)
  await admin.browser.post(`/api/exams/${examId}/draft`)
  const { body } = await admin.browser.get(`/api/exams/${examId}/draft/questions/${questionId}`)
  const { question, version } = body as DraftQuestionView
  const changed = { ...choiceEditing.toEdit(choiceEditing.toEdited(asChoice(question))), stem }
  const reply = await admin.browser.put(`/api/exams/${examId}/draft/questions/${questionId}`, {
    question: changed,
    version,
  })
  expect(reply.status).toBe(200)
}

async function draftVersion(examId: string): Promise<number> {
  const { body } = await admin.browser.get(`/api/exams/${examId}`)
  return (body as ExamRecord & { draft: DraftView }).draft.version
}

async function publish(examId: string): Promise<void> {
  app.clock.forward(1000)
  const reply = await admin.browser.post(`/api/exams/${examId}/draft/publish`, { version: await draftVersion(examId) })
  expect(reply.status).toBe(200)
}

async function stemsOf(examId: string): Promise<string[]> {
  const { id } = await getCurrentExam(db, examId)
  return (await getExamQuestions(db, id)).map(({ stem }) => stem)
}

const draftStems = async (examId: string) => (await listDraftQuestions(db, examId)).map(({ stem }) => stem)

/** Everything that an update could change. */
async function dump(): Promise<unknown> {
  const { rows } = await app.services.database.pool.query<{ all: string }>(`
    select md5(concat(
      (select json_agg(c order by c.id) from courses c), (select json_agg(t order by t.id) from test_questions t),
      (select json_agg(d order by d.family_id) from exam_drafts d), (select json_agg(o order by o.slug) from catalogue_origins o),
      (select json_agg(q order by q.family_id, q.question_id) from exam_draft_questions q), (select count(*) from audit_log))) as all`)
  return rows[0]
}

test.each([{ isOlder: false }, { isOlder: true }])(
  'new and corrected questions go into the draft, and what an admin changed or deleted stays (an older shop: $isOlder)',
  async (kind) => {
    const shop = await aShop(kind)
    await edit(shop.one, 'n-2', 'Two, as this shop asks it?')
    await edit(shop.one, 'n-3', 'Three, as this shop asks it?')
    const { body } = await admin.browser.get(`/api/exams/${shop.one}/draft/questions/n-4`)
    const { version } = body as DraftQuestionView
    await admin.browser.call('DELETE', `/api/exams/${shop.one}/draft/questions/n-4`, { version })
    await publish(shop.one)
    const release = {
      one: { ...ONE, 'n-1': 'One, better?', 'n-2': 'Two, better?', 'n-4': 'Four, better?', 'n-7': 'Seven?' },
    }

    const before = await dump()
    const dry = await shop.update('dry-run', release)
    expect(await dump()).toEqual(before)
    expect(dry.exams).toMatchObject([
      {
        slug: `${shop.slug}-1`,
        state: 'there',
        added: ['n-7'],
        corrected: [{ id: 'n-1', parts: ['stem'] }],
        kept: [
          { name: 'n-2', why: 'changed', isNewer: true },
          { name: 'n-3', why: 'changed', isNewer: false },
          { name: 'n-4', why: 'removed', isNewer: true },
        ],
        draft: 'none',
      },
      { slug: `${shop.slug}-2`, added: [], corrected: [], kept: [] },
    ])

    const { exams: applied } = await shop.update('apply', release)
    expect(applied).toEqual([{ ...dry.exams[0], draft: 'catalogue' }, dry.exams[1]])
    const changed = ['One, better?', 'Two, as this shop asks it?', 'Three, as this shop asks it?']
    expect(await stemsOf(shop.one)).toEqual(['One?', ...changed.slice(1)])
    expect(await draftStems(shop.one)).toEqual([...changed, 'Seven?'])

    const [published] = (await shop.update('publish', release)).exams
    expect(published).toMatchObject({ added: [], corrected: [], draft: 'none', publishedVersion: 3 })
    expect(await stemsOf(shop.one)).toEqual([...changed, 'Seven?'])
    const settled = await dump()
    for (const mode of ['dry-run', 'apply', 'publish'] as const) {
      const [again] = (await shop.update(mode, release)).exams
      expect(again).toEqual({ ...published, publishedVersion: null })
    }
    expect(await dump()).toEqual(settled)
  },
)

test.each([{ isOlder: false }, { isOlder: true }])(
  'course texts change when the update is published, but for those that an admin changed, and prices never (an older shop: $isOlder)',
  async (kind) => {
    const shop = await aShop(kind)
    const path = `/api/courses/${shop.courseId}`
    expect((await admin.browser.patch(path, { title: 'Our own title', price: '5.00' })).status).toBe(200)
    const release = { description: 'Better words.', price: '99.00' }
    expect(await shop.update('apply', release)).toMatchObject({
      texts: ['description'],
      kept: [{ name: 'title', isNewer: false }],
    })
    const { body } = await admin.browser.get(`/api/admin/courses/${shop.courseId}`)
    expect(body).toMatchObject({ title: 'Our own title', description: 'What it is.' })
    await shop.update('publish', release)
    const published = await admin.browser.get(`/api/admin/courses/${shop.courseId}`)
    expect(published.body).toMatchObject({ title: 'Our own title', description: 'Better words.', priceCents: 500 })
    expect(await shop.update('publish', release)).toMatchObject({ texts: [] })

    const entries = await db
      .selectFrom('audit_log')
      .where('subject_id', '=', shop.courseId)
      .where('actor_id', 'is', null)
      .select(['action', 'before', 'after'])
      .execute()
    expect(entries).toEqual([
      { action: 'course.update', before: { description: 'What it is.' }, after: { description: 'Better words.' } },
    ])
  },
)

test('a draft that an admin has under way keeps its edits, gets the new texts, and is not published by the update', async () => {
  const shop = await aShop()
  await edit(shop.one, 'n-2', 'Two, half written?')
  const { version } = (await admin.browser.get(`/api/exams/${shop.one}/draft/questions/n-4`)).body as DraftQuestionView
  await admin.browser.call('DELETE', `/api/exams/${shop.one}/draft/questions/n-4`, { version })
  const release = { one: { ...ONE, 'n-1': 'One, better?', 'n-2': 'Two, better?' } }
  const [updated] = (await shop.update('publish', release)).exams
  expect(updated).toMatchObject({
    corrected: [{ id: 'n-1' }],
    kept: [
      { name: 'n-2', isNewer: true },
      { name: 'n-4', why: 'removed' },
    ],
    draft: 'admin',
    publishedVersion: null,
  })
  expect(await stemsOf(shop.one)).toEqual(Object.values(ONE))
  expect(await draftStems(shop.one)).toEqual(['One, better?', 'Two, half written?', 'Three?'])
})

test('a correction whose draft was discarded is offered again; one that an admin took back is not', async () => {
  const shop = await aShop()
  const release = { one: { ...ONE, 'n-1': 'One, better?', 'n-7': 'Seven?' } }
  await shop.update('apply', release)
  const version = await draftVersion(shop.one)
  expect((await admin.browser.call('DELETE', `/api/exams/${shop.one}/draft`, { version })).status).toBe(200)
  const [again] = (await shop.update('publish', release)).exams
  expect(again).toMatchObject({ added: ['n-7'], corrected: [{ id: 'n-1' }], publishedVersion: 2 })

  await edit(shop.one, 'n-1', 'One?')
  await publish(shop.one)
  const [kept] = (await shop.update('publish', release)).exams
  expect(kept).toMatchObject({ corrected: [], kept: [{ name: 'n-1', isNewer: false }], publishedVersion: null })
})

test('the later day on which a question was verified is taken where both say the same, and makes no version', async () => {
  const shop = await aShop()
  const daysOf = async () => {
    const { id, versionNumber } = await getCurrentExam(db, shop.one)
    return [versionNumber, ...(await getExamQuestions(db, id)).map(({ verifiedOn }) => verifiedOn)]
  }
  await edit(shop.one, 'n-2', 'Two, as this shop asks it?')
  await publish(shop.one)
  const on = (day: string) => `\nverified_on: ${day}\nguide: NET-2\n`
  const later = { facts: { 'n-1': on('2026-05-02'), 'n-2': on('2026-05-02') } }
  expect((await shop.update('dry-run', later)).exams[0]).toMatchObject({ verified: ['n-1'] })
  expect(await daysOf()).toEqual([2, undefined, undefined, undefined, undefined])
  const [updated] = (await shop.update('publish', later)).exams
  expect(updated).toMatchObject({ verified: ['n-1'], corrected: [], publishedVersion: null })
  expect(await daysOf()).toEqual([2, '2026-05-02', undefined, undefined, undefined])
  expect((await shop.update('publish', later)).exams[0]).toMatchObject({ verified: [] })
  const earlier = { facts: { 'n-1': on('2026-01-01') } }
  expect((await shop.update('publish', earlier)).exams[0]).toMatchObject({ verified: [] })
  expect(await daysOf()).toEqual([2, '2026-05-02', undefined, undefined, undefined])
})

test('an answer key that an admin corrected for all versions stays, in an older shop too', async () => {
  const shop = await aShop({ isOlder: true })
  const [question] = await getExamQuestions(db, (await getCurrentExam(db, shop.one)).id)
  const [right, wrong] = asChoice(question).options
  const reply = await admin.browser.post(`/api/exams/${shop.one}/questions/n-1/key`, {
    id: '6a1c7f8e-4d2b-4a58-9d3f-0c1d2e3f4a5b',
    answerKey: { type: 'choice', optionIds: [wrong!.id] },
    wasAnswerKey: { type: 'choice', optionIds: [right!.id] },
    reason: 'It was the other one.',
  })
  expect(reply.status).toBe(200)
  const [updated] = (await shop.update('publish', { one: { ...ONE, 'n-1': 'One, better?' } })).exams
  expect(updated).toMatchObject({ corrected: [], kept: [{ name: 'n-1', isNewer: true }] })
})

test('questions and exams that are no longer in the catalogue stay, and a moved question is not asked twice', async () => {
  const shop = await aShop()
  const release = { one: { 'n-1': 'One?', 'n-2': 'Two?' }, two: { ...TWO, 'n-3': 'Three, better?', 'n-8': 'Eight?' } }
  const [one, two] = (await shop.update('publish', release)).exams
  expect(one).toMatchObject({ corrected: [{ id: 'n-3' }], withdrawn: ['n-4'] })
  expect(two).toMatchObject({ added: ['n-8'], moved: [{ id: 'n-3', staysIn: `${shop.slug}-1` }] })
  expect(await stemsOf(shop.one)).toEqual(['One?', 'Two?', 'Three, better?', 'Four?'])
  expect(await stemsOf(shop.two)).toEqual(['Five?', 'Eight?'])
})

test('a new exam comes when the update is published, and an exam or course that an admin deleted does not come back', async () => {
  const shop = await aShop()
  const release = { three: { 'n-9': 'Nine?' } }
  const exams = async () => (await app.visitor().get(`/api/test_questions?course_id=${shop.courseId}`)).body
  expect((await shop.update('apply', release)).exams[2]).toMatchObject({ state: 'new', added: ['n-9'] })
  expect(await exams()).toMatchObject({ exams: [{}, {}] })
  expect((await shop.update('publish', release)).exams[2]).toMatchObject({ state: 'new', publishedVersion: 1 })
  expect(await exams()).toMatchObject({ exams: [{}, {}, { slug: `${shop.slug}-3` }] })
  expect((await shop.update('publish', release)).exams[2]).toMatchObject({ state: 'there', added: [] })

  await admin.browser.call('DELETE', `/api/test_questions/${shop.two}`, {})
  expect((await shop.update('publish', release)).exams[1]).toMatchObject({ slug: `${shop.slug}-2`, state: 'deleted' })
  await admin.browser.call('DELETE', `/api/courses/${shop.courseId}`, {})
  expect(await shop.update('publish', release)).toMatchObject({ state: 'deleted', exams: [] })
})

test('a new course waits as a draft, which nobody can buy, and a course that an admin made is left alone', async () => {
  const slug = `new-${randomBytes(4).toString('hex')}`
  const folder = await aContentFolder([{ slug, exams: [{ slug: `${slug}-1`, questions: ONE }] }])
  const { courses: catalogue } = await readContent(folder)
  const update = async () => {
    const { courses } = await updateCatalogue(db, { mode: 'publish', catalogue, clock: app.clock })
    return courses.find((course) => course.slug === slug)
  }
  expect(await update()).toMatchObject({ state: 'new', exams: [{ added: Object.keys(ONE) }] })
  const row = await db.selectFrom('courses').where('slug', '=', slug).select(['id', 'status']).executeTakeFirstOrThrow()
  expect(row.status).toBe('draft')
  expect(await update()).toMatchObject({ state: 'there', exams: [{ added: [], state: 'there' }] })

  await db.deleteFrom('catalogue_origins').where('slug', 'like', `${slug}%`).execute()
  await db.updateTable('courses').set({ user_id: admin.id }).where('id', '=', row.id).execute()
  expect(await update()).toMatchObject({ state: 'foreign', exams: [] })
})

test('the drawing of a question comes with it', async () => {
  const shop = await aShop()
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 10h40"/></svg>'
  const release = { one: { ...ONE, 'n-1': 'One?\n\n![A line.](images/line.svg)' }, images: { 'line.svg': drawing } }
  await shop.update('publish', release)
  const [stem] = await stemsOf(shop.one)
  const [, address = ''] = /\((\/pictures\/[^)]+)\)/.exec(stem ?? '') ?? []
  expect(await app.visitor().get(address)).toMatchObject({ status: 200, body: expect.stringContaining('M0 10h40') })
  expect((await shop.update('dry-run', release)).exams).toMatchObject([{ corrected: [] }, {}])
})

test('an exam that cannot take the update is named and stays whole, and the others are updated', async () => {
  const shop = await aShop()
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, number) => [`m-${number}`, `Number ${number}?`]))
  const [one, two] = (await shop.update('publish', { one: many, two: { 'n-5': 'Five, better?' } })).exams
  expect(one).toMatchObject({ added: [], problem: 'An exam holds at most 1,000 questions.' })
  expect((await admin.browser.get(`/api/exams/${shop.one}`)).body).toMatchObject({ draft: null, versionNumber: 1 })
  const { texts } = await db
    .selectFrom('catalogue_origins')
    .where('slug', '=', `${shop.slug}-1`)
    .select('texts')
    .executeTakeFirstOrThrow()
  expect(Object.keys(texts as object)).not.toContain('questions/m-1')
  expect(two).toMatchObject({ publishedVersion: 2 })
})

test('two updates at the same time lay everything in once', async () => {
  const shop = await aShop()
  const release = { one: { ...ONE, 'n-1': 'One, better?', 'n-7': 'Seven?' }, three: { 'n-9': 'Nine?' } }
  await Promise.all([shop.update('publish', release), shop.update('publish', release)])
  expect(await stemsOf(shop.one)).toEqual(['One, better?', 'Two?', 'Three?', 'Four?', 'Seven?'])
  expect((await admin.browser.get(`/api/exams/${shop.one}`)).body).toMatchObject({ versionNumber: 2, draft: null })
  const { body } = await app.visitor().get(`/api/test_questions?course_id=${shop.courseId}`)
  expect((body as { exams: unknown[] }).exams).toHaveLength(3)
})

test('an attempt that is under way keeps the questions with which it began', async () => {
  const shop = await aShop()
  const student = await aStudent(app)
  await giveAccess(app, student, shop.courseId)
  const begun = await student.browser.post('/api/attempts', {
    examSlug: `${shop.slug}-1`,
    mode: 'practice',
    writer: 'w',
  })
  const { id } = begun.body as AttemptView
  await shop.update('publish', { one: { 'n-1': 'One, better?', 'n-7': 'Seven?' } })
  expect(await stemsOf(shop.one)).toContain('One, better?')
  const { questions } = (await student.browser.get(`/api/attempts/${id}`)).body as AttemptView
  expect(questions.map(({ stem }) => stem).toSorted()).toEqual(Object.values(ONE).toSorted())
})

const scenarioOf = (caseStudies: readonly CaseStudy[]) => caseStudies.map(({ tabs }) => tabs[0]?.body)

test.each([{ isOlder: false }, { isOlder: true }])(
  'a change only in the text of a case study is brought, and then published (an older shop: $isOlder)',
  async ({ isOlder }) => {
    const shop = await aShop({ isOlder, scenario: 'Letters arrive.' })
    const release = { scenario: 'Many letters arrive.' }
    const dry = await shop.update('dry-run', release)
    expect(dry.exams[0]).toMatchObject({ corrected: [], caseStudies: ['claims'], kept: [] })
    const applied = await shop.update('apply', release)
    expect(applied.exams[0]).toMatchObject({ caseStudies: ['claims'], draft: 'catalogue' })
    expect(scenarioOf(await listDraftCaseStudies(db, shop.one))).toEqual(['Many letters arrive.'])
    expect((await shop.update('publish', release)).exams[0]).toMatchObject({ caseStudies: [], publishedVersion: 2 })
    const { id } = await getCurrentExam(db, shop.one)
    expect(scenarioOf(await getExamCaseStudies(db, id))).toEqual(['Many letters arrive.'])
    expect((await shop.update('publish', release)).exams[0]).toMatchObject({ caseStudies: [], publishedVersion: null })
  },
)

test('the text of a case study that an admin changed stays, also when a question that names it is corrected', async () => {
  const shop = await aShop({ scenario: 'Letters arrive.' })
  app.clock.forward(1000)
  await admin.browser.post(`/api/exams/${shop.one}/draft`)
  const path = `/api/exams/${shop.one}/draft/case-studies/claims`
  const { caseStudy, version } = (await admin.browser.get(path)).body as CaseStudyView
  const own = { ...caseStudy, tabs: caseStudy.tabs.map((tab) => ({ ...tab, body: 'Letters, as this shop tells it.' })) }
  expect((await admin.browser.put(path, { caseStudy: own, version })).status).toBe(200)
  await publish(shop.one)
  const release = { scenario: 'Many letters arrive.', one: { ...ONE, 'n-1': 'One, better?' } }
  const applied = await shop.update('apply', release)
  expect(applied.exams[0]).toMatchObject({
    corrected: [{ id: 'n-1' }],
    caseStudies: [],
    kept: [{ name: 'claims', why: 'changed', isNewer: true }],
  })
  expect(scenarioOf(await listDraftCaseStudies(db, shop.one))).toEqual(['Letters, as this shop tells it.'])
})

test('study sheets come with their course; later ones are taken when published, and one that this shop changed stays', async () => {
  const shop = await aShop()
  const sheets = { Design: 'What design is.', Routing: 'What routing is.' }
  expect((await shop.update('dry-run', { sheets })).texts).toEqual(['study/design', 'study/routing'])
  expect(await listStudySheets(db, shop.courseId)).toEqual([])
  await shop.update('publish', { sheets })
  const stored = await listStudySheets(db, shop.courseId)
  expect(stored.map(({ domain, body }) => [domain, body.split('\n').at(-1)])).toEqual([
    ['Design', 'What design is.'],
    ['Routing', 'What routing is.'],
  ])
  await db
    .updateTable('study_sheets')
    .set({ body: 'Ours.' })
    .where('course_id', '=', shop.courseId)
    .where('slug', '=', 'routing')
    .execute()
  const update = await shop.update('publish', { sheets: { Design: 'Design, better.', Routing: 'Routing, better.' } })
  expect(update).toMatchObject({
    texts: ['study/design'],
    kept: [{ name: 'study/routing', why: 'changed', isNewer: true }],
  })
  expect((await listStudySheets(db, shop.courseId)).map(({ body }) => body.split('\n').at(-1))).toEqual([
    'Design, better.',
    'Ours.',
  ])
})
