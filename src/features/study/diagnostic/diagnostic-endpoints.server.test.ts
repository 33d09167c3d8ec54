import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../../tests/support/build-course.ts'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { untilSomebodyWaits } from '../../../../tests/support/until-somebody-waits.ts'
import { anAdmin, aStudent, giveAccess, PASSWORD, type SignedIn } from '../../../../tests/support/users.ts'
import { after, DAY_MS, MINUTE_MS } from '../../../lib/time.ts'
import { addDays, dayIn } from '../../../lib/calendar-day.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import type { ChoiceQuestion } from '../../questions/types/choice/choice.schema.ts'
import { eraseLearner } from '../study-commands.server.ts'
import { getStudy } from '../study-queries.server.ts'
import { getDiagnosticBank, getOwnDiagnostic, listAsked } from './diagnostic-queries.server.ts'
import { getDiagnosticResult } from './diagnostic-result-queries.server.ts'
import { deleteOldGuestDiagnostics, lockStarts } from './diagnostic-commands.server.ts'
import { GUEST_DAYS, TOLD_FROM } from './diagnostic.ts'
import { DiagnosticView } from './diagnostic.schema.ts'
import type { ReadinessEstimate } from '../study.schema.ts'

const app = await startApp({ LOG_LEVEL: 'fatal' })
const { db } = app.services.database
const DOMAINS = ['Design', 'Security', 'Cost', 'Operations']

function questionsOf(count: number, mark = 'PAID'): ChoiceQuestion[] {
  return Array.from({ length: count }, (_, place) => ({
    ...aQuestion(place + 1),
    id: `${mark.toLowerCase()}-${place}`,
    stem: `${mark} question ${place}`,
    domain: DOMAINS[place % DOMAINS.length]!,
    difficulty: (['easy', 'medium', 'hard'] as const)[place % 3]!,
    explanation: `SECRET-${mark}`,
  }))
}

/** A course with a bank and a free exam. */
async function aBank({ paid = 40, free = 12 } = {}) {
  const course = await aCourse(db)
  const bank = await anExam(db, course.id, { questions: questionsOf(paid), isFreeTrial: false })
  const sampler = await anExam(db, course.id, { questions: questionsOf(free, 'FREE'), isFreeTrial: true })
  return { course, bank, sampler, all: [bank, sampler] }
}
type Bank = Awaited<ReturnType<typeof aBank>>

async function anOwner(courseId: string): Promise<SignedIn> {
  const learner = await aStudent(app)
  await giveAccess(app, learner, courseId)
  return learner
}

const codeOf = (reply: { body: unknown }) => (reply.body as { error?: { code?: string } }).error?.code
const ask = (browser: Visitor, { course }: Bank, body: object = {}) =>
  browser.post('/api/diagnostics', { courseSlug: course.slug, ...body })
const start = async (browser: Visitor, bank: Bank, body: object = {}) =>
  DiagnosticView.parse((await ask(browser, bank, body)).body)
const give = (browser: Visitor, { id }: { id: string }, place: number, answer: unknown) =>
  browser.post(`/api/diagnostics/${id}/questions/${place}/answer`, { answer })

/** The right option of a shown question, or one of the others. */
function answerTo(exams: readonly BuiltExam[], view: DiagnosticView, isRight: boolean) {
  const { stem } = view.question!.question
  const question = exams.flatMap(({ questions }) => questions).find((one) => one.stem === stem)!
  return selecting(question.options.find((option) => option.isRight === isRight)!.id)
}

/** Answers to the end; every third question wrong. */
async function finish(browser: Visitor, bank: Bank, from: DiagnosticView): Promise<DiagnosticView[]> {
  const views = [from]
  for (let view = from; view.question !== null; views.push(view)) {
    app.clock.forward(MINUTE_MS)
    const { place } = view.question
    const reply = await give(browser, view, place, answerTo(bank.all, view, place % 3 !== 0))
    view = DiagnosticView.parse(reply.body)
  }
  return views
}
const studyOf = (user: SignedIn, { course }: Bank) =>
  getStudy(db, { userId: user.id as UserId, courseId: course.id as CourseId, now: app.clock.now() })

