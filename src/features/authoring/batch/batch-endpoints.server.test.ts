import { asChoice } from '../../../../tests/support/choices.ts'
import { editOf } from '../../questions/types/edit-registry.ts'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { addQuestion, changeQuestion } from '../drafts/draft-questions-commands.server.ts'
import {
  findDraft,
  findDraftQuestion,
  listDraftCaseStudies,
  listDraftQuestions,
} from '../drafts/drafts-queries.server.ts'
import { beginDraft } from '../drafts/drafts-commands.server.ts'
import type { WordMatches, Placed, Replaced } from './batch.schema.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const by = { actorId: admin.id, now: app.clock.now() }

async function aDraft(courseId?: Awaited<ReturnType<typeof aCourse>>['id']) {
  const exam = await anExam(db, courseId ?? (await aCourse(db)).id)
  await beginDraft(db, { examId: exam.id, ...by })
  return { ...exam, keys: exam.questions.map(({ id }) => id), url: `/api/exams/${exam.id}/draft` }
}
const keysOf = async (examId: string) => (await listDraftQuestions(db, examId)).map(({ id }) => id)

test('questions are moved before another one, and back', async () => {
  const exam = await aDraft()
  const [a, b, c, d] = exam.keys as [string, string, string, string]
  const before = (await findDraft(db, exam.id))!.version
  const moved = await admin.browser.put(`${exam.url}/order`, { questionIds: [d, b], before: a })
  expect(moved.body).toEqual({ former: exam.keys })
  expect(await keysOf(exam.id)).toEqual([b, d, a, c])
  // The version changes, so that an outdated view cannot publish.
  expect((await findDraft(db, exam.id))!.version).toBeGreaterThan(before)
  await admin.browser.put(`${exam.url}/order`, { questionIds: exam.keys })
  expect(await keysOf(exam.id)).toEqual(exam.keys)
  const unknown = await admin.browser.put(`${exam.url}/order`, { questionIds: ['nobody'], before: null })
  expect(unknown.body).toMatchObject({ error: { code: 'batch.unknown' } })
})

test('a question moved to another exam keeps its key, and a copied one gets a new one', async () => {
  const { id: courseId } = await aCourse(db)
  const [from, to] = [await aDraft(courseId), await anExam(db, courseId)]
  const [first = '', second = ''] = from.keys
  const move = { questionIds: [second, first], toExamId: to.id, as: 'move' }
  const sent = await admin.browser.post(`${from.url}/send`, move)
  expect(sent.body).toMatchObject({
    former: from.keys,
    sent: [
      { from: first, to: first },
      { from: second, to: second },
    ],
  })
  expect(await keysOf(from.id)).toEqual(from.keys.slice(2))
  expect((await keysOf(to.id)).slice(-2)).toEqual([first, second])

  const copied = await admin.browser.post(`${from.url}/send`, {
    questionIds: [from.keys[2]],
    toExamId: to.id,
    as: 'copy',
  })
  const [made] = (copied.body as { sent: { from: string; to: string }[] }).sent
  expect(made!.to).not.toBe(from.keys[2])
  const copy = await findDraftQuestion(db, { familyId: to.id, questionId: made!.to })
  const original = await findDraftQuestion(db, { familyId: from.id, questionId: from.keys[2]! })
  expect(copy!.question.stem).toBe(original!.question.stem)
  expect(asChoice(copy!.question).options[0]!.id).not.toBe(asChoice(original!.question).options[0]!.id)

  expect((await admin.browser.post(`${from.url}/send`, { ...move, toExamId: from.id })).body).toMatchObject({
    error: { code: 'batch.same-exam' },
  })
})

test('questions are moved to an exam of any course, found by words of its titles, and moved back', async () => {
  const [here, there] = [await aCourse(db), await aCourse(db, { title: 'Faraway Networking 100%' })]
  const [from, sibling, to] = [await aDraft(here.id), await anExam(db, here.id), await anExam(db, there.id)]
  const find = async (search: string) =>
    (
      (await admin.browser.get(`/api/exams/${from.id}/destinations?search=${encodeURIComponent(search)}`)).body as {
        choices: { id: string; courseTitle: string }[]
      }
    ).choices
  expect(new Set((await find('')).map(({ id }) => id))).toEqual(new Set([from.id, sibling.id]))
  expect(await find('networking 100%')).toMatchObject([{ id: to.id, courseTitle: there.title }])
  expect(await find('networking 1_0')).toEqual([])
  const [first = ''] = from.keys
  const send = (examId: string, toExamId: string) =>
    admin.browser.post(`/api/exams/${examId}/draft/send`, { questionIds: [first], toExamId, as: 'move' })
  expect((await send(from.id, to.id)).status).toBe(200)
  expect((await keysOf(to.id)).at(-1)).toBe(first)
  expect((await send(to.id, from.id)).status).toBe(200)
  expect(await keysOf(from.id)).toEqual([...from.keys.slice(1), first])
  const lines = await db
    .selectFrom('audit_log')
    .where('action', '=', 'exam.draft.move')
    .where('subject_id', 'in', [from.id, to.id])
    .orderBy('id')
    .select('after')
    .execute()
  expect(lines.map(({ after }) => after)).toMatchObject([{ to: to.id }, { to: from.id }])
})

