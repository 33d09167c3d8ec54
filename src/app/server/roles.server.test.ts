import { selecting } from '../../../tests/support/answers.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp, type Visitor } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent, giveAccess } from '../../../tests/support/users.ts'
import { addDays, dayIn } from '../../lib/calendar-day.ts'
import { findDraftQuestion } from '../../features/authoring/drafts/drafts-queries.server.ts'
import { beginDraft } from '../../features/authoring/drafts/drafts-commands.server.ts'
import { createAccount } from '../../features/accounts/accounts-commands.server.ts'
import { addCoupon } from '../../features/pricing/coupons-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
const course = await aCourse(db)
const paid = await anExam(db, course.id, { isFreeTrial: false })
const free = await anExam(db, course.id, { isFreeTrial: true })

const owner = await aStudent(app)
const student = await aStudent(app)
const other = await aStudent(app)
const admin = await anAdmin(app)
/** A user for the admin calls of the table. */
const bystander = await aStudent(app)
const unverified = await createAccount(db, { name: 'New', email: 'new@example.com', passwordHash: 'x' })
await giveAccess(app, owner, course.id)
await giveAccess(app, other, course.id)

/** Data of the owner that other users must not reach: an open timed attempt, a finished one, a pending order. */
const start = (visitor: Visitor, mode: string) => visitor.post('/api/attempts', { examSlug: paid.slug, mode })
const open = ((await start(owner.browser, 'timed')).body as { id: string }).id
const finished = ((await start(owner.browser, 'practice')).body as { id: string }).id
await owner.browser.post(`/api/attempts/${finished}/finish`, {})
const cart = { cartItems: [{ id: course.id, quantity: 1 }] }
await owner.browser.post('/api/functions/create-cart-payment', cart)
const order = await db.selectFrom('orders').select(['id', 'gateway_session_id']).executeTakeFirstOrThrow()
const coupon = await addCoupon(db, {
  code: 'SPRING',
  percent: 10,
  amount: null,
  firstDay: null,
  lastDay: null,
  useLimit: null,
  courseIds: null,
  actorId: admin.id,
  now: app.clock.now(),
})
const question = paid.questions[0]!
const by = { actorId: admin.id, now: app.clock.now() }
await beginDraft(db, { examId: paid.id, ...by })
const drafted = await findDraftQuestion(db, { familyId: paid.id, questionId: question.id })
const edit = {
  stem: 'Which one?',
  options: question.options.map(({ id, text, isRight }) => ({ id, text, isRight })),
  explanation: 'Because.',
}
const answer = { answer: selecting(question.options[0]!.id), isFlagged: false, seq: 1, writer: 'w' }

await owner.browser.put(`/api/attempts/${finished}/reports/${paid.questions[1]!.id}`, { reason: 'unclear' })
const { id: report } = await db.selectFrom('question_reports').select('id').executeTakeFirstOrThrow()

const drillOfOwner = await owner.browser.post('/api/drills', { courseSlug: course.slug, filters: {} })
const drill = (drillOfOwner.body as { id: string }).id
const diagnosticOfOwner = await owner.browser.post('/api/diagnostics', { courseSlug: course.slug })
const diagnostic = (diagnosticOfOwner.body as { id: string }).id

const pack = (await owner.browser.get(`/api/offline-exams/${paid.slug}`)).body as { seed: number; signature: string }

const roles = ['guest', 'student', 'owner', 'admin', 'other'] as const
type Role = (typeof roles)[number]
const visitors: Record<Role, Visitor> = {
  guest: app.visitor(),
  student: student.browser,
  owner: owner.browser,
  admin: admin.browser,
  other: other.browser,
}

type Expected = readonly [guest: number, student: number, owner: number, admin: number, other: number]
const everyone = (status: number): Expected => [status, status, status, status, status]
const adminOnly: Expected = [401, 403, 403, 200, 403]
const adminFindsNothing: Expected = [401, 403, 403, 404, 403]
const NOBODY = '00000000-0000-4000-8000-000000000000'
/** Without a cookie the reply is 401, not 404: the session may have expired during an exam. */
const ownersAlone = (status: number): Expected => [401, 404, status, 404, 404]

/** Every API call with its request and the status for each role. */
const table: Record<
  string,
  {
    path?: string
    body?: unknown
    expected: Expected
    /** Why an admin's successful write adds no audit entry: with this request it changes nothing. */
    leavesNoLine?: string
  }
