import { asChoice } from '../../../../tests/support/choices.ts'
import { editOf } from '../../questions/types/edit-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../../tests/support/start-app.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess } from '../../../../tests/support/users.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import type { DraftChanges, DraftQuestionView, DraftView, ExamRecord, SavedQuestion } from './drafts.schema.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const colleague = await anAdmin(app)
const course = await aCourse(db)

const draftOf = (exam: { id: string }) => `/api/exams/${exam.id}/draft`
const begin = async (exam: { id: string }) => (await admin.browser.post(draftOf(exam))).body as DraftView
const questionOf = async (exam: BuiltExam, question: Question, visitor: Visitor = admin.browser) =>
  (await visitor.get(`${draftOf(exam)}/questions/${question.id}`)).body as DraftQuestionView
/** An edit as earlier builds send it, without difficulty. */
const toEdit = (question: Question) => ({ ...editOf(question), difficulty: undefined })
const put = (exam: BuiltExam, id: string, question: unknown, version: number, visitor: Visitor = admin.browser) =>
  visitor.put(`${draftOf(exam)}/questions/${id}`, { question, version })
const publish = async (exam: { id: string }, visitor: Visitor = admin.browser) => {
  const { version } = (await visitor.get(draftOf(exam))).body as DraftView
  return visitor.post(`${draftOf(exam)}/publish`, { version })
}
/** Puts another text to the first question. */
async function rewrite(exam: BuiltExam, stem: string) {
  const stored = await questionOf(exam, exam.questions[0]!)
  return put(exam, stored.question.id, { ...toEdit(stored.question), stem }, stored.version)
}

test('an edit stays in the draft until it is published; then new attempts get it and old ones keep theirs', async () => {
  const exam = await anExam(db, course.id)
  const student = await aStudent(app)
  await giveAccess(app, student, course.id)
  const start = async () =>
    (await student.browser.post('/api/attempts', { examSlug: exam.slug, mode: 'practice' })).body as {
      id: string
      questions: { id: string; stem: string }[]
    }
  const stemIn = (attempt: { questions: { id: string; stem: string }[] }) =>
    attempt.questions.find(({ id }) => id === exam.questions[0]!.id)?.stem

  const old = await start()
  await begin(exam)
  expect(await rewrite(exam, 'Another text?')).toMatchObject({ status: 200, body: { notes: [] } })
  expect(stemIn(await start())).toBe('Question number 1?')

  expect(await publish(exam)).toMatchObject({ status: 200, body: { versionNumber: 2 } })
  expect(stemIn(await start())).toBe('Question number 1?')
  await student.browser.post(`/api/attempts/${old.id}/finish`, {})
  const review = (await student.browser.get(`/api/attempts/${old.id}/review`)).body as {
    questions: { question: { id: string; stem: string } }[]
  }
  expect(stemIn({ questions: review.questions.map(({ question }) => question) })).toBe('Question number 1?')
  expect(stemIn(await start())).toBe('Another text?')

  const record = (await admin.browser.get(`/api/exams/${exam.id}`)).body as ExamRecord
  expect(record).toMatchObject({ versionNumber: 2, slug: exam.slug, draft: null })
  expect(record.versions.map(({ versionNumber, isCurrent }) => [versionNumber, isCurrent])).toEqual([
    [2, true],
    [1, false],
  ])
})

test('a new question that is sent twice is added once, and text typed meanwhile changes it', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  const question = {
    stem: 'Which knot?',
    options: [
      { id: null, text: 'A bowline', isRight: true },
      { id: null, text: 'A bow', isRight: false },
    ],
    explanation: 'It holds.',
  }
  const send = (sent: object, visitor: Visitor = admin.browser) =>
    visitor.post(`${draftOf(exam)}/questions`, { id: 'q-sent-again', question: sent })
  const first = (await send(question)).body as SavedQuestion
  expect((await send(question)).body).toMatchObject({ question: first.question, version: first.version })

  const later = (await send({ ...question, domain: 'Wind' })).body as SavedQuestion
  expect(later.question).toEqual({ ...first.question, domain: 'Wind' })
  expect(later.version).not.toBe(first.version)
  const verified = (await send({ ...question, domain: 'Wind', verifiedOn: '2026-01-02' })).body as SavedQuestion
  expect(verified.question).toEqual({ ...later.question, verifiedOn: '2026-01-02' })
  const listed = (await admin.browser.get(draftOf(exam))).body as DraftView
  expect(listed.questionCount).toBe(exam.questions.length + 1)

  // Another author gets a conflict, and nothing is overwritten.
  expect(await send({ ...question, stem: 'Another?' }, colleague.browser)).toMatchObject({ status: 409 })
})