test('many questions are marked for review at once, and the reply names those that changed', async () => {
  const exam = await aDraft()
  const [first = '', second = ''] = exam.keys
  const mark = async (questionIds: string[], needsReview: boolean) =>
    (await admin.browser.post(`${exam.url}/mark`, { questionIds, needsReview })).body
  const marked = async () =>
    (await listDraftQuestions(db, exam.id)).flatMap(({ id, needsReview }) => (needsReview ? [id] : []))
  const before = (await findDraft(db, exam.id))!.version
  expect(await mark([first], true)).toEqual({ changed: [first] })
  expect(await mark([first, second], true)).toEqual({ changed: [second] })
  expect(await marked()).toEqual([first, second])
  expect((await findDraft(db, exam.id))!.version).toBeGreaterThan(before)
  expect(await mark([second], false)).toEqual({ changed: [second] })
  expect(await marked()).toEqual([first])
  expect(await mark(['nobody'], true)).toMatchObject({ error: { code: 'batch.unknown' } })
})

test('a question key exists in an exam once', async () => {
  const { id: courseId } = await aCourse(db)
  const from = await aDraft(courseId)
  const to = await anExam(db, courseId, { questions: from.questions })
  const [first] = from.keys
  const reply = await admin.browser.post(`${from.url}/send`, { questionIds: [first], toExamId: to.id, as: 'move' })
  expect(reply.body).toMatchObject({ error: { code: 'batch.key-taken' } })
  expect(await keysOf(from.id)).toEqual(from.keys)
})

test('removed questions are restored at their places, with their keys', async () => {
  const exam = await aDraft()
  const [, b, , d] = exam.keys as [string, string, string, string]
  const taken = (await admin.browser.post(`${exam.url}/take-out`, { questionIds: [b, d] })).body as { taken: Placed[] }
  expect(taken.taken.map(({ place }) => place)).toEqual([2, 4])
  expect(await keysOf(exam.id)).toHaveLength(2)
  const back = await admin.browser.post(`${exam.url}/put-back`, { questions: taken.taken })
  expect(back.status).toBe(200)
  expect(await keysOf(exam.id)).toEqual(exam.keys)
  expect(await listDraftQuestions(db, exam.id)).toEqual(exam.questions)
  // Idempotent.
  await admin.browser.post(`${exam.url}/put-back`, { questions: taken.taken })
  expect(await keysOf(exam.id)).toEqual(exam.keys)
})

test('words are found over a course, replaced in drafts only, and restored where nobody has changed them since', async () => {
  const { id: courseId } = await aCourse(db)
  const [one, two] = [await aDraft(courseId), await anExam(db, courseId)]
  await addQuestion(db, {
    examId: one.id,
    edit: {
      type: 'choice',
      stem: 'Widget',
      options: [
        { id: null, text: 'Widget', isRight: true },
        { id: null, text: 'No', isRight: false },
      ],
      explanation: 'A widget.',
      domain: '',
      url: '',
      needsReview: false,
    },
    ...by,
  })
  const asked = { courseId, find: 'widget', matchCase: false }
  const found = (await admin.browser.post('/api/replacements/preview', asked)).body as WordMatches
  expect(found).toMatchObject({ questionCount: 1, matchCount: 3 })
  const everywhere = (await admin.browser.post('/api/replacements/preview', { courseId, find: 'Question number' }))
    .body as WordMatches
  expect(everywhere.questionCount).toBe(8)
  const targets = everywhere.questions.map(({ examId, questionId }) => ({ examId, questionId }))
  const words = { find: 'Question number', matchCase: true, replaceWith: 'No.' }
  const replaced = (await admin.browser.post('/api/replacements', { ...words, targets })).body as Replaced
  expect(replaced.changed).toHaveLength(8)
  expect((await listDraftQuestions(db, two.id))[0]!.stem).toBe('No. 1?')
  // The published version is unchanged.
  expect((await admin.browser.get(`/api/exams/${two.id}/draft/changes`)).body).toMatchObject({ settings: [] })

  const mine = replaced.changed.find(({ question }) => question.id === two.questions[0]!.id)!
  await changeQuestion(db, {
    examId: two.id,
    questionId: mine.question.id,
    version: mine.version,
    edit: { ...editOf(mine.question), stem: 'Changed since' },
    ...by,
  })
  // An earlier build sends the questions without their type.
  const changed = replaced.changed.map((one) => ({ ...one, question: { ...one.question, type: undefined } }))
  const undone = await admin.browser.post('/api/replacements/undo', { changed })
  expect(undone.body).toEqual({ restored: 7, restoredCaseStudies: 0, kept: 1 })
  expect((await listDraftQuestions(db, two.id)).map(({ stem }) => stem)).toEqual([
    'Changed since',
    'Question number 2?',
    'Question number 3?',
    'Question number 4?',
  ])
})

