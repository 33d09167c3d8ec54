import type { Context, Hono } from 'hono'
import { accessApi } from '../../features/access/access-endpoints.server.ts'
import { accountsApi } from '../../features/accounts/accounts-endpoints.server.ts'
import { googleRoutes } from '../../features/accounts/google/google-endpoints.server.ts'
import { secondFactorApi } from '../../features/accounts/second-factor/second-factor-endpoints.server.ts'
import { sessionsApi } from '../../features/accounts/sessions/sessions-endpoints.server.ts'
import { settingsApi } from '../../features/accounts/settings/settings-endpoints.server.ts'
import { usersApi } from '../../features/accounts/users/users-endpoints.server.ts'
import { analyticsApi } from '../../features/analytics/analytics-endpoints.server.ts'
import { adoptGuestAttempts, deleteAttemptsOfCourse } from '../../features/attempts/attempts-commands.server.ts'
import { attemptsApi } from '../../features/attempts/attempts-endpoints.server.ts'
import { sampleApi } from '../../features/attempts/sample/sample-endpoints.server.ts'
import { offlineExamsApi } from '../../features/attempts/offline-exams/offline-exams-endpoints.server.ts'
import { regradeApi } from '../../features/attempts/regrade/regrade-endpoints.server.ts'
import { reportsApi } from '../../features/attempts/reports/question-reports-endpoints.server.ts'
import { statisticsApi } from '../../features/attempts/statistics/statistics-endpoints.server.ts'
import { batchApi } from '../../features/authoring/batch/batch-endpoints.server.ts'
import { draftCaseStudiesApi } from '../../features/authoring/case-studies/draft-case-studies-endpoints.server.ts'
import { freshnessApi } from '../../features/authoring/freshness/freshness-endpoints.server.ts'
import { checksApi } from '../../features/authoring/checks/question-checks-endpoints.server.ts'
import { adminCoursesApi } from '../../features/authoring/courses/admin-courses-endpoints.server.ts'
import { replaceDraft } from '../../features/authoring/drafts/drafts-commands.server.ts'
import { draftsApi } from '../../features/authoring/drafts/drafts-endpoints.server.ts'
import { choicesApi } from '../../features/catalogue/course-choices-endpoints.server.ts'
import { dataCallsApi } from '../../features/catalogue/data-calls/data-calls-endpoints.server.ts'
import { imagesApi } from '../../features/catalogue/images/images-endpoints.server.ts'
import { checkoutApi } from '../../features/checkout/checkout-endpoints.server.ts'
import { exportsApi } from '../../features/exchange/exports/exports-endpoints.server.ts'
import { importsApi } from '../../features/exchange/imports/imports-endpoints.server.ts'
import { feedbackApi } from '../../features/feedback/feedback-endpoints.server.ts'
import { pricingApi } from '../../features/pricing/coupons-endpoints.server.ts'
import { adoptGuestDiagnostics } from '../../features/study/diagnostic/diagnostic-commands.server.ts'
import { diagnosticApi } from '../../features/study/diagnostic/diagnostic-endpoints.server.ts'
import { mockExamsApi } from '../../features/study/mock-exams/mock-exams-endpoints.server.ts'
import { studyCalendarApi } from '../../features/study/calendar/study-calendar-endpoints.server.ts'
import { pushApi } from '../../features/study/push/push-endpoints.server.ts'
import { remindersApi } from '../../features/study/reminders/reminders-endpoints.server.ts'
import { planApi } from '../../features/study/plan/plan-endpoints.server.ts'
import { examResultsApi } from '../../features/study/exam-results/exam-results-endpoints.server.ts'
import { studyApi } from '../../features/study/study-endpoints.server.ts'
import type { GuestId, UserId } from '../../lib/ids.ts'
import { paths } from '../../lib/paths.ts'
import { bugReportsApi } from '../../platform/bug-reports/bug-reports-endpoints.server.ts'
import { failedJobsApi } from '../../platform/failed-jobs/failed-jobs-endpoints.server.ts'
import { mountEndpoints, type Endpoint, type HttpEnv } from '../../platform/http/endpoint.server.ts'
import { toFailure } from '../../platform/http/failure-reply.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import type { Listeners } from '../../platform/realtime/listeners.server.ts'
import { realtimeStream } from '../../platform/realtime/realtime-stream.server.ts'
import { REALTIME_PATH } from '../../platform/realtime/realtime.ts'
import { countHolders } from '../admin/course-holders.server.ts'
import { ownDataApi } from '../own-data/own-data-endpoints.server.ts'
import { describeApi } from './api-description.server.ts'
import type { BankWorkers } from './banks/bank-workers.server.ts'
import type { Services } from './services.server.ts'