test('a diagnostic asks one question after the other, goes on where it was, and ends between 12 and 20 questions', async () => {
  const bank = await aBank()
  const { browser } = await anOwner(bank.course.id)
  const first = await start(browser, bank)
  expect(first).toMatchObject({ size: 'full', isFinished: false, answeredCount: 0, mostQuestions: 20 })
  const second = DiagnosticView.parse((await give(browser, first, 0, answerTo(bank.all, first, true))).body)
  expect(second.question?.question.stem).not.toBe(first.question?.question.stem)
  // Another device.
  expect(await start(browser, bank)).toEqual(second)
  const views = await finish(browser, bank, second)
  const last = views.at(-1)!
  expect(last).toMatchObject({ isFinished: true, question: null })
  expect(last.answeredCount).toBeGreaterThanOrEqual(12)
  expect(last.answeredCount).toBeLessThanOrEqual(20)
})

test('nothing tells which answers are right before the end, and then they count like those of a drill', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const { browser } = learner
  const views = await finish(browser, bank, await start(browser, bank))
  expect(JSON.stringify(views)).not.toMatch(/SECRET|isRight|rightOption|revealed/)
  const { answers, questions } = await studyOf(learner, bank)
  expect(answers).toHaveLength(views.at(-1)!.answeredCount)
  expect(questions.filter(({ standing }) => standing.isDue)).toHaveLength(
    answers.filter(({ isRight }) => !isRight).length,
  )

  const again = await start(browser, bank, { isAnew: true })
  await give(browser, again, 0, answerTo(bank.all, again, false))
  expect((await studyOf(learner, bank)).answers).toHaveLength(answers.length)
  expect((await browser.get(`/api/drills/${again.id}`)).status).toBe(404)
  expect((await browser.post(`/api/drills/${again.id}/questions/0/check`, { answer: null })).status).toBe(400)
})

test("'I don't know' counts as missed", async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const { browser } = learner
  for (let view = await start(browser, bank); view.question !== null;)
    view = DiagnosticView.parse((await give(browser, view, view.question.place, null)).body)
  const { answers } = await studyOf(learner, bank)
  expect(answers.length).toBeGreaterThanOrEqual(12)
  expect(answers.filter(({ isRight }) => isRight)).toEqual([])
})

test('the result has a map of the domains, an estimate with its width, and what was missed with explanations', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const views = await finish(learner.browser, bank, await start(learner.browser, bank))
  const taker = { kind: 'person', userId: learner.id as UserId } as const
  const record = await getOwnDiagnostic(db, { diagnosticId: views[0]!.id, taker })
  const user = { id: learner.id } as never
  const result = await getDiagnosticResult(db, { record, user, now: app.clock.now() })
  expect(result.domains.map(({ name }) => name).toSorted()).toEqual(DOMAINS.toSorted())
  for (const { mastery } of result.domains) expect(mastery!.high - mastery!.low).toBeGreaterThan(10)
  const { lowPercent, highPercent, answered } = result.estimate as ReadinessEstimate
  expect(highPercent - lowPercent).toBeGreaterThan(15)
  expect([answered, result.isBelowFloor]).toEqual([views.at(-1)!.answeredCount, true])
  expect(result.answered).toHaveLength(answered)
  expect(JSON.stringify(result.answered)).toContain('SECRET-')
})