test('ids of options stay through an edit, a reordering and a new version', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  const { question, version } = await questionOf(exam, exam.questions[0]!)
  const [first, second, third] = asChoice(question).options
  const answers = [third!, { ...first!, text: 'Reworded' }, { id: null, text: 'Brand new', isRight: false }, second!]
  const saved = (await put(exam, question.id, { ...toEdit(question), answers }, version)).body as SavedQuestion
  expect(asChoice(saved.question).options.map(({ id }) => id)).toEqual([
    third!.id,
    first!.id,
    expect.any(String),
    second!.id,
  ])
  expect(
    asChoice(saved.question)
      .options.filter(({ isRight }) => isRight)
      .map(({ text }) => text),
  ).toEqual(['Reworded'])
  const { examId } = (await publish(exam)).body as { examId: string }
  const published = (await getExamQuestions(db, examId as BuiltExam['id'])).find(({ id }) => id === question.id)
  expect(published).toEqual(saved.question)
})

test('the difficulty of a question is edited, counts as a change, and stays where an earlier build does not send it', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  const { question, version } = await questionOf(exam, exam.questions[0]!)
  const edit = toEdit(question)
  const saved = (await put(exam, question.id, { ...edit, difficulty: 'hard' }, version)).body as SavedQuestion
  expect(saved.question).toEqual({ ...question, difficulty: 'hard' })
  const changes = (await admin.browser.get(`${draftOf(exam)}/changes`)).body as DraftChanges
  expect(changes.changed).toMatchObject([{ id: question.id, parts: ['facts'] }])
  expect(await put(exam, question.id, { ...edit, difficulty: 'fiendish' }, saved.version)).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'question.difficulty' }] } },
  })
  const again = (await put(exam, question.id, { ...edit, stem: 'Reworded' }, saved.version)).body as SavedQuestion
  expect(again.question).toMatchObject({ stem: 'Reworded', difficulty: 'hard' })
  const { examId } = (await publish(exam)).body as { examId: string }
  expect((await getExamQuestions(db, examId as BuiltExam['id']))[0]).toMatchObject({ difficulty: 'hard' })
})

test('when two admins edit the same question, the second gets a conflict with the stored one', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  const mine = await questionOf(exam, exam.questions[0]!)
  const theirs = await questionOf(exam, exam.questions[0]!, colleague.browser)
  const elsewhere = await questionOf(exam, exam.questions[1]!, colleague.browser)
  await put(exam, mine.question.id, { ...toEdit(mine.question), stem: 'Mine' }, mine.version)

  const late = await put(exam, mine.question.id, toEdit(theirs.question), theirs.version, colleague.browser)
  expect(late).toMatchObject({
    status: 409,
    body: {
      error: {
        code: 'draft.changed-elsewhere',
        facts: { stored: { question: { stem: 'Mine' }, updatedBy: 'Test Person' } },
      },
    },
  })
  const other = await put(exam, elsewhere.question.id, toEdit(elsewhere.question), elsewhere.version, colleague.browser)
  expect(other.status).toBe(200)
  expect((await questionOf(exam, exam.questions[0]!)).question.stem).toBe('Mine')
})

test('when two admins change the settings, the second gets a conflict, as does discarding an outdated draft', async () => {
  const exam = await anExam(db, course.id)
  const { settings, settingsVersion, version } = await begin(exam)
  const change = (title: string, visitor: Visitor) =>
    visitor.patch(draftOf(exam), { settings: { ...settings, title }, version: settingsVersion })
  expect((await change('First', admin.browser)).status).toBe(200)
  expect(await change('Second', colleague.browser)).toMatchObject({
    status: 409,
    body: { error: { facts: { stored: { settings: { title: 'First' } } } } },
  })
  expect(await admin.browser.call('DELETE', draftOf(exam), { version })).toMatchObject({
    status: 409,
    body: { error: { code: 'draft.moved-on' } },
  })
  const now = (await admin.browser.get(draftOf(exam))).body as DraftView
  expect((await admin.browser.call('DELETE', draftOf(exam), { version: now.version })).status).toBe(200)
  expect((await admin.browser.call('DELETE', draftOf(exam), { version: now.version })).status).toBe(200)
  expect((await admin.browser.get(draftOf(exam))).status).toBe(409)
})

