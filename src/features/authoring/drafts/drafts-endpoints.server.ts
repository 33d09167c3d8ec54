import { renamedWithin } from '../../../lib/former-names.ts'
import { requireAdmin, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { getCourseFacts } from '../../catalogue/catalogue-queries.server.ts'
import { CoursePath, fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { addQuestion, changeQuestion, deleteQuestion } from './draft-questions-commands.server.ts'
import {
  findDraftQuestion,
  getChanges,
  getCurrentExam,
  getDraft,
  getExamRecord,
  listDraftQuestions,
  listExamNames,
} from './drafts-queries.server.ts'
import {
  AddQuestion,
  ChangeQuestion,
  ChangeSettings,
  DraftChanges,
  DraftQuestionView,
  DraftView,
  ExamPath,
  ExamRecord,
  fail,
  Published,
  QuestionPath,
  SavedQuestion,
  ExpectedVersion,
} from './drafts.schema.ts'
import { publishDraft } from './versions-commands.server.ts'
import { beginDraft, changeSettings, discardDraft } from './drafts-commands.server.ts'

/** Earlier builds send the options of a question as `answers`. */
const upgradeQuestion = (body: unknown) => renamedWithin(body, 'question', { answers: 'options' })

/** Six answers and an explanation, each as long as a text may be, with every character escaped. */
const QUESTION_LIMIT_BYTES = 2 * 1024 * 1024

const by = (context: RequestContext) => ({ actorId: requireAdmin(context).id, now: context.clock.now() })

/** Exams are edited in their one draft; publishing makes it the next version. */
export function draftsApi() {
  return [...examEndpoints(), ...questionEndpoints()]
}

function examEndpoints() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId',
      who: 'admin',
      about: 'An exam by the id of any of its versions, with its versions and its draft; no questions.',
      params: ExamPath,
      reply: ExamRecord,
      handle: ({ params }, { db }) => getExamRecord(db, params.examId),
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'Begins the one draft of an exam, or gives the one that is there.',
      params: ExamPath,
      reply: DraftView,
      handle: ({ params }, context) => beginDraft(context.db, { ...params, ...by(context) }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'The draft of an exam.',
      params: ExamPath,
      reply: DraftView,
      handle: async ({ params }, { db }) => getDraft(db, (await getCurrentExam(db, params.examId)).familyId),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'Changes the settings in the draft. Who read older ones gets 409 with what is stored.',
      params: ExamPath,
      body: ChangeSettings,
      reply: DraftView,
      handle: ({ params, body }, context) => changeSettings(context.db, { ...params, ...body, ...by(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'Discards the draft, if it is still the one that was looked at.',
      params: ExamPath,
      body: ExpectedVersion,
      reply: Done,
      async handle({ params, body }, context) {
        await discardDraft(context.db, { ...params, ...body, ...by(context) })
        return done
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft/changes',
      who: 'admin',
      about: 'What publishing the draft would change.',
      params: ExamPath,
      reply: DraftChanges,
      handle: async ({ params }, { db }) => getChanges(db, await getCurrentExam(db, params.examId)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/publish',
      who: 'admin',
      about: 'Makes the draft the version that new attempts get, if it is still the one that was looked at.',
      params: ExamPath,
      body: ExpectedVersion,
      reply: Published,
      handle: ({ params, body }, context) => publishDraft(context.db, { ...params, ...body, ...by(context) }),
    }),
  ]
}

function questionEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/questions',
      who: 'admin',
      about: 'Adds a question to the draft, under the key that is sent; the same key again changes nothing.',
      params: ExamPath,
      body: AddQuestion,
      upgradeBody: upgradeQuestion,
      bodyLimitBytes: QUESTION_LIMIT_BYTES,
      reply: SavedQuestion,
      handle: ({ params, body }, context) =>
        addQuestion(context.db, { ...params, edit: body.question, id: body.id, ...by(context) }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft/questions/:questionId',
      who: 'admin',
      about: 'One question of the draft, key included.',
      params: QuestionPath,
      reply: DraftQuestionView,
      async handle({ params }, { db }) {
        const { familyId } = await getCurrentExam(db, params.examId)
        const found = await findDraftQuestion(db, { familyId, questionId: params.questionId })
        if (found === null) throw fail('draft.question-gone')
        return found
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/exams/:examId/draft/questions/:questionId',
      who: 'admin',
      about: 'Changes a question in the draft. Who read an older one gets 409 with what is stored.',
      params: QuestionPath,
      body: ChangeQuestion,
      upgradeBody: upgradeQuestion,
      bodyLimitBytes: QUESTION_LIMIT_BYTES,
      reply: SavedQuestion,
      handle: ({ params, body }, context) =>
        changeQuestion(context.db, { ...params, edit: body.question, version: body.version, ...by(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/exams/:examId/draft/questions/:questionId',
      who: 'admin',
      about: 'Deletes a question from the draft. Who read an older one gets 409 with what is stored.',
      params: QuestionPath,
      body: ExpectedVersion,
      reply: Done,
      async handle({ params, body }, context) {
        await deleteQuestion(context.db, { ...params, ...body, ...by(context) })
        return done
      },
    }),
  ]
}

/** One question of the draft to edit, or an empty one to add, with those beside it. */
export const questionLoader = pageLoader(async ({ context, params, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const path = ExamPath.safeParse(params)
  if (!path.success) throw failCatalogue('exam.not-found')
  const { db } = context
  const exam = await getCurrentExam(db, path.data.examId)
  const { questionId } = params
  // Without a draft there is nothing to add to.
  await getDraft(db, exam.familyId)
  const [questions, { blueprint }] = await Promise.all([
    listDraftQuestions(db, exam.familyId),
    getCourseFacts(db, exam.courseId),
  ])
  const ids = questions.map(({ id }) => id)
  const place = questionId === undefined ? ids.length : ids.indexOf(questionId)
  const stored = questionId === undefined ? null : await findDraftQuestion(db, { familyId: exam.familyId, questionId })
  if (questionId !== undefined && stored === null) throw fail('draft.question-gone')
  const used = questions.map(({ domain }) => domain).toSorted()
  return {
    examId: exam.familyId,
    examTitle: exam.settings.title,
    courseTitle: exam.courseTitle,
    adminId,
    // Those of the real exam first.
    domains: [...new Set([...(blueprint?.domains.map(({ name }) => name) ?? []), ...used])],
    number: stored === null ? null : place + 1,
    total: ids.length,
    stored,
    neighbours: { previous: ids[place - 1] ?? null, next: ids[place + 1] ?? null },
  }
})

/** The exams in which words are looked for. */
export const replaceLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const path = CoursePath.safeParse(params)
  if (!path.success) throw failCatalogue('course.not-found')
  const { id, title } = await getCourseFacts(context.db, path.data.courseId)
  return { course: { id, title }, exams: await listExamNames(context.db, id), examId: url.searchParams.get('exam') }
})
