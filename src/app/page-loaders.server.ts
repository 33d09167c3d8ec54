import { data, redirect, type LoaderFunctionArgs } from 'react-router'
import { countUsers, findIdentity } from '../features/accounts/accounts-queries.server.ts'
import { listSessions } from '../features/accounts/sessions/sessions-queries.server.ts'
import { getSecondFactor } from '../features/accounts/second-factor/second-factor-queries.server.ts'
import { accountForms } from '../features/accounts/settings/settings-forms-endpoints.server.ts'
import { getAccount } from '../features/accounts/settings/settings-queries.server.ts'
import { countRunningAccess, periodsOfUser, shownAccess } from '../features/access/access-queries.server.ts'
import { ownedCourses, returnedCourses } from '../features/access/access.ts'
import { getFigures, listNet } from '../features/analytics/analytics-queries.server.ts'
import { choosePeriod } from '../features/analytics/analytics.ts'
import { withAnswered } from '../features/attempts/review/attempt-history-queries.server.ts'
import { countAttemptsByVersion } from '../features/attempts/attempts-queries.server.ts'
import { errataFor } from '../features/attempts/reports/errata.ts'
import { courseErrata } from '../features/attempts/reports/errata-queries.server.ts'
import type { checkoutApi } from '../features/checkout/checkout-endpoints.server.ts'
import { listOrders } from '../features/checkout/orders-queries.server.ts'
import { isShownToBuyer } from '../features/checkout/orders.ts'
import { viewCaseStudies } from '../features/authoring/case-studies/draft-case-studies.ts'
import {
  getExamRecord,
  listDraftCaseStudies,
  listDraftQuestions,
  listExamRecords,
} from '../features/authoring/drafts/drafts-queries.server.ts'
import { listQuestions } from '../features/authoring/drafts/drafts.ts'
import { ExamPath, QuestionFilter } from '../features/authoring/drafts/drafts.schema.ts'
import {
  countCatalogue,
  courseDetail,
  getCourseFacts,
  getExamCaseStudies,
  getExamQuestions,
  listKnownCourses,
  listHomeCourses,
  readAheadExams,
} from '../features/catalogue/catalogue-queries.server.ts'
import { courseContents, findHomeSample } from '../features/catalogue/contents/course-contents-queries.server.ts'
import { lastReview } from '../features/authoring/freshness/last-review-queries.server.ts'
import { sheetSummaries } from '../features/catalogue/study-sheets/study-sheets-queries.server.ts'
import { readCourseSearch, readPage, writeCourseSearch } from '../features/catalogue/catalogue.ts'
import { CoursePath, fail as failCatalogue } from '../features/catalogue/catalogue.schema.ts'
import { isAskedAbout } from '../features/study/exam-results/exam-results.ts'
import { examShifts } from '../features/study/exam-results/exam-results-queries.server.ts'
import { planToday } from '../features/study/plan/plan-view-queries.server.ts'
import { estimateReadiness, listSummaries } from '../features/study/study-queries.server.ts'
import type { CourseId, ExamId } from '../lib/ids.ts'
import { setReminderByForm } from '../features/study/reminders/reminders-endpoints.server.ts'
import { findReminder } from '../features/study/reminders/reminders-queries.server.ts'
import { adminPaths } from '../lib/admin-paths.ts'
import { paths } from '../lib/paths.ts'
import { DAY_MS } from '../lib/time.ts'
import { callsOf, pageAction } from '../platform/http/page-action.server.ts'
import { countWork } from './admin/work-loaders.server.ts'
import { reportBackups } from './backups/backup-report.server.ts'
import { learningOfUser } from './learning-queries.server.ts'
import type { ApiCall } from './app.schema.ts'
import {
  pageLoader,
  replicaPageLoader,
  requireAdminForPage,
  requireUserForPage,
  consumeDenial,
} from '../platform/http/page-loader.server.ts'

/** The data of the frame around every page. */
export function rootLoader({ context }: LoaderFunctionArgs) {
  return {
    site: context.site,
    user: context.shownUser,
    wasDenied: consumeDenial(context.request),
    changesSeen: context.changesSeen,
    build: context.build,
  }
}

export function apiDocsLoader({ context }: LoaderFunctionArgs): { calls: readonly ApiCall[] } {
  return { calls: context.listCalls() }
}

/** Courses on sale, filtered and by page. */
export const homeLoader = pageLoader(async ({ context, url }) => {
  const search = readCourseSearch(url.searchParams)
  const page = readPage(url.searchParams)
  const list = await listHomeCourses(context, { ...search, page })
  // Beyond the last page, for example after a withdrawal of courses.
  if (page > list.pageCount) throw redirect(`${paths.home}${writeCourseSearch(search, list.pageCount)}`)
  const { user } = context
  const [sample, periods] = await Promise.all([
    findHomeSample(context),
    user === null ? [] : context.cachedQueries.get(periodsOfUser, context.db, user.id),
  ])
  const owned = ownedCourses(periods, context.clock.now()).filter(({ status }) => status === 'running')
  return { ...list, sample, ownedIds: owned.map(({ courseId }) => courseId) }
})

