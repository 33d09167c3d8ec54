import { upgradeQuestionEdit } from '../../questions/types/question-edit.schema.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { getCourseFacts } from '../../catalogue/catalogue-queries.server.ts'
import { CoursePath, fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { addQuestion, changeQuestion, deleteQuestion } from './draft-questions-commands.server.ts'
import {
  findDraftQuestion,
  getChanges,
  getCurrentExam,
  getDraft,
  getExamRecord,
  listDraftCaseStudies,
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

/** Room for the texts of all parts and an explanation of maximal length, with every character escaped. */
const QUESTION_LIMIT_BYTES = 2 * 1024 * 1024

/** Exams are edited in their one draft; publishing makes it the next version. */
export function draftsApi() {
  return [...draftEndpoints(), ...publishingEndpoints(), ...questionEndpoints()]
}

function draftEndpoints() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId',
      who: 'admin',
      about: 'Returns an exam by the id of any version, with its versions and its draft, without questions.',
      params: ExamPath,
      reply: ExamRecord,
      handle: ({ params }, { db }) => getExamRecord(db, params.examId),
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'Creates the draft of an exam, or returns the existing one.',
      params: ExamPath,
      reply: DraftView,
      handle: ({ params }, context) => beginDraft(context.db, { ...params, ...actionBy(context) }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'Returns the draft of an exam.',
      params: ExamPath,
      reply: DraftView,
      handle: async ({ params }, { db }) => getDraft(db, (await getCurrentExam(db, params.examId)).familyId),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'Changes the settings in the draft. With an outdated version it replies 409 with the stored settings.',
      params: ExamPath,
      body: ChangeSettings,
      reply: DraftView,
      handle: ({ params, body }, context) => changeSettings(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/exams/:examId/draft',
      who: 'admin',
      about: 'Discards the draft, if its version is still the given one.',
      params: ExamPath,
      body: ExpectedVersion,
      reply: Done,
      async handle({ params, body }, context) {
        await discardDraft(context.db, { ...params, ...body, ...actionBy(context) })
        return done
      },
    }),
  ]
}

function publishingEndpoints() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft/changes',
      who: 'admin',
      about: 'Lists the changes that publishing the draft would make.',
      params: ExamPath,
      reply: DraftChanges,
      handle: async ({ params }, { db }) => getChanges(db, await getCurrentExam(db, params.examId)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/publish',
      who: 'admin',
      about: 'Publishes the draft as the version for new attempts, if its version is still the given one.',
      params: ExamPath,
      body: ExpectedVersion,
      reply: Published,
      handle: ({ params, body }, context) => publishDraft(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
  ]
}

function questionEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/questions',
      who: 'admin',
      about: 'Adds a question to the draft under the given key. Idempotent by the key.',
      params: ExamPath,
      body: AddQuestion,
      upgradeBody: upgradeQuestionEdit,
      bodyLimitBytes: QUESTION_LIMIT_BYTES,
      reply: SavedQuestion,
      handle: ({ params, body }, context) =>
        addQuestion(context.db, { ...params, edit: body.question, id: body.id, ...actionBy(context) }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/draft/questions/:questionId',
      who: 'admin',
      about: 'Returns a question of the draft, with its answer key.',
      params: QuestionPath,
      reply: DraftQuestionView,
      async handle({ params }, { db }) {
        const { familyId } = await getCurrentExam(db, params.examId)
        const question = await findDraftQuestion(db, { familyId, questionId: params.questionId })
        if (question === null) throw fail('draft.question-gone')
        return question
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/exams/:examId/draft/questions/:questionId',
      who: 'admin',
      about: 'Changes a question in the draft. With an outdated version it replies 409 with the stored question.',
      params: QuestionPath,
      body: ChangeQuestion,
      upgradeBody: upgradeQuestionEdit,
      bodyLimitBytes: QUESTION_LIMIT_BYTES,
      reply: SavedQuestion,
      handle: ({ params, body }, context) =>
        changeQuestion(context.db, { ...params, edit: body.question, version: body.version, ...actionBy(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/exams/:examId/draft/questions/:questionId',
      who: 'admin',
      about: 'Deletes a question from the draft. With an outdated version it replies 409 with the stored question.',
      params: QuestionPath,
      body: ExpectedVersion,
      reply: Done,
      async handle({ params, body }, context) {
        await deleteQuestion(context.db, { ...params, ...body, ...actionBy(context) })
        return done
      },
    }),
  ]
}

/** One question of the draft, or none for a new one, with its neighbors. */
export const questionLoader = pageLoader(async ({ context, params, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const path = ExamPath.safeParse(params)
  if (!path.success) throw failCatalogue('exam.not-found')
  const { db } = context
  const exam = await getCurrentExam(db, path.data.examId)
  const { questionId } = params
  // Throws without a draft.
  await getDraft(db, exam.familyId)
  const [questions, caseStudies, { blueprint }] = await Promise.all([
    listDraftQuestions(db, exam.familyId),
    listDraftCaseStudies(db, exam.familyId),
    getCourseFacts(db, exam.courseId),
  ])
  const ids = questions.map(({ id }) => id)
  const place = questionId === undefined ? ids.length : ids.indexOf(questionId)
  const stored = questionId === undefined ? null : await findDraftQuestion(db, { familyId: exam.familyId, questionId })
  if (questionId !== undefined && stored === null) throw fail('draft.question-gone')
  const used = questions.map(({ domain }) => domain).toSorted()
  const asked = url.searchParams.get('caseStudy')
  return {
    examId: exam.familyId,
    examTitle: exam.settings.title,
    courseTitle: exam.courseTitle,
    adminId,
    // The domains of the real exam come first.
    domains: [...new Set([...(blueprint?.domains.map(({ name }) => name) ?? []), ...used])],
    caseStudies,
    /** The case study that a new question begins with. */
    caseStudy: stored === null && caseStudies.some(({ id }) => id === asked) ? asked : null,
    number: stored === null ? null : place + 1,
    total: ids.length,
    stored,
    neighbours: { previous: ids[place - 1] ?? null, next: ids[place + 1] ?? null },
  }
})

/** The exams of a course, for finding and replacing words. */
export const replaceLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const path = CoursePath.safeParse(params)
  if (!path.success) throw failCatalogue('course.not-found')
  const { id, title } = await getCourseFacts(context.db, path.data.courseId)
  return { course: { id, title }, exams: await listExamNames(context.db, id), examId: url.searchParams.get('exam') }
})