test('a draft begun many times at once exists once, and published many times at once makes one version', async () => {
  const exam = await anExam(db, course.id)
  const begun = await Promise.all(Array.from({ length: 6 }, () => begin(exam)))
  expect(new Set(begun.map(({ version }) => version)).size).toBe(1)
  await rewrite(exam, 'Once')
  const { version } = (await admin.browser.get(draftOf(exam))).body as DraftView
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, turn) =>
      (turn % 2 === 0 ? admin : colleague).browser.post(`${draftOf(exam)}/publish`, { version }),
    ),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  const versions = await db
    .selectFrom('test_questions')
    .where('family_id', '=', exam.id)
    .orderBy('version_number')
    .select(['version_number', 'is_current_version', 'parent_exam_id', 'created_from_version', 'slug'])
    .execute()
  expect(versions).toEqual([
    {
      version_number: 1,
      is_current_version: false,
      parent_exam_id: null,
      created_from_version: null,
      slug: exam.slug,
    },
    { version_number: 2, is_current_version: true, parent_exam_id: exam.id, created_from_version: 1, slug: exam.slug },
  ])
})

test('a simultaneous edit and publish: the version has the edit, or one of them is refused', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  await rewrite(exam, 'Before')
  const { question, version } = await questionOf(exam, exam.questions[1]!)
  const [edited, published] = await Promise.all([
    put(exam, question.id, { ...toEdit(question), stem: 'Late edit' }, version),
    publish(exam),
  ])
  const current = await db
    .selectFrom('test_questions')
    .where('family_id', '=', exam.id)
    .where('is_current_version', '=', true)
    .select(['id', 'version_number'])
    .executeTakeFirstOrThrow()
  const stems = (await getExamQuestions(db, current.id as BuiltExam['id'])).map(({ stem }) => stem)
  // The edit came first and what is published has it, or it was refused; or the publish saw that the draft had moved on.
  const outcome = [published.status, edited.status, current.version_number, stems.includes('Late edit')]
  expect([
    [200, 200, 2, true],
    [200, 409, 2, false],
    [409, 200, 1, false],
  ]).toContainEqual(outcome)
})

test('the changes of publishing are listed, and publishing without changes is refused', async () => {
  const exam = await anExam(db, course.id)
  const { settings, settingsVersion } = await begin(exam)
  expect(await publish(exam)).toMatchObject({ status: 409, body: { error: { code: 'draft.no-changes' } } })
  await admin.browser.patch(draftOf(exam), { settings: { ...settings, passingScore: 75 }, version: settingsVersion })
  const { question, version } = await questionOf(exam, exam.questions[0]!)
  const answers = asChoice(question).options.map((answer, place) => ({ ...answer, isRight: place === 1 }))
  await put(exam, question.id, { ...toEdit(question), answers }, version)
  const gone = await questionOf(exam, exam.questions[1]!)
  await admin.browser.call('DELETE', `${draftOf(exam)}/questions/${gone.question.id}`, { version: gone.version })
  const written = toEdit(aQuestion(9))
  const fresh = { ...written, answers: asChoice(written).options.map((answer) => ({ ...answer, id: null })) }
  const added = (await admin.browser.post(`${draftOf(exam)}/questions`, { question: fresh })).body as SavedQuestion
  const changes = (await admin.browser.get(`${draftOf(exam)}/changes`)).body as DraftChanges
  expect(changes).toMatchObject({
    settings: [{ name: 'passingScore', from: '70', to: '75' }],
    added: [{ id: added.question.id }],
    removed: [{ id: gone.question.id }],
    changed: [{ id: question.id, parts: ['key'] }],
    isReordered: false,
  })
})

test('a draft whose questions only come in another order is published in that order', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  const [first, ...others] = exam.questions.map(({ id }) => id)
  await admin.browser.put(`${draftOf(exam)}/order`, { questionIds: [first], before: null })
  const changes = (await admin.browser.get(`${draftOf(exam)}/changes`)).body as DraftChanges
  expect(changes).toMatchObject({ settings: [], added: [], removed: [], changed: [], isReordered: true })
  const { examId } = (await publish(exam)).body as { examId: string }
  const published = await getExamQuestions(db, examId as BuiltExam['id'])
  expect(published.map(({ id }) => id)).toEqual([...others, first])
})