test('the result names the day of the exam until it is over', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const [{ id }] = (await finish(learner.browser, bank, await start(learner.browser, bank))) as [DiagnosticView]
  const record = await getOwnDiagnostic(db, {
    diagnosticId: id,
    taker: { kind: 'person', userId: learner.id as UserId },
  })
  const examDate = async () =>
    (await getDiagnosticResult(db, { record, user: { id: learner.id } as never, now: app.clock.now() })).examDate
  expect(await examDate()).toBe(null)
  const timeZone = 'Pacific/Kiritimati'
  const day = addDays(dayIn(app.clock.now(), timeZone), 2)
  await learner.browser.put(`/api/plans/${bank.course.slug}`, { examDate: day, timeZone, minutesADay: 30 })
  app.clock.forward(2 * DAY_MS)
  expect(await examDate()).toBe(day)
  app.clock.forward(DAY_MS)
  expect(await examDate()).toBe(null)
})

test('a second answer, another tab and an end that is sent twice change nothing', async () => {
  const bank = await aBank()
  const { browser } = await anOwner(bank.course.id)
  const first = await start(browser, bank)
  const wrong = answerTo(bank.all, first, false)
  const second = DiagnosticView.parse((await give(browser, first, 0, wrong)).body)
  expect(DiagnosticView.parse((await give(browser, first, 0, answerTo(bank.all, first, true))).body)).toEqual(second)
  const row = await db.selectFrom('drill_answers').where('drill_id', '=', first.id).select('answer').execute()
  expect(row).toEqual([{ answer: wrong }])
  const views = await finish(browser, bank, second)
  const last = views.at(-1)!
  expect(DiagnosticView.parse((await give(browser, last, last.answeredCount - 1, null)).body)).toEqual(last)
})

/** Answers so many questions and ends it before the next. */
async function endAfter(browser: Visitor, bank: Bank, count: number) {
  let view = await start(browser, bank, { isAnew: true })
  for (let n = 0; n < count; n++)
    view = DiagnosticView.parse((await give(browser, view, n, answerTo(bank.all, view, true))).body)
  const end = () => browser.post(`/api/diagnostics/${view.id}/end`, {})
  const ended = DiagnosticView.parse((await end()).body)
  expect(ended).toMatchObject({ isFinished: true, answeredCount: count, question: null })
  expect(DiagnosticView.parse((await end()).body)).toEqual(ended)
  return view
}

test('ended by hand, a diagnostic counts what was answered, and tells nothing below a floor of answers', async () => {
  const bank = await aBank()
  for (const count of [TOLD_FROM - 1, TOLD_FROM]) {
    const learner = await anOwner(bank.course.id)
    const { id } = await endAfter(learner.browser, bank, count)
    expect((await studyOf(learner, bank)).answers).toHaveLength(count)
    const taker = { kind: 'person', userId: learner.id as UserId } as const
    const record = await getOwnDiagnostic(db, { diagnosticId: id, taker })
    const result = await getDiagnosticResult(db, { record, user: { id: learner.id } as never, now: app.clock.now() })
    expect(result.answered).toHaveLength(count)
    const [masteries, { kind }] = [result.domains.filter(({ mastery }) => mastery !== null), result.estimate]
    expect([kind, masteries.length > 0]).toEqual(count < TOLD_FROM ? ['not-enough', false] : ['estimate', true])
  }
})

test('ended without an answer, a diagnostic leaves nothing and can be started again; a stranger cannot end it', async () => {
  const bank = await aBank()
  const guest = app.visitor()
  const view = await start(guest, bank)
  expect((await app.visitor().post(`/api/diagnostics/${view.id}/end`, {})).status).toBe(404)
  await guest.post(`/api/diagnostics/${view.id}/end`, {})
  expect((await start(guest, bank)).id).not.toBe(view.id)
  const { id } = await endAfter(app.visitor(), bank, 2)
  expect(await db.selectFrom('drill_answers').where('drill_id', '=', id).select('place').execute()).toHaveLength(2)
})

