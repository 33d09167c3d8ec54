import { expect, test } from 'vitest'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent } from '../../../../tests/support/users.ts'
import { grantAccess } from '../../access/access-commands.server.ts'
import { findAccess } from '../../access/access-queries.server.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import { after, DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { readinessOf } from '../readiness/readiness.ts'
import { sendResultQuestions } from './exam-results-commands.server.ts'
import {
  areResultsPublic,
  examShifts,
  getExamShift,
  listOutcomes,
  listResultQuestions,
  listResults,
} from './exam-results-queries.server.ts'
import { listPledges } from './pledge-queries.server.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const site = { mail: app.services.mail, brand: 'Altocert', appUrl: app.url }
const today = () => dayIn(app.clock.now(), 'UTC')

const told = { meanPercent: 80, lowPercent: 70, highPercent: 90, passChance: 0.9 }
const abilities = {
  advantage: { mean: 1, deviation: 0.4 },
  spread: 0.8,
  guess: 0.25,
  questions: 65,
  passingPercent: 70,
}

/** A learner whose exam was so many days ago, with what they had been told before it. */
async function anExaminee({ daysAgo = 1, isPaid = false, chance = 0.9, mocks = 0 } = {}) {
  const course = await aCourse(db)
  const exam = await anExam(db, course.id)
  const student = await aStudent(app)
  const of = { userId: student.id, courseId: course.id }
  const now = app.clock.now()
  const examDate = addDays(today(), -daysAgo)
  await grantAccess(db, { ...of, source: 'grant', orderLineId: null, seatCode: null, now: after(now, -20 * DAY_MS) })
  if (isPaid)
    await db.updateTable('access_periods').set({ source: 'order' }).where('user_id', '=', student.id).execute()
  await db
    .insertInto('study_plans')
    .values({
      user_id: of.userId,
      course_id: of.courseId,
      exam_date: examDate,
      time_zone: 'UTC',
      minutes_a_day: 30,
      date_set_at: after(now, -15 * DAY_MS),
      wished_percent: null,
      date_moved_at: null,
      calendar_id: null,
    })
    .execute()
  for (const [day, percent] of [
    [addDays(examDate, -3), chance],
    [examDate, 0.2],
  ] as const)
    await db
      .insertInto('readiness_days')
      .values({
        user_id: of.userId,
        course_id: of.courseId,
        day,
        answered: 100,
        mean: told.meanPercent,
        low: told.lowPercent,
        high: told.highPercent,
        chance: percent,
        real_mean: told.meanPercent,
        real_low: told.lowPercent,
        real_high: told.highPercent,
        real_chance: percent,
        abilities: JSON.stringify(abilities),
      })
      .execute()
  for (let count = 0; count < mocks; count += 1) {
    const { body } = await student.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'timed' })
    const answers = Object.fromEntries(
      exam.questions.map(({ id, options }) => [
        id,
        { answer: { type: 'choice', optionIds: [options[0]!.id] }, seq: 1, writer: 'w' },
      ]),
    )
    const { id } = body as { id: string }
    expect((await student.browser.post(`/api/attempts/${id}/finish`, { writer: 'w', answers })).status).toBe(200)
    await db
      .updateTable('attempts')
      .set({ finished_at: after(now, -(daysAgo + 2) * DAY_MS) })
      .where('id', '=', id)
      .execute()
  }
  const path = `/api/results/${course.slug}`
  return {
    ...student,
    of,
    course,
    examDate,
    report: (isPassed: boolean, score: number | null = null) => student.browser.post(path, { isPassed, score }),
    change: (isPassed: boolean, score: number | null = null) =>
      student.browser.put(`${path}/${examDate}`, { isPassed, score }),
    remove: () => student.browser.call('DELETE', `${path}/${examDate}`),
    later: () => student.browser.post(`${path}/${examDate}/later`, {}),
    results: () => listResults(db, of),
    asked: () => listResultQuestions(db, { ...of, now: app.clock.now() }),
    access: () => findAccess(db, student.id, course.id, app.clock.now()),
  }
}
type Reply = { readonly status: number; readonly body: unknown }
const codeOf = ({ status, body }: Reply) => [status, (body as { error?: { code: string } }).error?.code]