/** Every feature's endpoints, with the callbacks that join features which must not import each other. */
export function listEndpoints(services: Services, bankWorkers: BankWorkers): Endpoint[] {
  const { env, jobs, mail, payment, push, secret } = services
  const { isAdminFactorRequired } = env
  const sender = { mail, brand: env.brandName }
  const shop = { ...sender, gateway: payment }
  return [
    ...accountsApi({ ...sender, secret, isAdminFactorRequired, onSignedIn: adoptGuestWork }),
    ...sessionsApi({ secret }),
    ...settingsApi({ ...sender, secret }),
    ...secondFactorApi({ ...sender, secret }),
    ...usersApi(sender),
    ...accessApi(sender),
    ...dataCallsApi({ deleteAttempts: deleteAttemptsOfCourse, replaceDraft }),
    ...choicesApi(),
    ...adminCoursesApi({ countHolders }),
    ...draftsApi(),
    ...draftCaseStudiesApi(),
    ...batchApi(),
    ...checksApi({ jobs }),
    ...freshnessApi(),
    ...imagesApi(),
    ...importsApi({ readSoon: bankWorkers.queueImport }),
    ...exportsApi({ write: bankWorkers.exportQuestions }),
    ...pricingApi(),
    ...checkoutApi(shop),
    ...attemptsApi({ secret }),
    ...sampleApi(),
    ...regradeApi(sender),
    ...reportsApi(sender),
    ...statisticsApi(),
    ...offlineExamsApi({ secret }),
    ...examResultsApi(sender),
    ...mockExamsApi(),
    ...diagnosticApi({ secret }),
    ...studyApi({ exportCards: bankWorkers.exportCards }),
    ...planApi(),
    ...studyCalendarApi(),
    ...remindersApi({ secret }),
    ...pushApi({ push }),
    ...bugReportsApi(),
    ...failedJobsApi({ jobs }),
    ...feedbackApi(),
    ...analyticsApi(),
    ...ownDataApi({ shop, mail }),
  ]
}

/** Everything below /api/: the endpoints, and the calls that are not endpoints because they redirect or stream. */
export function mountApi(
  http: Hono<HttpEnv>,
  endpoints: readonly Endpoint[],
  { env, google, limits, secret }: Services,
  listeners: Listeners,
): void {
  mountEndpoints(http, endpoints)
  http.get(REALTIME_PATH, realtimeStream(listeners, env))
  const googleSignIn = googleRoutes({
    google,
    secret,
    isAdminFactorRequired: env.isAdminFactorRequired,
    onSignedIn: adoptGuestWork,
  })
  // These are page loads: a refusal is a page with a sentence, too.
  const limited = (handle: (context: RequestContext) => Promise<Response>) => async (c: Context<HttpEnv>) => {
    const context = c.get('context')
    try {
      await limits.claim('account', context)
    } catch (error) {
      context.refusal.code = toFailure(error).code
      return Response.redirect(`${env.appUrl}${paths.login}?error=google`, 303)
    }
    // Google answers when it answers.
    context.wait.lift()
    return handle(context)
  }
  http.get('/api/auth/google', limited(googleSignIn.start))
  http.get('/api/auth/callback/google', limited(googleSignIn.callback))
  http.get('/api/openapi.json', (c) =>
    c.json(describeApi(endpoints, { appUrl: env.appUrl, brandName: env.brandName, limits: env.limits })),
  )
  http.all('/api/*', (c, next) =>
    // The description of the API is a page.
    c.req.path === paths.apiDocs
      ? next()
      : c.json(
          { error: { code: 'request.not-found', kind: 'database', message: 'The requested resource was not found' } },
          404,
        ),
  )
}

/** Moves a guest's attempts and diagnostics to their account when they sign in. */
async function adoptGuestWork({ db, clock }: RequestContext, user: { id: UserId }, guestId: GuestId | null) {
  if (guestId === null) return
  const move = { guestId, userId: user.id, now: clock.now() }
  await adoptGuestAttempts(db, move)
  await adoptGuestDiagnostics(db, move)
}
