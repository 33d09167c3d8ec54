import { expect, test } from 'vitest'
import { aCourse, anExam } from '../../../../tests/support/build-course.ts'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin } from '../../../../tests/support/users.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { editOf } from '../../questions/types/edit-registry.ts'
import { contentText } from '../../questions/types/content-registry.ts'
import { getCurrentExam } from '../drafts/drafts-queries.server.ts'
import type { DraftQuestionView } from '../drafts/drafts.schema.ts'
import { mergeIntoDraft } from '../drafts/drafts-commands.server.ts'
import { sql } from 'kysely'
import { toStored } from '../../questions/types/content-registry.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const course = await aCourse(db)

async function aDraft() {
  const exam = await anExam(db, course.id)
  await admin.browser.post(`/api/exams/${exam.id}/draft`)
  const [first] = exam.questions
  const path = `/api/exams/${exam.id}/draft/questions/${first!.id}`
  const read = async () => (await admin.browser.get(path)).body as DraftQuestionView
  return {
    exam,
    question: first!,
    read,
    async save(fields: object) {
      const { question, version } = await read()
      return admin.browser.put(path, { question: { ...editOf(question), ...fields }, version })
    },
    async published() {
      const { id, versionNumber } = await getCurrentExam(db, exam.id)
      const [now] = await getExamQuestions(db, id)
      return { versionNumber, stem: now?.stem, verifiedOn: now?.verifiedOn, guide: now?.guide }
    },
  }
}

test('the day on which a question was verified is no part of what it says, and reaches learners’ version without a new one', async () => {
  const { question, read, save, published } = await aDraft()
  expect((await save({ verifiedOn: '2026-11-20', guide: ' SAA-C03  1.1 ' })).status).toBe(200)
  expect((await read()).question).toMatchObject({ verifiedOn: '2026-11-20', guide: 'SAA-C03 1.1' })
  expect(await published()).toMatchObject({ versionNumber: 1, verifiedOn: '2026-11-20', guide: 'SAA-C03 1.1' })
  expect(contentText((await read()).question)).toBe(contentText(question))

  expect((await save({ stem: 'Another text?', verifiedOn: '2026-11-21' })).status).toBe(200)
  expect(await published()).toMatchObject({ stem: question.stem, verifiedOn: '2026-11-20' })
  expect((await save({ stem: question.stem, verifiedOn: '', guide: '' })).status).toBe(200)
  expect(await published()).toMatchObject({ versionNumber: 1, verifiedOn: undefined, guide: undefined })
})

test('an editor of an earlier build, which does not send the day, keeps it', async () => {
  const { read, save } = await aDraft()
  await save({ verifiedOn: '2026-11-20', guide: 'SAA-C03' })
  expect((await save({ stem: 'Another text?', verifiedOn: undefined, guide: undefined })).status).toBe(200)
  expect((await read()).question).toMatchObject({ stem: 'Another text?', verifiedOn: '2026-11-20', guide: 'SAA-C03' })
})

test('a day that does not exist or is still to come, and a guide of 200 characters, are refused at their fields', async () => {
  const { save, published } = await aDraft()
  const refused = async (fields: object) => {
    const { status, body } = await save(fields)
    return [status, (body as { error: { fields?: { field: string }[] } }).error.fields?.map(({ field }) => field)]
  }
  const tomorrow = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
  expect(await refused({ verifiedOn: tomorrow })).toEqual([400, ['verifiedOn']])
  expect(await refused({ verifiedOn: '2026-02-30' })).toEqual([400, ['verifiedOn']])
  expect(await refused({ guide: 'x'.repeat(200) })).toEqual([400, ['guide']])
  expect(await published()).toMatchObject({ verifiedOn: undefined, guide: undefined })
})

test('a file that says the same never makes a question older, and one without a day leaves it', async () => {
  const { exam, question, read, save } = await aDraft()
  await save({ verifiedOn: '2026-11-20', guide: 'SAA-C03' })
  const put = async (fields: object) => {
    const stored = JSON.stringify([toStored({ ...question, ...fields })])
    await db.transaction().execute((tx) =>
      mergeIntoDraft(tx, {
        actorId: null,
        now: app.clock.now(),
        examId: exam.id,
        questions: sql<string>`${stored}::jsonb`,
      }),
    )
    return (await read()).question.verifiedOn
  }
  expect(await put({})).toBe('2026-11-20')
  expect(await put({ verifiedOn: '2026-01-01' })).toBe('2026-11-20')
  expect(await put({ verifiedOn: '2026-11-22' })).toBe('2026-11-22')
  expect(await put({ stem: 'Another text?', verifiedOn: '2026-11-10' })).toBe('2026-11-10')
})
