import { toStored } from '../../questions/types/content-registry.ts'
import type { ChoiceQuestion } from '../../questions/types/choice/choice.schema.ts'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import type { CheckCode } from '../../questions/checks/bank-checks.schema.ts'
import { countOpenErrors, getCheckState, listFindings } from './question-checks-queries.server.ts'
import { FindingFilter } from './question-checks.schema.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const list = (more: object = {}) =>
  listFindings(db, FindingFilter.parse({ code: null, severity: null, course: null, exam: null, ...more }))
const stateNow = () => getCheckState(db, app.clock.now())

async function check() {
  const reply = await admin.browser.post('/api/question-checks')
  expect(reply.status).toBe(200)
  await expect.poll(async () => (await stateNow()).isRunning, { timeout: 60_000 }).toBe(false)
  expect(await stateNow()).toMatchObject({ failure: null, isOld: false })
}

const shared =
  'A company stores session data of a web application in a database that loses it when a node restarts at night.'
const withText = (number: number, more: Partial<ChoiceQuestion>): ChoiceQuestion => ({ ...aQuestion(number), ...more })
const [one, two] = [await aCourse(db, { title: 'A course' }), await aCourse(db, { title: 'B course' })]
const contradicted = withText(1, { stem: shared })
const first = await anExam(db, one.id, {
  questions: [
    contradicted,
    withText(2, { explanation: 'Option B is right because of it.' }),
    withText(3, { explanation: '', domain: 'General', needsReview: true }),
    withText(4, { stem: 'What fits? (Choose 3.)' }),
  ],
})
const sameAnswers = contradicted.options.map((answer, place) => ({ ...answer, isRight: place === 1 }))
const second = await anExam(db, two.id, {
  questions: [withText(5, { stem: shared, options: sameAnswers }), withText(6, { stem: 'What has <b>no</b> end?' })],
})

async function change(examId: string, questions: readonly ChoiceQuestion[]) {
  await db
    .updateTable('test_questions')
    .set({ questions: JSON.stringify(questions.map(toStored)) })
    .where('id', '=', examId)
    .execute()
}

test('before the first check the list is empty, and a check can be started', async () => {
  expect(await stateNow()).toMatchObject({ checkedAt: null, isRunning: false })
  expect((await list()).findings).toEqual([])
  await check()
  expect((await stateNow()).questionCount).toBe(6)
})

test('each finding names its place, and the list filters by kind, severity, course and exam', async () => {
  const all = await list()
  const codes = (findings: typeof all.findings) => findings.map(({ code, questionId }) => [code, questionId])
  const expected: [CheckCode, string][] = [
    ['explanation-names-place', first.questions[1]!.id],
    ['explanation-missing', first.questions[2]!.id],
    ['domain-missing', first.questions[2]!.id],
    ['choose-mismatch', first.questions[3]!.id],
    ['keys-contradict', second.questions[0]!.id],
    ['html-tag', second.questions[1]!.id],
  ]
  expect(codes(all.findings.filter(({ severity }) => severity === 'error'))).toEqual(expected)
  expect(all.findings.find(({ code }) => code === 'keys-contradict')).toMatchObject({
    courseTitle: 'B course',
    examId: second.id,
    stem: shared,
  })
  expect(codes((await list({ code: 'keys-contradict' })).findings)).toEqual([expected[4]])
  expect((await list({ course: two.id, severity: 'error' })).count).toBe(2)
  expect((await list({ exam: first.id, severity: 'error' })).count).toBe(4)
  const choices = async (search = '') =>
    (await admin.browser.get(`/api/question-checks/course-choices?search=${search}`)).body
  await aCourse(db, { title: 'Course without findings' })
  expect(await choices()).toMatchObject({ foundCount: 2 })
  expect(await choices('b+course')).toMatchObject({
    foundCount: 1,
    choices: [{ title: 'B course', count: (await list({ course: two.id })).count }],
  })
  expect(await countOpenErrors(db)).toBe(6)
})

test('each kind of finding is in the list, with the course and exam to filter by', async () => {
  const course = await aCourse(db, { title: 'C course' })
  const blueprint = {
    code: 'C-1',
    minutes: 90,
    questions: 65,
    passingScore: 700,
    source: 'https://example.com/',
    domains: [
      { name: 'Odd', weight: 20 },
      { name: 'Even', weight: 80 },
    ],
  }
  await db
    .updateTable('courses')
    .set({ blueprint: JSON.stringify(blueprint) })
    .where('id', '=', course.id)
    .execute()
  const told =
    'A bakery keeps its recipes in a bucket and has to find each version of them after a mistake of its staff.'
  const telling = (number: number, more: Partial<ChoiceQuestion> = {}): ChoiceQuestion => {
    const question = aQuestion(100 + number, { domain: 'Odd' })
    const answers = question.options.map(({ id, isRight }, place) => ({
      id,
      isRight,
      text: isRight ? `The one that is right of ${number}, said at length` : `No ${number}.${place}`,
    }))
    return {
      ...question,
      stem: `${'kiwi lime plum fig pear melon mango papaya cherry quince'.split(' ')[number]}?`,
      options: answers,
      ...more,
    }
  }
  const pair = telling(0).options
  const exam = await anExam(db, course.id, {
    questions: [
      telling(0, { stem: told, options: pair }),
      telling(1, {
        stem: told.replace('a mistake', 'an error'),
        options: pair.map((one) => ({ ...one, id: `${one.id}-b` })),
      }),
      telling(2, { stem: 'Is it <i>so</i>, or &nbsp; not?' }),
      telling(3, { stem: 'What fits?\n\n```\ncode without an end' }),
      telling(4, { stem: 'Which fit? (Choose two.)' }),
      telling(5, { explanation: 'As answer C says.' }),
      telling(6, { explanation: '' }),
      telling(7, { domain: 'General' }),
      ...[8, 9].map((number) => telling(number)),
    ],
  })
  await check()
  const { findings, exams } = await list({ course: course.id })
  const [a, b, c, d, e, f, g, h] = exam.questions.map(({ id }) => id)
  expect(findings.map(({ code, questionId }) => [code, questionId])).toEqual(
    expect.arrayContaining([
      ['near-duplicate', b],
      ['html-tag', c],
      ['entity-stray', c],
      ['fence-unclosed', d],
      ['choose-mismatch', e],
      ['explanation-names-place', f],
      ['explanation-missing', g],
      ['domain-missing', h],
      ['longest-is-right', ''],
      ['domain-share', ''],
    ]),
  )
  const twin = findings.find(({ code }) => code === 'near-duplicate')
  expect(twin?.sentence).toContain(`Reads like ${a}`)
  expect(twin?.sentence).toContain('has the same answers and key')
  expect(exams).toEqual([{ id: exam.id, title: expect.any(String) as string, count: findings.length }])
  expect((await list({ exam: exam.id })).exams).toEqual(exams)
  expect((await list()).exams).toEqual([])
  await db.deleteFrom('bank_findings').where('course_id', '=', course.id).execute()
  await db.deleteFrom('test_questions').where('course_id', '=', course.id).execute()
})