test('a learner says how the exam went, with what they were told last before it; a second report is refused', async () => {
  const one = await anExaminee()
  const replies = await Promise.all([one.report(true, 780), one.report(true, 780)])
  expect(replies.map(codeOf).toSorted()).toEqual([
    [200, undefined],
    [409, 'result.reported'],
  ])
  // What was told on the day of the exam itself came too late.
  expect(await one.results()).toMatchObject([
    {
      examDate: one.examDate,
      isPassed: true,
      score: 780,
      told: { day: addDays(one.examDate, -3), realExam: { passChance: 0.9 } },
    },
  ])
})

test('before the date, and without one, a report is refused with a clear sentence', async () => {
  const early = await anExaminee({ daysAgo: -2 })
  const reply = await early.report(true)
  expect(codeOf(reply)).toEqual([409, 'result.early'])
  expect(JSON.stringify(reply.body)).toContain('From that day on you can say how it went.')
  await db.deleteFrom('study_plans').where('user_id', '=', early.id).execute()
  expect(codeOf(await early.report(true))).toEqual([409, 'result.no-date'])
  expect(await early.results()).toEqual([])
})

test('a score that contradicts the result is refused at its field', async () => {
  const one = await anExaminee()
  for (const [isPassed, score] of [
    [true, 500],
    [false, 900],
    [true, 50],
    [true, 1001],
  ] as const)
    expect(await one.report(isPassed, score)).toMatchObject({
      status: 400,
      body: { error: { fields: [{ field: 'score' }] } },
    })
  expect(await one.results()).toEqual([])
})

test('a result can be changed and deleted, and is then not asked for again', async () => {
  const one = await anExaminee()
  await one.report(true)
  expect((await one.change(false, 650)).status).toBe(200)
  expect(await one.results()).toMatchObject([{ isPassed: false, score: 650 }])
  expect([(await one.remove()).status, (await one.remove()).status]).toEqual([200, 200])
  expect(await one.results()).toEqual([])
  expect(await one.asked()).toEqual([])
  expect(codeOf(await one.change(true))).toEqual([404, 'result.not-found'])
})

test('from the day after the exam on the learner is asked, until they answer or say not now', async () => {
  expect(await (await anExaminee({ daysAgo: 0 })).asked()).toEqual([])
  const one = await anExaminee()
  expect(await one.asked()).toMatchObject([{ courseSlug: one.course.slug, examDate: one.examDate }])
  await one.later()
  expect(await one.asked()).toEqual([])
  // 'Not now' is no refusal: the page still takes the result.
  expect((await one.report(true)).status).toBe(200)
})

test('one email asks how it went, in the morning after the exam by the time zone of the plan', async () => {
  const one = await anExaminee()
  await db.updateTable('study_plans').set({ time_zone: 'Pacific/Kiritimati' }).where('user_id', '=', one.id).execute()
  const morning = new Date(`${addDays(one.examDate, 1)}T08:00:00+14:00`)
  const sentTo = async (now: Date) => {
    await sendResultQuestions(db, site, now)
    const row = await db
      .selectFrom('exam_result_questions')
      .where('user_id', '=', one.id)
      .select('mailed_at')
      .executeTakeFirst()
    return row?.mailed_at ?? null
  }
  expect(await sentTo(after(morning, -1))).toBeNull()
  expect(await sentTo(morning)).toEqual(morning)
  expect(await sentTo(after(morning, HOUR_MS))).toEqual(morning)
  const mail = await app.mailTo(one.email)
  expect(mail.subject).toContain('How did your exam go?')
  expect(mail.text).toContain(`${app.url}/course/${one.course.slug}/result`)
})