> = {
  'GET /api/auth/session': { expected: everyone(200) },
  // Public: the empty form is invalid for every role.
  'POST /api/auth/sign-up': { body: {}, expected: everyone(400) },
  'POST /api/auth/sign-in': { body: {}, expected: everyone(400) },
  'POST /api/auth/verify-email': { body: {}, expected: everyone(400) },
  'POST /api/auth/verify-email/new-password': { body: {}, expected: everyone(400) },
  'POST /api/auth/confirmation': { body: {}, expected: [401, 400, 400, 400, 400] },
  'GET /api/auth/confirmation': { expected: [401, 200, 200, 200, 200] },
  'POST /api/auth/confirmation/options': { expected: [401, 200, 200, 200, 200] },
  'GET /api/auth/second-factor': { expected: [401, 200, 200, 200, 200] },
  // Nobody has an authenticator app or a passkey, so allowed roles are refused for that reason.
  'POST /api/auth/authenticator/enable': { body: { code: '123456' }, expected: [401, 409, 409, 409, 409] },
  'POST /api/auth/authenticator': { expected: [401, 200, 200, 200, 200] },
  'POST /api/auth/recovery-codes': { expected: [401, 409, 409, 409, 409] },
  'DELETE /api/auth/authenticator': { expected: [401, 200, 200, 200, 200] },
  'POST /api/auth/passkeys/options': { expected: [401, 200, 200, 200, 200] },
  'POST /api/auth/passkeys': { body: {}, expected: [401, 400, 400, 400, 400] },
  'PATCH /api/auth/passkeys/:passkeyId': {
    path: '/api/auth/passkeys/none',
    body: { name: 'Mine' },
    expected: [401, 404, 404, 404, 404],
  },
  'DELETE /api/auth/passkeys/:passkeyId': { path: '/api/auth/passkeys/none', expected: [401, 404, 404, 404, 404] },
  'POST /api/auth/passkey-sign-in/options': { expected: everyone(200) },
  'POST /api/auth/passkey-sign-in': { body: {}, expected: everyone(400) },
  // No browser is between password and second step.
  'POST /api/auth/second-step': { body: { code: '123456' }, expected: everyone(401) },
  'POST /api/auth/second-step/options': { expected: everyone(401) },
  'DELETE /api/auth/second-step': { expected: everyone(200) },
  'POST /api/auth/send-verification': { body: {}, expected: everyone(400) },
  'POST /api/auth/forgot-password': { body: {}, expected: everyone(400) },
  'POST /api/auth/reset-password': { body: {}, expected: everyone(400) },
  'GET /api/courses': { expected: everyone(200) },
  'GET /api/courses/:courseId': { path: `/api/courses/${course.id}`, expected: everyone(200) },
  // Anyone may answer the question that the course page shows; this one is not it.
  'POST /api/samples/:examSlug/check': {
    path: `/api/samples/${free.slug}/check`,
    body: { questionId: 'none', answer: answer.answer },
    expected: everyone(404),
  },
  'GET /api/admin/courses': { expected: adminOnly },
  'GET /api/admin/courses/:courseId': { path: `/api/admin/courses/${course.id}`, expected: adminOnly },
  'GET /api/admin/course-choices': { expected: adminOnly },
  'GET /api/admin/courses/:courseId/exam-choices': {
    path: `/api/admin/courses/${course.id}/exam-choices`,
    expected: adminOnly,
  },
  'GET /api/admin/courses/:courseId/dependents': {
    path: `/api/admin/courses/${course.id}/dependents`,
    expected: adminOnly,
  },
  'POST /api/admin/courses/:courseId/duplicate': {
    path: `/api/admin/courses/${course.id}/duplicate`,
    body: { id: randomUUID() },
    expected: adminOnly,
  },
  'PUT /api/admin/courses/:courseId/exam-order': {
    path: `/api/admin/courses/${course.id}/exam-order`,
    body: { examIds: [free.id, paid.id] },
    expected: adminOnly,
  },
  // Names an outdated version.
  'POST /api/admin/courses/:courseId/publish': {
    path: `/api/admin/courses/${course.id}/publish`,
    body: { rowVersion: 999, drafts: [] },
    expected: [401, 403, 403, 409, 403],
  },
  'PATCH /api/courses/:courseId': { path: `/api/courses/${course.id}`, body: { price: '19.99' }, expected: adminOnly },
  'POST /api/courses': { body: { title: 'A course of the table', price: 5 }, expected: adminOnly },
  'DELETE /api/courses/:courseId': {
    path: '/api/courses/00000000-0000-4000-8000-000000000000',
    leavesNoLine: 'there is no such course',
    expected: adminOnly,
  },
  'GET /api/test_questions': { path: `/api/test_questions?course_id=${course.id}`, expected: everyone(200) },
  'POST /api/test_questions': {
    body: { course_id: course.id, test_name: 'An exam of the table' },
    expected: adminOnly,
  },
  'DELETE /api/test_questions/:examId': {
    path: '/api/test_questions/00000000-0000-4000-8000-000000000000',
    leavesNoLine: 'there is no such exam',
    expected: adminOnly,
  },
  'DELETE /api/test_questions': {
    path: '/api/test_questions?course_id=00000000-0000-4000-8000-000000000000',
    leavesNoLine: 'there are no such exams',
    expected: adminOnly,
  },
  'POST /api/bug-reports': { body: {}, expected: everyone(400) },
  'POST /api/feedback': { body: {}, expected: everyone(400) },
  'POST /api/feedback/:feedbackId/settle': {
    path: '/api/feedback/00000000-0000-4000-8000-000000000000/settle',
    expected: [401, 403, 403, 404, 403],
  },
  // The job does not exist, so allowed roles get a 404.
  'POST /api/failed-jobs/:jobId/retry': {
    path: '/api/failed-jobs/00000000-0000-4000-8000-000000000000/retry',
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/failed-jobs/:jobId/dismiss': {
    path: '/api/failed-jobs/00000000-0000-4000-8000-000000000000/dismiss',
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/rpc/cleanup_orphaned_test_questions': { leavesNoLine: 'there is none', expected: adminOnly },
  'PATCH /api/test_questions/:examId': {
    path: `/api/test_questions/${free.id}`,
    body: { is_free_trial: true },
    expected: adminOnly,
  },
  'PUT /api/profiles/:userId/extra-time': {
    path: `/api/profiles/${other.id}/extra-time`,
    body: { extraTime: 'x1.5' },
    expected: adminOnly,
  },
  'PUT /api/profiles/:userId/role': {
    path: `/api/profiles/${other.id}/role`,
    body: { role: 'student' },
    leavesNoLine: 'it is their role already',
    expected: adminOnly,
  },
  'PUT /api/profiles/:userId/lock': {
    path: `/api/profiles/${bystander.id}/lock`,
    body: { reason: 'A reason.' },
    expected: adminOnly,
  },
  'DELETE /api/profiles/:userId/lock': { path: `/api/profiles/${bystander.id}/lock`, expected: adminOnly },
  'POST /api/profiles/:userId/verify': { path: `/api/profiles/${unverified}/verify`, expected: adminOnly },
  'POST /api/profiles/:userId/send-reset': { path: `/api/profiles/${bystander.id}/send-reset`, expected: adminOnly },
  'DELETE /api/profiles/:userId/sessions': { path: `/api/profiles/${bystander.id}/sessions`, expected: adminOnly },
  'GET /api/profiles/:userId/data': { path: `/api/profiles/${bystander.id}/data`, expected: adminOnly },
  'POST /api/profiles/:userId/access': {
    path: `/api/profiles/${bystander.id}/access`,
    body: { courseId: course.id, days: 7, reason: 'A reason.', key: randomUUID() },
    expected: adminOnly,
  },
  'POST /api/profiles/:userId/access/:courseId/end': {
    path: `/api/profiles/${bystander.id}/access/${course.id}/end`,
    body: { reason: 'A reason.' },
    expected: adminOnly,
  },
  // The access period does not exist, so allowed roles are refused for that reason.
  'POST /api/access-periods/:periodId/give-back': {
    path: '/api/access-periods/00000000-0000-4000-8000-000000000000/give-back',
    body: { reason: 'A reason.' },
    expected: [401, 403, 403, 409, 403],
  },
  'POST /api/profiles/:userId/deletion': {
    path: `/api/profiles/${bystander.id}/deletion`,
    body: { email: bystander.email, reason: 'A reason.' },
    expected: adminOnly,
  },
  'GET /api/exams/:examId': { path: `/api/exams/${paid.id}`, expected: adminOnly },
  'POST /api/exams/:examId/draft': {
    path: `/api/exams/${paid.id}/draft`,
    leavesNoLine: 'it is begun already',
    expected: adminOnly,
  },
  'GET /api/exams/:examId/draft': { path: `/api/exams/${paid.id}/draft`, expected: adminOnly },
  'GET /api/exams/:examId/draft/changes': { path: `/api/exams/${paid.id}/draft/changes`, expected: adminOnly },
  'GET /api/exams/:examId/draft/questions/:questionId': {
    path: `/api/exams/${paid.id}/draft/questions/${question.id}`,
    expected: adminOnly,
  },
  'PUT /api/exams/:examId/draft/questions/:questionId': {
    path: `/api/exams/${paid.id}/draft/questions/${question.id}`,
    body: { question: edit, version: drafted!.version },
    expected: adminOnly,
  },
  'GET /api/exams/:examId/draft/case-studies': {
    path: `/api/exams/${paid.id}/draft/case-studies`,
    expected: adminOnly,
  },
  'POST /api/exams/:examId/draft/case-studies': {
    path: `/api/exams/${paid.id}/draft/case-studies`,
    body: { caseStudy: { title: 'A case', tabs: [{ title: 'Situation', body: 'A text.' }] } },
    expected: adminOnly,
  },
  // The draft has no such case study.
  'GET /api/exams/:examId/draft/case-studies/:caseStudyId': {
    path: `/api/exams/${paid.id}/draft/case-studies/none`,
    expected: [401, 403, 403, 404, 403],
  },
  'PUT /api/exams/:examId/draft/case-studies/:caseStudyId': {
    path: `/api/exams/${paid.id}/draft/case-studies/none`,
    body: { caseStudy: { title: 'A case', tabs: [] }, version: 0 },
    expected: [401, 403, 403, 404, 403],
  },
  'DELETE /api/exams/:examId/draft/case-studies/:caseStudyId': {
    path: `/api/exams/${paid.id}/draft/case-studies/none`,
    body: { version: 0 },
    expected: [401, 403, 403, 404, 403],
  },
  'PUT /api/exams/:examId/draft/order': {
    path: `/api/exams/${paid.id}/draft/order`,
    body: { questionIds: [question.id], before: null },
    expected: adminOnly,
  },
  'POST /api/exams/:examId/draft/send': {
    path: `/api/exams/${paid.id}/draft/send`,
    body: { questionIds: [paid.questions[3]!.id], toExamId: free.id, as: 'copy' },
    expected: adminOnly,
  },
  'GET /api/exams/:examId/destinations': { path: `/api/exams/${paid.id}/destinations`, expected: adminOnly },
  'POST /api/exams/:examId/draft/mark': {
    path: `/api/exams/${paid.id}/draft/mark`,
    body: { questionIds: [paid.questions[3]!.id], needsReview: true },
    expected: adminOnly,
  },
  'POST /api/exams/:examId/draft/remove': {
    path: `/api/exams/${paid.id}/draft/remove`,
    body: { questionIds: [paid.questions[3]!.id] },
    expected: adminOnly,
  },
  'POST /api/exams/:examId/draft/restore': {
    path: `/api/exams/${paid.id}/draft/restore`,
    body: { questions: [{ question: paid.questions[3], place: 4 }] },
    expected: adminOnly,
  },
  'POST /api/replacements/preview': {
    body: { courseId: course.id, find: 'number' },
    expected: adminOnly,
    leavesNoLine: 'it looks at questions, which are the shop’s',
  },
  'POST /api/replacements': {
    body: { find: 'number', replaceWith: 'no.', targets: [{ examId: paid.id, questionId: paid.questions[2]!.id }] },
    expected: adminOnly,
  },
  'POST /api/replacements/undo': {
    body: { changed: [{ examId: paid.id, version: 1, question: paid.questions[2] }] },
    expected: adminOnly,
    leavesNoLine: 'of a version that is not the stored one: nothing is given back',
  },
  'POST /api/exams/:examId/draft/questions': {
    path: `/api/exams/${paid.id}/draft/questions`,
    body: { question: { ...edit, options: edit.options.map((option) => ({ ...option, id: null })) } },
    expected: adminOnly,
  },
  // Names outdated versions, so allowed roles are refused for that reason.
  'PATCH /api/exams/:examId/draft': {
    path: `/api/exams/${paid.id}/draft`,
    body: {
      settings: {
        title: 'An exam',
        timeLimitMinutes: 30,
        passingScore: 70,
        scoringPolicy: 'partial',
        isFreeTrial: false,
      },
      version: 0,
    },
    expected: [401, 403, 403, 409, 403],
  },
  'DELETE /api/exams/:examId/draft/questions/:questionId': {
    path: `/api/exams/${paid.id}/draft/questions/${question.id}`,
    body: { version: 0 },
    expected: [401, 403, 403, 409, 403],
  },
  'POST /api/exams/:examId/draft/publish': {
    path: `/api/exams/${paid.id}/draft/publish`,
    body: { version: 0 },
    expected: [401, 403, 403, 409, 403],
  },
  'DELETE /api/exams/:examId/draft': {
    path: `/api/exams/${paid.id}/draft`,
    body: { version: 0 },
    expected: [401, 403, 403, 409, 403],
  },
  // The body is not an image, so allowed roles are refused for that reason.
  'POST /api/images': { body: {}, expected: [401, 403, 403, 400, 403] },
  'GET /pictures/:file': { path: `/pictures/${'0'.repeat(64)}.webp`, expected: everyone(404) },
  'POST /api/exams/:examId/questions/:questionId/key-preview': {
    path: `/api/exams/${paid.id}/questions/${question.id}/key-preview`,
    body: { rightOptionIds: [question.options[1]!.id] },
    expected: adminOnly,
  },
  'POST /api/exams/:examId/questions/:questionId/key': {
    path: `/api/exams/${paid.id}/questions/${question.id}/key`,
    body: {
      id: randomUUID(),
      rightOptionIds: [question.options[1]!.id],
      wasRightOptionIds: [question.options[0]!.id],
      reason: 'it was wrong.',
    },
    expected: adminOnly,
  },
  'GET /api/exams/:examId/statistics.csv': { path: `/api/exams/${paid.id}/statistics.csv`, expected: adminOnly },
  // The file is empty and the import does not exist, so allowed roles are refused for that reason.
  'POST /api/imports': { path: '/api/imports?name=empty.md', expected: [401, 403, 403, 400, 403] },
  'GET /api/imports/:importId': { path: `/api/imports/${NOBODY}`, expected: adminFindsNothing },
  'POST /api/imports/:importId/read': { path: `/api/imports/${NOBODY}/read`, body: {}, expected: adminFindsNothing },
  'POST /api/imports/:importId/cancel': { path: `/api/imports/${NOBODY}/cancel`, expected: adminFindsNothing },
  'POST /api/imports/:importId/store': {
    path: `/api/imports/${NOBODY}/store`,
    body: { target: { kind: 'own-places' } },
    expected: adminFindsNothing,
  },
  'POST /api/imports/:importId/dismiss': {
    path: `/api/imports/${NOBODY}/dismiss`,
    body: {},
    expected: adminFindsNothing,
  },
  'POST /api/imports/:importId/questions/:place/correct': {
    path: `/api/imports/${NOBODY}/questions/0/mend`,
    body: { question: edit },
    expected: adminFindsNothing,
  },
  'DELETE /api/imports/:importId': {
    path: `/api/imports/${NOBODY}`,
    expected: adminOnly,
    leavesNoLine: 'there is no such import: twice is once',
  },
  'GET /api/exports': { path: `/api/exports?format=json&exam=${paid.id}`, expected: adminOnly },
  'GET /api/exports/losses': { path: `/api/exports/losses?format=json&exam=${paid.id}`, expected: adminOnly },
  'POST /api/question-checks': { expected: adminOnly },
  'POST /api/courses/:courseId/guide': {
    path: '/api/courses/6a1c7f8e-4d2b-4a58-9d3f-0c1d2e3f4a5b/guide',
    body: {
      guide: 'X-2',
      former: 'X-1',
      domains: [{ name: 'Odd', weight: 100 }],
      mapping: {},
      version: 1,
      isPreview: true,
    },
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/question-verifications': {
    body: { questions: [{ examId: paid.id, questionId: paid.questions[0]!.id }] },
    expected: adminOnly,
  },
  'POST /api/question-verifications/:markingId/undo': {
    path: '/api/question-verifications/00000000-0000-4000-8000-000000000000/undo',
    body: { count: 1 },
    expected: adminOnly,
    leavesNoLine: 'there is no such marking: nothing is given back',
  },
  'GET /api/question-checks/course-choices': { expected: adminOnly },
  'POST /api/question-checks/findings/:findingId/set-aside': {
    path: '/api/question-checks/findings/2000000000/set-aside',
    body: { note: 'It is right.' },
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/question-checks/findings/:findingId/take-back': {
    path: '/api/question-checks/findings/2000000000/take-back',
    expected: [401, 403, 403, 404, 403],
  },
  'GET /api/analytics/days.csv': { expected: adminOnly },
  'GET /api/analytics/courses.csv': { expected: adminOnly },
  'POST /api/attempts': { body: { examSlug: paid.slug, mode: 'timed' }, expected: [401, 403, 200, 200, 200] },
  'GET /api/attempts/:attemptId': { path: `/api/attempts/${open}`, expected: ownersAlone(200) },
  'GET /api/attempts/:attemptId/clock': { path: `/api/attempts/${open}/clock`, expected: ownersAlone(200) },
  'POST /api/attempts/:attemptId/writer': {
    path: `/api/attempts/${open}/writer`,
    body: { writer: 'w' },
    expected: ownersAlone(200),
  },
  'PUT /api/attempts/:attemptId/answers/:questionId': {
    path: `/api/attempts/${open}/answers/${question.id}`,
    body: answer,
    expected: ownersAlone(200),
  },
  'POST /api/attempts/:attemptId/answers/:questionId/check': {
    path: `/api/attempts/${open}/answers/${question.id}/check`,
    expected: ownersAlone(403),
  },
  'GET /api/attempts/:attemptId/review': {
    path: `/api/attempts/${finished}/review`,
    expected: [401, 404, 200, 200, 404],
  },
  'POST /api/attempts/:attemptId/finish': {
    path: `/api/attempts/${open}/finish`,
    body: { writer: 'w' },
    expected: ownersAlone(200),
  },
  'PUT /api/attempts/:attemptId/reports/:questionId': {
    path: `/api/attempts/${finished}/reports/${question.id}`,
    body: { reason: 'unclear' },
    expected: [401, 404, 200, 404, 404],
  },
  'POST /api/reports/:reportId/settle': {
    path: `/api/reports/${report}/settle`,
    body: { outcome: 'unchanged', note: 'It is right.' },
    expected: adminOnly,
  },
  // Two with access missed nothing.
  'GET /api/cards': { path: `/api/cards?course=${course.slug}`, expected: [401, 403, 200, 409, 409] },
  'POST /api/drills': { body: { courseSlug: course.slug, filters: {} }, expected: [401, 403, 200, 200, 200] },
  'POST /api/mock-exams': {
    body: { courseSlug: course.slug, kind: 'mock' },
    expected: [401, 403, 200, 200, 200],
  },
  // Without access it is the short one.
  'POST /api/diagnostics': { body: { courseSlug: course.slug }, expected: everyone(200) },
  'POST /api/diagnostics/:diagnosticId/questions/:place/answer': {
    path: `/api/diagnostics/${diagnostic}/questions/0/answer`,
    body: { answer: selecting('no-such-answer') },
    expected: [404, 404, 400, 404, 404],
  },
  'POST /api/diagnostics/:diagnosticId/end': {
    path: `/api/diagnostics/${diagnostic}/end`,
    expected: [404, 404, 200, 404, 404],
  },
  'GET /api/drills/:drillId': { path: `/api/drills/${drill}`, expected: ownersAlone(200) },
  'POST /api/drills/:drillId/questions/:place/check': {
    path: `/api/drills/${drill}/questions/0/check`,
    body: { answer: selecting('no-such-answer') },
    expected: ownersAlone(400),
  },
  'PUT /api/drills/:drillId/questions/:place/flag': {
    path: `/api/drills/${drill}/questions/0/flag`,
    body: { isFlagged: true },
    expected: ownersAlone(200),
  },
  'POST /api/drills/:drillId/finish': { path: `/api/drills/${drill}/finish`, expected: ownersAlone(200) },
  // A student without access has no plan; the others set one.
  'PUT /api/plans/:courseSlug': {
    path: `/api/plans/${course.slug}`,
    body: { examDate: addDays(dayIn(app.clock.now(), 'UTC'), 20), timeZone: 'UTC', minutesADay: 30 },
    expected: [401, 403, 200, 200, 200],
  },
  'GET /api/plans/:courseSlug': { path: `/api/plans/${course.slug}`, expected: [401, 404, 200, 200, 200] },
  'PUT /api/reminders': { body: { hour: 7 }, expected: [401, 200, 200, 200, 200] },
  'GET /api/reminders': { expected: [401, 200, 200, 200, 200] },
  'DELETE /api/reminders': { expected: [401, 200, 200, 200, 200] },
  'POST /api/reminders/stop': { body: { token: 'unknown' }, expected: everyone(404) },
  'GET /api/push': { expected: [401, 200, 200, 200, 200] },
  'PUT /api/push/devices': {
    body: {
      endpoint: 'https://push.example.com/roles',
      // The browser's keys in RFC 8291's example.
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    expected: [401, 200, 200, 200, 200],
  },
  'POST /api/push/devices/end': {
    body: { endpoint: 'https://push.example.com/roles' },
    expected: [401, 200, 200, 200, 200],
  },
  // Each role that set a plan has a calendar of its own; the address of nobody is not found.
  'GET /api/plans/:courseSlug/calendar': {
    path: `/api/plans/${course.slug}/calendar`,
    expected: [401, 404, 200, 200, 200],
  },
  'POST /api/plans/:courseSlug/calendar': {
    path: `/api/plans/${course.slug}/calendar`,
    expected: [401, 404, 200, 200, 200],
  },
  'DELETE /api/plans/:courseSlug/calendar': {
    path: `/api/plans/${course.slug}/calendar`,
    expected: [401, 200, 200, 200, 200],
  },
  'GET /calendar/:file': { path: `/calendar/${'0'.repeat(32)}.ics`, expected: everyone(404) },
  'DELETE /api/plans/:courseSlug': { path: `/api/plans/${course.slug}`, expected: [401, 200, 200, 200, 200] },
  // The plan, and with it the exam date, was removed above.
  'POST /api/results/:courseSlug': {
    path: `/api/results/${course.slug}`,
    body: { isPassed: true },
    expected: [401, 409, 409, 409, 409],
  },
  'PUT /api/results/:courseSlug/:examDate': {
    path: `/api/results/${course.slug}/2026-01-02`,
    body: { isPassed: true },
    expected: [401, 404, 404, 404, 404],
  },
  'DELETE /api/results/:courseSlug/:examDate': {
    path: `/api/results/${course.slug}/2026-01-02`,
    expected: [401, 200, 200, 200, 200],
  },
  'POST /api/results/:courseSlug/:examDate/later': {
    path: `/api/results/${course.slug}/2026-01-02/later`,
    expected: [401, 200, 200, 200, 200],
  },
  'PUT /api/result-publication': { body: { isPublic: false }, expected: adminOnly },
  'POST /api/pledges/:pledgeId/accept': {
    path: `/api/pledges/${randomUUID()}/accept`,
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/pledges/:pledgeId/ask': {
    path: `/api/pledges/${randomUUID()}/ask`,
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/pledges/:pledgeId/decline': {
    path: `/api/pledges/${randomUUID()}/decline`,
    body: { reason: 'The report says passed.' },
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/functions/create-cart-payment': { body: cart, expected: [401, 200, 200, 200, 200] },
  'POST /api/functions/quote-cart': { body: cart, expected: everyone(200) },
  'POST /api/prices/preview': {
    body: { which: { kind: 'some', ids: [course.id] }, change: { kind: 'set', price: '1' }, when: { kind: 'now' } },
    leavesNoLine: 'it changes nothing',
    expected: adminOnly,
  },
  // The preview and the scheduled price do not exist.
  'POST /api/prices': {
    body: {
      which: { kind: 'some', ids: [course.id] },
      change: { kind: 'set', price: '1' },
      when: { kind: 'now' },
      mark: 'none',
    },
    expected: [401, 403, 403, 409, 403],
  },
  'DELETE /api/scheduled-prices/:scheduledPriceId': {
    path: '/api/scheduled-prices/00000000-0000-4000-8000-000000000000',
    expected: [401, 403, 403, 404, 403],
  },
  'POST /api/coupons': { body: {}, expected: [401, 403, 403, 400, 403] },
  'PATCH /api/coupons/:couponId': { path: `/api/coupons/${coupon}`, body: { isActive: false }, expected: adminOnly },
  'POST /api/functions/verify-payment': {
    body: { sessionId: order.gateway_session_id },
    expected: [401, 404, 200, 404, 404],
  },
  'POST /api/functions/repair-my-orders': { body: {}, expected: [401, 200, 200, 200, 200] },
  'POST /api/webhooks/stripe': { body: { type: 'checkout.session.completed' }, expected: everyone(400) },
  'GET /api/orders/:orderId': { path: `/api/orders/${order.id}`, expected: [401, 404, 200, 200, 404] },
  // The owner's order is unpaid: there is nothing to refund, end or resend.
  'POST /api/orders/:orderId/refund': {
    path: `/api/orders/${order.id}/refund`,
    body: { amount: null, endAccess: false, key: order.id },
    expected: [401, 403, 403, 409, 403],
  },
  'POST /api/orders/:orderId/end-access': {
    path: `/api/orders/${order.id}/end-access`,
    body: {},
    expected: [401, 403, 403, 409, 403],
  },
  'POST /api/orders/:orderId/resend-receipt': {
    path: `/api/orders/${order.id}/resend-receipt`,
    body: {},
    expected: [401, 403, 403, 409, 403],
  },
  'POST /api/orders/:orderId/check': { path: `/api/orders/${order.id}/check`, body: {}, expected: adminOnly },
  'POST /api/orders/:orderId/payment-issue-settled': {
    path: `/api/orders/${order.id}/payment-issue-settled`,
    body: {},
    leavesNoLine: 'it has no trouble',
    expected: adminOnly,
  },
  // Unlike the receipt, these are for the buyer only.
  'POST /api/orders/:orderId/pay': {
    path: `/api/orders/${order.id}/pay`,
    body: {},
    expected: [401, 404, 200, 404, 404],
  },
  'POST /api/orders/:orderId/drop': {
    path: `/api/orders/${order.id}/drop`,
    body: {},
    expected: [401, 404, 200, 404, 404],
  },
  'POST /api/seats/redeem': { body: { code: 'ABCD-EFGH-2345' }, expected: [401, 404, 404, 404, 404] },
  // For owners of the course and admins only: the download contains the answer keys.
  'GET /api/offline-exams/:examSlug': { path: `/api/offline-exams/${paid.slug}`, expected: [401, 403, 200, 200, 200] },
  'POST /api/offline-attempts': {
    body: {
      id: '00000000-0000-4000-8000-000000000001',
      examId: paid.id,
      seed: pack.seed,
      signature: pack.signature,
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:00Z',
      answers: {},
    },
    // The first call creates it; the same id from another user is a 404.
    expected: [401, 403, 200, 404, 404],
  },
  'GET /api/profiles/me/data': { expected: [401, 200, 200, 200, 200] },
  'POST /api/profiles/me/deletion-email': { expected: [401, 200, 200, 200, 200] },
  // With a wrong password: a correct one would delete the users of this table.
  'POST /api/profiles/me/deletion': { body: { password: 'wrong' }, expected: [401, 400, 400, 400, 400] },
  'PUT /api/profiles/me/name': { body: { name: 'Test Person' }, expected: [401, 200, 200, 200, 200] },
  // With a wrong password, and an unknown token.
  'POST /api/auth/password': {
    body: { currentPassword: 'Wrong-Horse-7!', password: 'New-Horse-88!' },
    expected: [401, 401, 401, 401, 401],
  },
  'POST /api/auth/address': {
    body: { email: 'elsewhere@example.com', password: 'Wrong-Horse-7!' },
    expected: [401, 401, 401, 401, 401],
  },
  'POST /api/auth/address/confirmation': { body: { token: 'unknown' }, expected: [401, 400, 400, 400, 400] },
  'GET /api/auth/sessions': { expected: [401, 200, 200, 200, 200] },
  // No session has this id.
  'DELETE /api/auth/sessions/:sessionId': {
    path: `/api/auth/sessions/${NOBODY}`,
    expected: [401, 404, 404, 404, 404],
  },
  'DELETE /api/auth/sessions': { expected: [401, 200, 200, 200, 200] },
  // Last, because it ends the session.
  'POST /api/auth/sign-out': { body: {}, expected: everyone(200) },
}

test.each(Object.entries(table))('%s: what each may do', async (name, { path, body, expected, leavesNoLine }) => {
  const [method = '', shape = ''] = name.split(' ')
  const got: Partial<Record<Role, number>> = {}
  let lines = 0
  for (const role of roles) {
    const before = await countLines()
    got[role] = (await visitors[role].call(method, path ?? shape, body)).status
    if (role === 'admin') lines = (await countLines()) - before
  }
  expect(got).toEqual(Object.fromEntries(roles.map((role, index) => [role, expected[index]])))
  // Every write that only admins may do adds an audit entry.
  const isAdmins = app.application.endpoints.some((one) => `${one.method} ${one.path}` === name && one.who === 'admin')
  const isWrite = isAdmins && method !== 'GET' && got.admin === 200
  expect(isWrite && lines === 0).toBe(leavesNoLine !== undefined)
})

async function countLines(): Promise<number> {
  const { count } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test('the table contains every call', () => {
  expect(app.application.endpoints.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    Object.keys(table).sort(),
  )
})

test('the audit log records that an admin viewed data of another user', async () => {
  const entries = await db.selectFrom('audit_log').where('actor_id', '=', admin.id).select('subject_table').execute()
  expect(new Set(entries.map(({ subject_table }) => subject_table))).toEqual(
    new Set([
      'courses',
      'test_questions',
      'attempts',
      'orders',
      'coupons',
      'profiles',
      'question_reports',
      'result_publication',
      'users',
      'bank_checks',
    ]),
  )
})