export const courseLoader = pageLoader(async ({ context, params }) => {
  const course = await context.cachedQueries.get(courseDetail, context.db, (params['courseSlug'] ?? '').toLowerCase())
  if (course === null) throw failCatalogue('course.not-found')
  const { user } = context
  const access = user === null ? null : await shownAccess(context, user.id, course.id)
  const isOpen = user?.role === 'admin' || access?.kind === 'running'
  if (isOpen) readAheadExams(context.db, course)
  const [contents, errata, sheets, review] = await Promise.all([
    context.cachedQueries.get(courseContents, context.db, course.id),
    context.cachedQueries.get(courseErrata, context.db, course.id),
    context.cachedQueries.get(sheetSummaries, context.db, course.id),
    context.cachedQueries.get(lastReview, context.db, course.id),
  ])
  return {
    course,
    contents,
    errata: errataFor(errata, isOpen),
    sheets,
    review,
    access: user?.role === 'admin' ? ('admin' as const) : (access?.kind ?? ('none' as const)),
    accessUntil: access?.kind === 'running' ? access.until.toISOString() : null,
  }
})

const runCheckout = callsOf<typeof checkoutApi>()

/** Buys the course of the page, for buyers without scripts and therefore without a cart. `price` is the one that they saw. */
export const courseAction = pageAction([], async ({ context, params, url, form }) => {
  const { user, db, cachedQueries } = context.request
  if (user === null) throw redirect(paths.loginTo(url.pathname + url.search), 303)
  const course = await cachedQueries.get(courseDetail, db, (params['courseSlug'] ?? '').toLowerCase())
  if (course === null) throw failCatalogue('course.not-found')
  const price = form['price'] === undefined ? undefined : Number(form['price'])
  const cartItems = [{ id: course.id, quantity: 1, price }]
  const { url: payAt } = await runCheckout(context, 'POST', '/api/functions/create-cart-payment', {
    body: { cartItems },
  })
  throw redirect(payAt, 303)
})

export const myCoursesLoader = pageLoader(async ({ context, url }) => {
  const user = requireUserForPage(context, url)
  const { db, cachedQueries } = context
  const now = context.clock.now()
  const [periods, learning] = await Promise.all([
    cachedQueries.get(periodsOfUser, db, user.id),
    cachedQueries.get(learningOfUser, db, user.id),
  ])
  const { history } = learning
  const orders = learning.orders.filter((order) => isShownToBuyer(order, now))
  const results = await withAnswered(db, learning.results)
  const owned = ownedCourses(periods, now)
  const returned = returnedCourses(periods)
  const ids = [...new Set([...owned, ...returned, ...results].map(({ courseId }) => courseId))]
  const running = owned.filter(({ status }) => status === 'running').map(({ courseId }) => courseId as CourseId)
  const [courses, studies, shifts] = await Promise.all([
    listKnownCourses(context, ids),
    listSummaries(context, { courseIds: running, history, now }),
    cachedQueries.get(examShifts, db),
  ])
  const studied = courses.flatMap((course) => {
    const progress = studies.get(course.id)
    if (progress === undefined) return []
    const readiness = estimateReadiness(progress, course.blueprint, now, shifts.get(course.id))
    const planned = learning.planned.find(({ courseId }) => courseId === course.id)
    const plan =
      planned === undefined ? null : planToday({ ...planned, course, study: progress, accessUntil: null, now })
    return [[course.id, { repetition: progress.repetition, readiness, plan }] as const]
  })
  const study = Object.fromEntries(studied)
  const asked = [
    ...learning.planned.flatMap(({ isAnswered, record: { examDate, timeZone }, courseId, courseSlug, courseTitle }) =>
      isAnswered ? [] : [{ courseId, courseSlug, courseTitle, examDate, timeZone }],
    ),
    ...learning.passed,
  ].flatMap(({ timeZone, ...exam }) => (isAskedAbout({ ...exam, timeZone }, now) ? [exam] : []))
  const daysLeft = (until: string) => Math.ceil((Date.parse(until) - now.getTime()) / DAY_MS)
  return {
    owned: owned.map((course) => ({ ...course, daysLeft: daysLeft(course.until) })),
    returned,
    results,
    orders,
    courses,
    study,
    asked,
    // Only while an order waits for its payment: without the time, the page stays the same and is not rendered again.
    now: orders.some(({ payableUntil }) => payableUntil !== null) ? now.toISOString() : null,
  }
})

export const accountLoader = pageLoader(async ({ context, url }) => {
  const user = requireUserForPage(context, url)
  const now = context.clock.now()
  const [account, secondFactor, reminder, sessions] = await Promise.all([
    getAccount(context.db, user, now),
    getSecondFactor(context.db, user.id),
    findReminder(context.db, user.id),
    listSessions(context.db, { userId: user.id, current: user.sessionId, now }),
  ])
  return { account, secondFactor, reminder, sessions }
})