test('results move and narrow what is said of the real exam, and a deleted one counts no more', async () => {
  const one = await anExaminee()
  expect(await getExamShift(db, one.course.id)).toEqual({ mean: 0, deviation: 0.5, resultCount: 0 })
  await one.report(false)
  const shift = await getExamShift(db, one.course.id)
  expect(shift.resultCount).toBe(1)
  expect(shift.mean).toBeGreaterThan(0)
  expect(shift.deviation).toBeLessThan(0.5)
  expect((await examShifts.read(db)).get(one.course.id)).toEqual(shift)
  const state = await examShifts.state!(db)
  await one.remove()
  expect(await examShifts.state!(db)).not.toBe(state)
  expect((await getExamShift(db, one.course.id)).resultCount).toBe(0)
  // The page says from how many results the second statement comes.
  const now = app.clock.now()
  const answers = Array.from({ length: 60 }, (_, place) => ({
    key: `q${place}`,
    domain: 'Odd',
    isRight: place % 4 > 0,
    at: after(now, -DAY_MS),
  }))
  const items = answers.map(({ key, domain }) => ({
    key,
    domain,
    item: { difficulty: 0, deviation: 0.8, guess: 0.25 },
  }))
  const facts = { answers: answers as never, items, blueprint: null, passingScore: 70, now }
  const plain = readinessOf(facts)
  const narrowed = readinessOf({ ...facts, shift: { mean: 0, deviation: 0.1, resultCount: 40 } })
  if (plain.kind !== 'estimate' || narrowed.kind !== 'estimate') throw new Error('there is no estimate')
  const widthOf = ({ realExam }: typeof plain) => realExam.highPercent - realExam.lowPercent
  expect(widthOf(narrowed)).toBeLessThan(widthOf(plain))
  expect([plain.realExam.resultCount, narrowed.realExam.resultCount]).toEqual([0, 40])
})

test('who meets the rule of the pledge and failed gets the course again once, is told, and it is in the audit log', async () => {
  const one = await anExaminee({ isPaid: true, mocks: 2 })
  const before = await one.access()
  const replies = await Promise.all([one.report(false), one.report(false)])
  expect(replies.filter(({ status }) => status === 200)).toMatchObject([{ body: { isPledgeGiven: true } }])
  const given = await one.access()
  if (before.kind !== 'running' || given.kind !== 'running') throw new Error('the course is not open')
  expect(given.until.getTime() - before.until.getTime()).toBe(30 * DAY_MS)
  const mail = await app.mailTo(one.email)
  expect(mail.subject).toContain('Our pledge')
  const entries = await db.selectFrom('audit_log').where('subject_id', '=', one.id).select('action').execute()
  expect(entries).toEqual([{ action: 'pledge.give' }])
  // Neither a change nor a second report after a deletion gives it again.
  expect(codeOf(await one.change(true))).toEqual([409, 'result.pledged'])
  await one.remove()
  expect(codeOf(await one.report(true))).toEqual([409, 'result.pledged'])
  expect(await one.report(false)).toMatchObject({ status: 200, body: { isPledgeGiven: false } })
  expect(await one.access()).toEqual(given)
})

test('the pledge gives nothing without a purchase, without the mocks, or to those who passed', async () => {
  for (const options of [
    { isPaid: false, mocks: 2 },
    { isPaid: true, mocks: 1 },
    { isPaid: true, mocks: 2, chance: 0.84 },
  ])
    expect(await (await anExaminee(options)).report(false)).toMatchObject({ body: { isPledgeGiven: false } })
  expect(await (await anExaminee({ isPaid: true, mocks: 2 })).report(true)).toMatchObject({
    body: { isPledgeGiven: false },
  })
})

test('an admin asks for the score report, and declines with a reason: the access ends and the learner is told', async () => {
  const one = await anExaminee({ isPaid: true, mocks: 2 })
  const before = await one.access()
  await one.report(false)
  const pledge = (await listPledges(db)).find(({ userId }) => userId === one.id)!
  const path = `/api/pledges/${pledge.id}`
  expect((await one.browser.post(`${path}/accept`, {})).status).toBe(403)
  expect([
    (await admin.browser.post(`${path}/ask`, {})).status,
    (await admin.browser.post(`${path}/ask`, {})).status,
  ]).toEqual([200, 200])
  expect((await admin.browser.post(`${path}/decline`, { reason: '  ' })).status).toBe(400)
  const reason = 'The report says passed.'
  expect((await admin.browser.post(`${path}/decline`, { reason })).status).toBe(200)
  expect(await one.access()).toEqual(before)
  expect(codeOf(await admin.browser.post(`${path}/accept`, {}))).toEqual([409, 'pledge.decided'])
  const subjects = async () => {
    const mails = (await app.visitor().get('/demo/outbox', { accept: 'application/json' })).body as {
      to: string
      subject: string
    }[]
    return mails.filter(({ to }) => to.includes(one.email)).map(({ subject }) => subject.split(':')[0]!)
  }
  const expected = ['Our pledge', 'Our pledge for ', 'Please send us your score report']
  await expect
    .poll(async () => (await subjects()).map((subject) => subject.replace(one.course.title, '')).toSorted(), {
      timeout: 15_000,
    })
    .toEqual(expected)
  const actions = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', one.id)
    .orderBy('id')
    .select('action')
    .execute()
  expect(actions.map(({ action }) => action)).toEqual(['pledge.give', 'pledge.asked', 'pledge.declined'])
})

