import { expect, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../tests/support/build-course.ts'
import { realPages } from '../../../../tests/support/real-pages.ts'
import { startApp, type Reply } from '../../../../tests/support/start-app.ts'
import { aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { AttemptView } from '../../attempts/attempts.schema.ts'
import type { DrillView } from '../study.schema.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' }, await realPages())
const { db } = app.services.database
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function aLearner() {
  const course = await aCourse(db)
  await anExam(db, course.id, { questions: Array.from({ length: 12 }, (_, place) => aQuestion(place + 1)) })
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const { browser } = student
  const path = `/course/${course.slug}/drill`
  const submit = (fields: Record<string, string>, to = path) =>
    browser.post(to, new URLSearchParams(fields).toString(), FORM)
  return { course, browser, path, submit }
}

const numbers = { lastAttempts: '3', count: '5', minutes: '12' }
const wayOf = ({ status, headers }: Reply) => [status, headers.get('location')] as const
const textOf = ({ body }: Reply) =>
  String(body)
    .replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
/** The tag of the field with this name and value. */
const field = ({ body }: Reply, name: string, value?: string) =>
  [...String(body).matchAll(/<input[^>]*>/g)]
    .map(([tag]) => tag)
    .find((tag) => tag.includes(`name="${name}"`) && (value === undefined || tag.includes(`value="${value}"`))) ?? ''

test('one form starts a drill or a custom exam of the questions that were chosen, as its first choice says', async () => {
  const { browser, submit, course } = await aLearner()
  const chosen = { 'from.2': 'unseen', 'domain.1': 'Odd', ...numbers }
  const [status, drillPath] = wayOf(await submit({ kind: 'drill', ...chosen }))
  expect([status, drillPath]).toEqual([303, expect.stringMatching(`^/course/${course.slug}/drill/[0-9a-f-]{36}$`)])
  const drill = (await browser.get(`/api/drills/${drillPath!.split('/').at(-1)}`)).body as DrillView
  expect(drill.questions.map(({ question }) => question.domain)).toEqual(Array.from({ length: 5 }, () => 'Odd'))

  const [, examPath] = wayOf(await submit({ kind: 'custom', ...chosen, count: '4' }))
  expect(examPath).toMatch(new RegExp(`^/course/${course.slug}/mock/[0-9a-f-]{36}$`))
  const exam = AttemptView.parse((await browser.get(`/api/attempts/${examPath!.split('/').at(-1)}`)).body)
  expect(exam).toMatchObject({ examTitle: 'Custom exam 1', timeLimitMinutes: 12 })
  expect(exam.questions.map(({ domain }) => domain)).toEqual(Array.from({ length: 4 }, () => 'Odd'))

  // The open ones are named, and what the form replaces ends.
  const page = await browser.get(`/course/${course.slug}/drill`)
  expect(textOf(page)).toContain('A drill is open')
  expect(textOf(page)).toContain('Custom exam 1 is open: 0 of 4 answered.')
  const again = { ...chosen, 'replaces.drill': drill.id, 'replaces.custom': exam.id }
  expect(wayOf(await submit({ kind: 'drill', ...again }))[1]).not.toBe(drillPath)
  expect(wayOf(await submit({ kind: 'custom', ...again }))[1]).not.toBe(examPath)
})

test('wrong numbers are named by field, and everything chosen and typed stays', async () => {
  const { submit } = await aLearner()
  const wrong = { 'from.0': 'missed', 'domain.0': 'Even', lastAttempts: '99', count: '0', minutes: '1000' }
  const reply = await submit({ kind: 'custom', ...wrong })
  expect(reply.status).toBe(400)
  expect(textOf(reply)).toContain('A whole number of questions from 1 to 200')
  expect(textOf(reply)).toContain('A whole number of minutes from 1 to 480')
  expect(textOf(reply)).toContain('A whole number of attempts from 1 to 20')
  for (const [name, value] of Object.entries({ lastAttempts: '99', count: '0', minutes: '1000' })) {
    expect(field(reply, name, value)).toContain('aria-invalid="true"')
  }
  expect(field(reply, 'kind', 'custom')).toContain('checked')
  expect(field(reply, 'from.0', 'missed')).toContain('checked')
  expect(field(reply, 'domain.0', 'Even')).toContain('checked')
  expect(field(reply, 'domain.1', 'Odd')).not.toContain('checked')

  const none = await submit({ kind: 'drill', ...numbers, 'from.1': 'flagged' })
  expect([none.status, textOf(none).includes('No question fits. Choose more domains or other questions.')]).toEqual([
    409,
    true,
  ])
  expect(field(none, 'from.1', 'flagged')).toContain('checked')
})

test('without scripts a button counts the questions that fit, and starts nothing', async () => {
  const { submit, browser, path } = await aLearner()
  const counted = await submit({ do: 'count', kind: 'custom', 'domain.0': 'Even', ...numbers })
  expect([counted.status, textOf(counted).includes('6 questions fit; the exam asks 5 of them.')]).toEqual([200, true])
  expect(field(counted, 'domain.0', 'Even')).toContain('checked')
  expect(textOf(await browser.get(path))).not.toContain('is open')
})

test('the page of mock exams leads to the form with a custom exam chosen; a form that was posted there still starts one', async () => {
  const { submit, browser, course } = await aLearner()
  const mock = await browser.get(`/course/${course.slug}/mock`)
  expect(String(mock.body)).toContain(`href="/course/${course.slug}/drill?kind=custom#build"`)
  const form = await browser.get(`/course/${course.slug}/drill?kind=custom`)
  expect(field(form, 'kind', 'custom')).toContain('checked')
  const moved = await submit({ kind: 'custom', ...numbers }, `/course/${course.slug}/mock`)
  expect(wayOf(moved)).toEqual([307, `/course/${course.slug}/drill`])
})