/** The forms of the account page. */
export const accountAction = pageAction(['do', 'name', 'email'], async (posted) => {
  if (posted.form['do'] !== 'remind') return accountForms(posted)
  requireUserForPage(posted.context.request, posted.url)
  await setReminderByForm(posted)
  throw redirect(`${paths.account}?reminders=saved#plan-reminders`, 303)
})

export const deleteAccountLoader = pageLoader(async ({ context, url }) => {
  const user = requireUserForPage(context, url)
  const identity = await findIdentity(context.db, user.email.toLowerCase())
  return { hasPassword: (identity?.passwordHash ?? '') !== '' }
})

export const adminLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  return null
})

const LATEST_ORDERS = 8

/** Figures of the last 30 days, waiting work, and the latest orders. */
export const dashboardLoader = (args: LoaderFunctionArgs) =>
  replicaPageLoader(async ({ context, url }) => {
    requireAdminForPage(context, url)
    const { reads: db } = context
    const now = context.clock.now()
    const { period, before } = choosePeriod({ period: '30d', from: '', to: '', course: null }, now)
    const [figures, figuresBefore, net, waiting, users, catalogue, learners, latestOrders] = await Promise.all([
      getFigures(db, { period, courseId: null }),
      getFigures(db, { period: before, courseId: null }),
      listNet(db, { period, courseId: null }),
      countWork(db, await reportBackups(db, args.context.backups, now)),
      countUsers(db),
      countCatalogue(db),
      countRunningAccess(db, now),
      listOrders(db, { limit: LATEST_ORDERS }),
    ])
    return {
      figures,
      figuresBefore,
      net,
      waiting,
      users,
      catalogue,
      learners,
      latestOrders,
      at: now.toISOString(),
    }
  })(args)

/** A course's exams with their versions, drafts and attempts. */
export const courseRecordLoader = pageLoader(async ({ context, params, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const path = CoursePath.safeParse(params)
  if (!path.success) throw failCatalogue('course.not-found')
  const course = await getCourseFacts(context.db, path.data.courseId)
  const exams = await listExamRecords(context.db, course.id as CourseId)
  const counts = await countAttemptsByVersion(
    context.db,
    exams.flatMap(({ versions }) => versions.map(({ id }) => id)),
  )
  return {
    course,
    adminId,
    exams: exams.map((exam) => ({
      exam,
      attemptCount: exam.versions.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0),
    })),
  }
})

/** An exam with its draft, its versions, and a page of questions, from the draft if there is one. */
export const examRecordLoader = pageLoader(async ({ context, params, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  const path = ExamPath.safeParse(params)
  if (!path.success) throw failCatalogue('exam.not-found')
  const { db } = context
  const exam = await getExamRecord(db, path.data.examId)
  const filter = QuestionFilter.parse(Object.fromEntries(url.searchParams))
  const [current, drafted, caseStudies, counts] = await Promise.all([
    getExamQuestions(db, exam.id as ExamId),
    exam.draft === null ? null : listDraftQuestions(db, exam.familyId),
    exam.draft === null ? getExamCaseStudies(db, exam.id as ExamId) : listDraftCaseStudies(db, exam.familyId),
    countAttemptsByVersion(
      db,
      exam.versions.map(({ id }) => id),
    ),
  ])
  return {
    exam,
    adminId,
    filter,
    list: listQuestions(drafted ?? current, current, filter, caseStudies),
    caseStudies: viewCaseStudies(caseStudies, drafted ?? current),
    versions: exam.versions.map((version) => ({ version, attemptCount: counts.get(version.id) ?? 0 })),
  }
})

export function notFoundLoader() {
  throw data(null, { status: 404 })
}

/** Aliases of pages. */
export const redirects: Readonly<Record<string, string>> = {
  '/home': paths.home,
  '/courses': paths.myCourses,
  '/learning': paths.myCourses,
  '/learning-dashboard': paths.myCourses,
  '/learning/*': paths.myCourses,
  '/course-builder': '/admin/course-builder',
  '/course-management': adminPaths.courses,
  '/analytics': adminPaths.analytics,
  '/admin/checks': adminPaths.checks,
}

export { deleteAccountAction } from './own-data/own-data-forms.server.ts'
export { courseManagementLoader } from '../features/authoring/courses/admin-courses-endpoints.server.ts'
export { priceRecordLoader, pricingLoader } from './admin/pricing-loaders.server.ts'
export { auditLoader } from './admin/audit-log-loaders.server.ts'
export { usersLoader, userLoader } from './admin/users-loaders.server.ts'
export { workLoader } from './admin/work-loaders.server.ts'
export { studySheetLoader } from './study-sheet-loaders.server.ts'
export { diagnosticAction, diagnosticLoader } from '../features/study/diagnostic/diagnostic-endpoints.server.ts'
export { runningDrillAction } from '../features/study/plain-drill/posted-drill-endpoints.server.ts'
export { runningDrillLoader } from '../features/study/study-endpoints.server.ts'