test('an admin shows the chart to everybody and hides it again; what it shows is what was told and what happened', async () => {
  const before = (await listOutcomes(db)).outcomes.length
  await (await anExaminee({ chance: 0.7 })).report(true)
  const { outcomes } = await listOutcomes(db)
  expect(outcomes).toHaveLength(before + 1)
  expect(outcomes.some(({ chancePercent, isPassed }) => Math.round(chancePercent) === 70 && isPassed)).toBe(true)
  expect(await areResultsPublic(db)).toBe(false)
  await admin.browser.put('/api/result-publication', { isPublic: true })
  expect(await areResultsPublic(db)).toBe(true)
  await admin.browser.put('/api/result-publication', { isPublic: false })
  expect(await areResultsPublic(db)).toBe(false)
})

test('a date that has passed keeps its question when another is set or the plan is removed, and its pledge is judged by it', async () => {
  const one = await anExaminee({ daysAgo: 2, isPaid: true, mocks: 2 })
  const path = `/api/plans/${one.course.slug}`
  const wish = { timeZone: 'UTC', minutesADay: 30 }
  expect((await one.browser.put(path, { ...wish, examDate: addDays(today(), 3) })).status).toBe(200)
  // Moving the new date says nothing about the exam that was.
  expect((await one.browser.put(path, { ...wish, examDate: addDays(today(), 9) })).status).toBe(200)
  expect(await one.asked()).toMatchObject([{ examDate: one.examDate }])
  expect((await one.browser.call('DELETE', path)).status).toBe(200)
  expect(await one.asked()).toMatchObject([{ examDate: one.examDate }])
  expect((await one.browser.put(path, { ...wish, examDate: addDays(today(), 9) })).status).toBe(200)

  const report = (examDate?: string) =>
    one.browser.post(`/api/results/${one.course.slug}`, {
      isPassed: false,
      ...(examDate === undefined ? {} : { examDate }),
    })
  // Without a day it is about the plan's exam, which is still to come; another day has no exam.
  expect(codeOf(await report())).toEqual([409, 'result.early'])
  expect(codeOf(await report(addDays(one.examDate, -1)))).toEqual([409, 'result.no-date'])
  expect((await report(one.examDate)).body).toEqual({ isPledgeGiven: true })
  expect(codeOf(await report(one.examDate))).toEqual([409, 'result.reported'])
  expect(await one.asked()).toEqual([])
})

test('a date that was moved within a week before its exam misses the pledge, also after another date is set', async () => {
  const one = await anExaminee({ daysAgo: 2, isPaid: true, mocks: 2 })
  await db
    .updateTable('study_plans')
    .set({ date_moved_at: after(app.clock.now(), -5 * DAY_MS) })
    .where('user_id', '=', one.id)
    .execute()
  const wish = { timeZone: 'UTC', minutesADay: 30, examDate: addDays(today(), 9) }
  await one.browser.put(`/api/plans/${one.course.slug}`, wish)
  const { body } = await one.browser.post(`/api/results/${one.course.slug}`, {
    isPassed: false,
    examDate: one.examDate,
  })
  expect(body).toEqual({ isPledgeGiven: false })
})

test('the question about a passed date ends with not now, and with its time', async () => {
  for (const daysAgo of [2, 60, 61]) {
    const one = await anExaminee({ daysAgo })
    const wish = { timeZone: 'UTC', minutesADay: 30, examDate: addDays(today(), 9) }
    await one.browser.put(`/api/plans/${one.course.slug}`, wish)
    expect([daysAgo, (await one.asked()).length]).toEqual([daysAgo, daysAgo > 60 ? 0 : 1])
    await one.later()
    expect(await one.asked()).toEqual([])
  }
})