test('an invalid question is refused, each problem with its field', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  const { question, version } = await questionOf(exam, exam.questions[0]!)
  const edit = toEdit(question)
  const refusalOf = async (changed: unknown) => {
    const { status, body } = await put(exam, question.id, changed, version)
    return { status, fields: (body as { error: { fields: { field: string; message: string }[] } }).error.fields }
  }
  const blank = asChoice(edit).options.map((answer, place) => (place === 2 ? { ...answer, text: ' ' } : answer))
  const none = asChoice(edit).options.map((answer) => ({ ...answer, isRight: false }))
  const tooMany = Array.from({ length: 4 }, () => asChoice(edit).options).flat()
  const stranger = [...asChoice(edit).options.slice(0, 3), { id: 'another', text: 'New', isRight: false }]
  expect(await refusalOf({ ...edit, stem: ' ' })).toEqual({
    status: 400,
    fields: [{ field: 'stem', message: 'The question has no text.' }],
  })
  expect(await refusalOf({ ...edit, options: blank })).toEqual({
    status: 400,
    fields: [{ field: 'options.2.text', message: 'Answer C has no text.' }],
  })
  expect(
    await refusalOf({ ...edit, stem: '', options: none.map((answer) => ({ ...answer, text: '' })) }),
  ).toMatchObject({
    fields: [{ field: 'stem' }, { field: 'options' }, { field: 'options.0.text' }, ...none.slice(1).map(() => ({}))],
  })
  expect(await refusalOf({ ...edit, options: none })).toEqual({
    status: 400,
    fields: [{ field: 'options', message: 'No answer is marked as right.' }],
  })
  expect(await refusalOf({ ...edit, options: asChoice(edit).options.slice(0, 1) })).toEqual({
    status: 400,
    fields: [{ field: 'options.1.text', message: 'The question has one answer; it needs at least two.' }],
  })
  expect(await refusalOf({ ...edit, options: tooMany })).toEqual({
    status: 400,
    fields: [{ field: 'question.options', message: 'The question can have at most twelve answers.' }],
  })
  expect(await refusalOf({ ...edit, options: stranger })).toEqual({
    status: 400,
    fields: [{ field: 'options.3.text', message: 'This answer does not belong to the question.' }],
  })
  expect(await refusalOf({ ...edit, explanation: 'x'.repeat(100_001) })).toMatchObject({
    status: 400,
    fields: [{ field: 'explanation' }],
  })
})

test('invalid settings are refused, each problem with its field', async () => {
  const exam = await anExam(db, course.id)
  const { settings, settingsVersion: version } = await begin(exam)
  const bad = { title: ' ', timeLimitMinutes: 0, passingScore: 101, scoringPolicy: 'x', isFreeTrial: 'yes' }
  for (const [name, value] of Object.entries(bad)) {
    const reply = await admin.browser.patch(draftOf(exam), { settings: { ...settings, [name]: value }, version })
    expect(reply).toMatchObject({ status: 400, body: { error: { fields: [{ field: `settings.${name}` }] } } })
  }
})

test('an exam of 1,000 questions can be edited, and accepts no further question', async () => {
  const many = Array.from({ length: 1000 }, (_, number) => aQuestion(number))
  const exam = await anExam(db, course.id, { questions: many })
  expect((await begin(exam)).questionCount).toBe(1000)
  expect((await rewrite(exam, 'One of a thousand')).status).toBe(200)
  const fresh = { ...toEdit(many[0]!), answers: many[0]!.options.map((answer) => ({ ...answer, id: null })) }
  expect(await admin.browser.post(`${draftOf(exam)}/questions`, { question: fresh })).toMatchObject({
    status: 409,
    body: { error: { code: 'draft.full' } },
  })
  const { examId } = (await publish(exam)).body as { examId: string }
  const published = await getExamQuestions(db, examId as BuiltExam['id'])
  expect(published.map(({ id }) => id)).toEqual(many.map(({ id }) => id))
  expect(published[0]!.stem).toBe('One of a thousand')
})

test('publishing a draft keeps a free trial that was switched on since the draft began', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  await rewrite(exam, 'Something')
  await admin.browser.patch(`/api/test_questions/${exam.id}`, { is_free_trial: true })
  await publish(exam)
  const record = (await admin.browser.get(`/api/exams/${exam.id}`)).body as ExamRecord
  expect(record.settings.isFreeTrial).toBe(true)
})

test('every write to a draft is in the audit log', async () => {
  const exam = await anExam(db, course.id)
  await begin(exam)
  await rewrite(exam, 'Audited')
  await publish(exam)
  const lines = await db
    .selectFrom('audit_log')
    .where('subject_id', '=', exam.id)
    .orderBy('id')
    .select(['action', 'actor_id'])
    .execute()
  expect(lines).toEqual(
    ['exam.draft.begin', 'exam.draft.question', 'exam.publish'].map((action) => ({ action, actor_id: admin.id })),
  )
})