test('a replacement that would make a question invalid is refused', async () => {
  const exam = await aDraft()
  const [questionId] = exam.keys
  const { stem } = exam.questions[0]!
  const body = { find: stem, matchCase: true, replaceWith: '', targets: [{ examId: exam.id, questionId }] }
  const replaced = (await admin.browser.post('/api/replacements', body)).body as Replaced
  expect(replaced).toMatchObject({ changed: [], refused: [{ sentence: 'The question has no text.' }] })
  expect((await admin.browser.post('/api/replacements/preview', { find: 'x' })).body).toMatchObject({
    error: { fields: [{ field: 'examId', message: 'must name a course or an exam' }] },
  })
})

test('words are replaced in case studies too, where that leaves none without a text, and restored', async () => {
  const { id: courseId } = await aCourse(db)
  const tabs = (body: string) => [
    { id: 't1', title: 'Widgets', body },
    { id: 't2', title: 'Plan', body: 'Buy a widget.' },
  ]
  const claims = { id: 'claims', title: 'Widget Inc.', tabs: tabs('Widgets, and more widgets.') }
  const plain = { id: 'plain', title: 'Plain', tabs: tabs('widget') }
  const exam = await anExam(db, courseId, { caseStudies: [claims, plain] })
  const asked = { courseId, find: 'widget', matchCase: false }
  const found = (await admin.browser.post('/api/replacements/preview', asked)).body as WordMatches
  expect(found).toMatchObject({ questionCount: 0, matchCount: 8 })
  expect(found.caseStudies[0]).toMatchObject({ examId: exam.id, caseStudyId: 'claims', title: 'Widget Inc.' })
  expect(found.caseStudies[0]?.matches.map(({ part }) => part)).toEqual([
    'Title',
    'Name of tab 1',
    'Widgets',
    'Widgets',
    'Plan',
  ])
  const caseStudies = [...found.caseStudies, { examId: exam.id, caseStudyId: 'gone' }]
  const targets = { targets: [], caseStudies }
  const words = { find: 'widget', matchCase: true, replaceWith: '' }
  const replaced = (await admin.browser.post('/api/replacements', { ...words, ...targets })).body as Replaced
  expect(replaced).toMatchObject({ changed: [], refused: [], caseStudies: { changed: [{ caseStudy: claims }] } })
  expect(replaced.caseStudies.refused.map(({ caseStudyId, sentence }) => [caseStudyId, sentence])).toEqual([
    ['gone', 'This case study is not in the draft.'],
    ['plain', 'A tab needs a text.'],
  ])
  const [first, second] = await listDraftCaseStudies(db, exam.id)
  expect([first?.tabs.map(({ body }) => body), second]).toEqual([['Widgets, and more s.', 'Buy a .'], plain])
  const undo = { changed: [], caseStudies: replaced.caseStudies.changed }
  const undone = await admin.browser.post('/api/replacements/undo', undo)
  expect(undone.body).toEqual({ restored: 0, restoredCaseStudies: 1, kept: 0 })
  expect(await listDraftCaseStudies(db, exam.id)).toEqual([claims, plain])
  // By now nobody's text is what the replacement left there.
  expect((await admin.browser.post('/api/replacements/undo', undo)).body).toMatchObject({ kept: 1 })
  const empty = { ...words, targets: [], caseStudies: [] }
  expect((await admin.browser.post('/api/replacements', empty)).status).toBe(400)
})

test('a question that is added twice under one key is there once', async () => {
  const exam = await aDraft()
  const question = {
    stem: 'Sent twice?',
    options: [
      { text: 'Yes', isRight: true },
      { text: 'No', isRight: false },
    ],
    explanation: 'The answer of the first got lost.',
  }
  const add = () => admin.browser.post(`${exam.url}/questions`, { question, id: 'q-twice' })
  const first = await add()
  expect(first).toMatchObject({ status: 200, body: { question: { id: 'q-twice' } } })
  expect(((await add()).body as { version: number }).version).toBe((first.body as { version: number }).version)
  expect(await keysOf(exam.id)).toEqual([...exam.keys, 'q-twice'])
})

test('a question that is restored twice in one call comes once, and a place that no list has is refused', async () => {
  const exam = await aDraft()
  const removed = await admin.browser.post(`${exam.url}/remove`, { questionIds: [exam.keys[1]] })
  const [taken] = (removed.body as { taken: { question: object; place: number }[] }).taken
  const restore = (...questions: unknown[]) => admin.browser.post(`${exam.url}/restore`, { questions })
  expect((await restore({ ...taken, place: 2 ** 40 })).status).toBe(400)
  expect((await restore(taken, taken)).status).toBe(200)
  expect(await keysOf(exam.id)).toEqual(exam.keys)
})