test("a guest's diagnostic is deleted 30 days after the last thing that was done in it; an account keeps its own", async () => {
  const bank = await aBank()
  const [guest, late, student] = [app.visitor(), app.visitor(), await aStudent(app)]
  const [old, , own] = [await start(guest, bank), await start(late, bank), await start(student.browser, bank)]
  app.clock.forward(DAY_MS)
  const answered = await start(late, bank)
  await give(late, answered, 0, answerTo(bank.all, answered, true))
  const kept = () =>
    db
      .selectFrom('drills')
      .where('id', 'in', [old.id, answered.id, own.id])
      .select('id')
      .execute()
      .then((rows) => rows.map(({ id }) => id).toSorted())
  const at = app.clock.now()
  await deleteOldGuestDiagnostics(db, after(at, (GUEST_DAYS - 1) * DAY_MS - MINUTE_MS))
  expect(await kept()).toEqual([old.id, answered.id, own.id].toSorted())
  expect(await deleteOldGuestDiagnostics(db, after(at, (GUEST_DAYS - 1) * DAY_MS + MINUTE_MS))).toBeGreaterThanOrEqual(
    1,
  )
  expect(await kept()).toEqual([answered.id, own.id].toSorted())
  await deleteOldGuestDiagnostics(db, after(at, GUEST_DAYS * DAY_MS + MINUTE_MS))
  expect(await kept()).toEqual([own.id])
  expect((await start(guest, bank)).answeredCount).toBe(0)
})

test('answers that do not fit are refused, and so are places and diagnostics that are not one’s own', async () => {
  const bank = await aBank()
  const { browser } = await anOwner(bank.course.id)
  const view = await start(browser, bank)
  for (const answer of [
    selecting('no-such-option'),
    { type: 'numerical', text: '4' },
    { type: 'short-answer', text: 'S3' },
  ])
    expect([answer, codeOf(await give(browser, view, 0, answer))]).toEqual([answer, 'diagnostic.unknown-answer'])
  for (const answer of [7, 'a', { type: 'none' }]) expect((await give(browser, view, 0, answer)).status).toBe(400)
  expect(codeOf(await give(browser, view, 1, null))).toBe('diagnostic.not-found')
  expect((await give(browser, view, 100, null)).status).toBe(404)
  expect((await browser.post('/api/diagnostics/none/questions/0/answer', { answer: null })).status).toBe(404)
  const other = await anOwner(bank.course.id)
  for (const visitor of [other.browser, app.visitor()])
    expect(codeOf(await give(visitor, view, 0, null))).toBe('diagnostic.not-found')
  expect((await ask(browser, bank, { courseSlug: 'no-such-course' })).status).toBe(404)
  expect((await start(browser, bank)).answeredCount).toBe(0)
})

test('a small bank is asked whole, and with nothing new there is none', async () => {
  const bank = await aBank({ paid: 12, free: 1 })
  const { browser } = await anOwner(bank.course.id)
  await db.deleteFrom('test_questions').where('id', '=', bank.sampler.id).execute()
  const views = await finish(browser, bank, await start(browser, bank))
  expect(views.at(-1)).toMatchObject({ isFinished: true, answeredCount: 12, mostQuestions: 12 })
  expect(codeOf(await ask(browser, bank))).toBe('diagnostic.too-soon')
  expect(codeOf(await ask(browser, bank, { isAnew: true }))).toBe('diagnostic.nothing-new')
})

test('a question that is taken out of the course is not asked any longer, and its answer does not count', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const { browser } = learner
  const view = await start(browser, bank)
  const { layout } = await db.selectFrom('drills').where('id', '=', view.id).select('layout').executeTakeFirstOrThrow()
  const [{ examId }] = layout as unknown as [{ examId: string }]
  await db.updateTable('test_questions').set({ is_current_version: false }).where('id', '=', examId).execute()
  const went = DiagnosticView.parse((await give(browser, view, 0, answerTo(bank.all, view, true))).body)
  expect([went.answeredCount, went.question?.place]).toEqual([0, 0])
  expect(went.question?.question.stem).not.toBe(view.question?.question.stem)
  expect(await start(browser, bank)).toEqual(went)
})