test('a check stores how often strategies that need no knowledge find the key, with chance beside it', async () => {
  const course = await aCourse(db, { title: 'D course' })
  const telltale = Array.from({ length: 100 }, (_, at) => {
    const question = aQuestion(200 + at)
    const options = question.options.map((option, place) => ({
      ...option,
      text: `Word ${at}${'abcd'[place]}${place === at % 4 ? ', said at length' : ''}`,
      isRight: place === at % 4,
    }))
    return { ...question, options }
  })
  await anExam(db, course.id, { questions: telltale })
  await check()
  const { cues } = await stateNow()
  const longest = cues?.find(({ strategy }) => strategy === 'longest')
  expect(longest).toMatchObject({ isOff: true, chance: 0.25 })
  expect(longest?.applies).toBeGreaterThanOrEqual(100)
  expect(longest?.found).toBeGreaterThan(0.9)
  expect(cues?.find(({ strategy }) => strategy === 'place-1')).toMatchObject({ isOff: false, chance: 0.25 })
  await db.deleteFrom('test_questions').where('course_id', '=', course.id).execute()
})

test('a check by an earlier build has no cues', async () => {
  await db.updateTable('bank_checks').set({ cues: null }).execute()
  expect((await stateNow()).cues).toBeNull()
})

test('a finding that is set aside stays off the list, also after another check, until the question changes', async () => {
  const before = (await list({ code: 'choose-mismatch' })).findings[0]!
  const path = `/api/question-checks/findings/${before.id}/set-aside`
  expect((await admin.browser.post(path, { note: ' ' })).body).toMatchObject({
    error: { fields: [{ field: 'note', message: 'Say why it may stay as it is.' }] },
  })
  expect((await admin.browser.post(path, { note: 'The real exam says so.' })).status).toBe(200)
  expect((await list({ code: 'choose-mismatch' })).count).toBe(0)
  await check()
  expect((await list({ code: 'choose-mismatch' })).count).toBe(0)
  const [aside] = (await list({ code: 'choose-mismatch', state: 'aside' })).findings
  expect(aside?.aside).toMatchObject({ note: 'The real exam says so.', by: admin.email })
  expect((await admin.browser.post(path, { note: 'Again' })).status).toBe(404)
  await change(
    first.id,
    first.questions.map((question, place) => (place === 3 ? { ...question, explanation: 'Another one.' } : question)),
  )
  expect((await stateNow()).isOld).toBe(true)
  await check()
  expect((await list({ code: 'choose-mismatch' })).count).toBe(1)
})

test('a finding that is set aside can be put back, and both are in the audit log', async () => {
  const { id } = (await list({ code: 'html-tag' })).findings[0]!
  await admin.browser.post(`/api/question-checks/findings/${id}/set-aside`, { note: 'Fine.' })
  for (let time = 0; time < 2; time += 1)
    expect((await admin.browser.post(`/api/question-checks/findings/${id}/take-back`)).status).toBe(200)
  expect((await list({ code: 'html-tag' })).count).toBe(1)
  const lines = await db.selectFrom('audit_log').where('action', 'like', 'finding.%').select('action').execute()
  expect(lines.map(({ action }) => action)).toEqual([
    'finding.set-aside',
    'finding.set-aside',
    'finding.back',
    'finding.back',
  ])
})

test('while a check is running, another start returns it', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => ((await admin.browser.post('/api/question-checks')).body as { checkId: string }).checkId),
  )
  expect(new Set(ids).size).toBe(1)
  await expect.poll(async () => (await stateNow()).isRunning, { timeout: 60_000 }).toBe(false)
})

test('a check reads the case studies of the exams, and the finding is one of the exam', async () => {
  const questions = [21, 22].map((number) => ({ ...aQuestion(number), caseStudy: 'claims' }))
  const tabs = [{ id: 't1', title: 'Situation', body: 'Letters <i>arrive</i>.' }]
  const exam = await anExam(db, one.id, { questions, caseStudies: [{ id: 'claims', title: 'Claims', tabs }] })
  await check()
  const { findings } = await list({ exam: exam.id })
  expect(findings.filter(({ code }) => code === 'html-tag')).toMatchObject([
    { questionId: '', sentence: expect.stringContaining('The tab "Situation" of the case study "Claims"') },
  ])
})