test('when access ends in the middle, the diagnostic waits until it runs again', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const { browser } = learner
  const view = await start(browser, bank)
  const periods = db.updateTable('access_periods').where('user_id', '=', learner.id)
  const now = app.clock.now()
  await periods.set({ starts_at: after(now, -3 * DAY_MS), ends_at: after(now, -DAY_MS) }).execute()
  expect(codeOf(await give(browser, view, 0, null))).toBe('access.ended')
  expect((await start(browser, bank)).size).toBe('short')
  await periods.set({ ends_at: after(now, DAY_MS) }).execute()
  expect(await start(browser, bank)).toEqual(view)
})

test('without access a short one asks from the free questions only, guests too', async () => {
  const bank = await aBank()
  const student = await aStudent(app)
  for (const browser of [app.visitor(), student.browser]) {
    const views = await finish(browser, bank, await start(browser, bank))
    expect(views.at(-1)).toMatchObject({ size: 'short', isFinished: true, answeredCount: 8 })
    expect(JSON.stringify(views)).not.toMatch(/PAID|SECRET/)
    for (const { question } of views.slice(0, -1)) expect(question?.question.stem).toContain('FREE')
  }
})

test('a guest keeps a short diagnostic by a cookie, and takes it along at sign-in', async () => {
  const bank = await aBank()
  const guest = app.visitor()
  const reply = await ask(guest, bank)
  expect(reply.headers.get('set-cookie')).toContain('altocert_guest=')
  const view = DiagnosticView.parse(reply.body)
  expect(await start(guest, bank)).toEqual(view)
  await give(guest, view, 0, answerTo(bank.all, view, true))
  const student = await aStudent(app)
  const own = await start(student.browser, bank)
  await guest.post('/api/auth/sign-in', { email: student.email, password: PASSWORD })
  // The account's own goes on; the guest's ended as it was, and its answer counts.
  expect((await start(guest, bank)).id).toBe(own.id)
  expect((await studyOf(student, bank)).answers).toHaveLength(1)
  const other = app.visitor()
  const theirs = await start(other, bank)
  const newcomer = await aStudent(app)
  await other.post('/api/auth/sign-in', { email: newcomer.email, password: PASSWORD })
  expect((await start(other, bank)).id).toBe(theirs.id)
})

test('a guest’s diagnostic ends at sign-in also where the user starts one in another tab at that moment', async () => {
  const bank = await aBank()
  const guest = app.visitor()
  const theirs = await start(guest, bank)
  const student = await aStudent(app)
  const own = await start(student.browser, bank)
  await db.updateTable('drills').set({ finished_at: app.clock.now() }).where('id', '=', own.id).execute()
  const signedIn = await db.transaction().execute(async (tx) => {
    await lockStarts(tx, student.id, bank.course.id)
    await tx.updateTable('drills').set({ finished_at: null }).where('id', '=', own.id).execute()
    const reply = guest.post('/api/auth/sign-in', { email: student.email, password: PASSWORD })
    await untilSomebodyWaits(app.services.database.pool)
    return { reply }
  })
  expect((await signedIn.reply).status).toBe(200)
  const rows = await db.selectFrom('drills').where('user_id', '=', student.id).where('finished_at', 'is', null)
  expect(await rows.select('id').execute()).toEqual([{ id: own.id }])
  expect(theirs.id).not.toBe(own.id)
})

test('a guest is not asked again what they answered in the last 30 days', async () => {
  const bank = await aBank()
  const guest = app.visitor()
  const first = await finish(guest, bank, await start(guest, bank))
  expect(codeOf(await ask(guest, bank))).toBe('diagnostic.too-soon')
  const second = await finish(guest, bank, await start(guest, bank, { isAnew: true }))
  const stems = [...first, ...second].flatMap(({ question }) => (question === null ? [] : [question.question.stem]))
  expect([stems.length, new Set(stems).size]).toEqual([12, 12])
  expect(codeOf(await ask(guest, bank, { isAnew: true }))).toBe('diagnostic.nothing-new')
})

test('a course without free questions has no short one, and makes nobody a guest', async () => {
  const bank = await aBank()
  await db.updateTable('test_questions').set({ is_free_trial: false }).where('id', '=', bank.sampler.id).execute()
  const reply = await ask(app.visitor(), bank)
  expect([codeOf(reply), reply.headers.get('set-cookie')]).toEqual(['diagnostic.nothing-free', null])
})

test('once an exam is no free trial, the keys of its questions are shown to nobody without the course', async () => {
  const bank = await aBank()
  const student = await aStudent(app)
  const views = await finish(student.browser, bank, await start(student.browser, bank))
  const taker = { kind: 'person', userId: student.id as UserId } as const
  const record = await getOwnDiagnostic(db, { diagnosticId: views[0]!.id, taker })
  const keys = async () =>
    (await getDiagnosticResult(db, { record, user: null, now: app.clock.now() })).answered.map(
      ({ revealed }) => revealed !== null,
    )
  expect(await keys()).toEqual(Array(8).fill(true))
  await db.updateTable('test_questions').set({ is_free_trial: false }).where('id', '=', bank.sampler.id).execute()
  expect(await keys()).toEqual(Array(8).fill(false))
})

test('members of case studies are not asked', async () => {
  const course = await aCourse(db)
  const caseStudies = [{ id: 'shop', title: 'A shop', tabs: [{ id: 'now', title: 'Today', body: 'It is busy.' }] }]
  const questions = questionsOf(30).map((one, place) => (place < 4 ? { ...one, caseStudy: 'shop' } : one))
  await anExam(db, course.id, { questions, caseStudies, isFreeTrial: false })
  const of = { userId: null, courseId: course.id as CourseId, size: 'full', now: app.clock.now() } as const
  expect((await getDiagnosticBank(db, of)).candidates).toHaveLength(26)
})

test('a corrected answer key changes what a diagnostic says', async () => {
  const bank = await aBank()
  const learner = await anOwner(bank.course.id)
  const views = await finish(learner.browser, bank, await start(learner.browser, bank))
  const taker = { kind: 'person', userId: learner.id as UserId } as const
  const record = await getOwnDiagnostic(db, { diagnosticId: views[0]!.id, taker })
  const rightOnes = async () => (await studyOf(learner, bank)).answers.filter(({ isRight }) => isRight).length
  const [before, asked] = [await rightOnes(), await listAsked(db, record)]
  const missed = asked[0]!
  const entry = record.layout[0]!
  const question = bank.all.flatMap(({ questions }) => questions).find(({ id }) => id === entry.questionId)!
  const admin = await anAdmin(app)
  const chosen = missed.answer?.type === 'choice' ? missed.answer.optionIds : []
  const corrected = await admin.browser.post(`/api/exams/${entry.examId}/questions/${entry.questionId}/key`, {
    id: crypto.randomUUID(),
    rightOptionIds: chosen,
    wasRightOptionIds: question.options.filter(({ isRight }) => isRight).map(({ id }) => id),
    reason: 'The other option is right.',
  })
  expect(corrected.status).toBe(200)
  expect(await rightOnes()).toBe(before + 1)
})

test('the export of own data has a diagnostic without keys, and an erased account leaves none', async () => {
  const bank = await aBank()
  const { browser, id } = await anOwner(bank.course.id)
  const view = await start(browser, bank)
  await give(browser, view, 0, null)
  const text = JSON.stringify((await browser.get('/api/profiles/me/data')).body)
  expect(text).toMatch(/"diagnostic":"full"/)
  expect(text).not.toContain('SECRET')
  await eraseLearner(db, id as UserId)
  expect(await db.selectFrom('drills').where('id', '=', view.id).select('id').execute()).toEqual([])
})
