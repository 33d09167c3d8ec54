export const COURSE = 'aws-certified-cloud-practitioner'
export const SAMPLER = 'clf-free-sampler'
/** The admin's open drill is in the way of nobody here. */
export const DRILLED = 'aws-certified-solutions-architect-associate'

export type Facts = Readonly<
  Record<'courseId' | 'examId' | 'questionId' | 'attemptId' | 'drillId' | 'orderId' | 'userId' | 'importId', string>
>
type Look = {
  readonly who: 'anyone' | 'signed-in' | 'admin'
  readonly path: string | ((facts: Facts) => string)
  /** The journey that looks at it at every width, in both themes, with axe; without one that is done here. */
  readonly by?: string
}

/** Every page of `src/app/routes.ts`, by its path there, and who proves that it is right. `routes.test.ts` misses what lacks. */
export const looks: Readonly<Record<string, Look>> = {
  '/': { who: 'anyone', path: '/', by: 'home' },
  '/login': { who: 'anyone', path: '/login' },
  '/register': { who: 'anyone', path: '/register', by: 'accounts' },
  '/forgot-password': { who: 'anyone', path: '/forgot-password', by: 'accounts' },
  '/reset-password': { who: 'anyone', path: '/reset-password?token=some', by: 'accounts' },
  '/verify-email': { who: 'anyone', path: '/verify-email', by: 'accounts' },
  '/course/:courseSlug': { who: 'anyone', path: `/course/${COURSE}`, by: 'home' },
  '/course/:courseSlug/exam/:examSlug': { who: 'anyone', path: `/course/${COURSE}/exam/${SAMPLER}` },
  '/exam/:examSlug': { who: 'anyone', path: `/exam/clf-practice-exam-1` },
  '/course/:courseSlug/exam/:examSlug/:mode': {
    who: 'anyone',
    path: `/course/${COURSE}/exam/${SAMPLER}/preview`,
    by: 'frame',
  },
  '/exam/:examSlug/:mode': { who: 'anyone', path: '/exam/clf-practice-exam-1/timed' },
  '/course/:courseSlug/drill': { who: 'signed-in', path: `/course/${COURSE}/drill`, by: 'study' },
  '/course/:courseSlug/study/:sheet': { who: 'anyone', path: `/course/${COURSE}/study/cloud-concepts` },
  '/course/:courseSlug/progress': { who: 'signed-in', path: `/course/${DRILLED}/progress` },
  '/course/:courseSlug/drill/:drillId': {
    who: 'signed-in',
    path: ({ drillId }) => `/course/${DRILLED}/drill/${drillId}`,
    by: 'study',
  },
  '/course/:courseSlug/result': { who: 'signed-in', path: `/course/${COURSE}/result`, by: 'result' },
  '/pledge': { who: 'anyone', path: '/pledge', by: 'result' },
  '/results': { who: 'anyone', path: '/results' },
  '/stop-reminders/:token': { who: 'anyone', path: '/stop-reminders/some' },
  '/course/:courseSlug/plan': { who: 'signed-in', path: `/course/${COURSE}/plan`, by: 'plan' },
  '/course/:courseSlug/diagnostic': { who: 'anyone', path: `/course/${COURSE}/diagnostic`, by: 'diagnostic' },
  '/course/:courseSlug/mock': { who: 'signed-in', path: `/course/${COURSE}/mock`, by: 'mock' },
  // A finished attempt leads to its review.
  '/course/:courseSlug/mock/:attemptId': {
    who: 'signed-in',
    path: ({ attemptId }) => `/course/${COURSE}/mock/${attemptId}`,
    by: 'mock',
  },
  '/my-courses': { who: 'signed-in', path: '/my-courses' },
  '/account': { who: 'signed-in', path: '/account', by: 'account' },
  '/confirm-address': { who: 'signed-in', path: '/confirm-address', by: 'account' },
  '/confirmed': { who: 'anyone', path: '/confirmed?result=done' },
  '/delete-account': { who: 'signed-in', path: '/delete-account', by: 'offline' },
  '/exam-review/:attemptId': { who: 'signed-in', path: ({ attemptId }) => `/exam-review/${attemptId}`, by: 'review' },
  '/payment-success': { who: 'anyone', path: '/payment-success?session_id=cs_test_1' },
  '/orders/:orderId': { who: 'signed-in', path: ({ orderId }) => `/orders/${orderId}`, by: 'payment' },
  '/redeem/:code': { who: 'signed-in', path: '/redeem/NO-SUCH-CODE' },
  '/admin': { who: 'admin', path: '/admin' },
  '/admin/analytics': { who: 'admin', path: '/admin/analytics' },
  '/admin/freshness': { who: 'admin', path: '/admin/freshness', by: 'freshness' },
  '/admin/question-checks': { who: 'admin', path: '/admin/question-checks' },
  '/admin/course-management': { who: 'admin', path: '/admin/course-management' },
  '/admin/course-builder': { who: 'admin', path: '/admin/course-builder' },
  '/admin/course-management/edit/:courseId': {
    who: 'admin',
    path: ({ courseId }) => `/admin/course-management/edit/${courseId}`,
  },
  '/admin/course-management/:courseId/guide': {
    who: 'admin',
    path: ({ courseId }) => `/admin/course-management/${courseId}/guide`,
  },
  '/admin/course-management/:courseId/replace': {
    who: 'admin',
    path: ({ courseId }) => `/admin/course-management/${courseId}/replace`,
  },
  '/admin/course-management/:courseId': {
    who: 'admin',
    path: ({ courseId }) => `/admin/course-management/${courseId}`,
    by: 'versions',
  },
  '/admin/exams/:examId': { who: 'admin', path: ({ examId }) => `/admin/exams/${examId}`, by: 'versions' },
  '/admin/exams/:examId/new-question': { who: 'admin', path: ({ examId }) => `/admin/exams/${examId}/new-question` },
  '/admin/exams/:examId/questions/:questionId': {
    who: 'admin',
    path: ({ examId, questionId }) => `/admin/exams/${examId}/questions/${questionId}`,
    by: 'versions',
  },
  '/admin/exams/:examId/case-study/:caseStudyId?': {
    who: 'admin',
    path: ({ examId }) => `/admin/exams/${examId}/case-study`,
  },
  '/admin/exams/:examId/questions/:questionId/key': {
    who: 'admin',
    path: ({ examId, questionId }) => `/admin/exams/${examId}/questions/${questionId}/key`,
    by: 'versions',
  },
  '/admin/exams/:examId/statistics': {
    who: 'admin',
    path: ({ examId }) => `/admin/exams/${examId}/statistics`,
  },
  '/admin/pricing': { who: 'admin', path: '/admin/pricing', by: 'desk' },
  '/admin/pricing/:courseId': { who: 'admin', path: ({ courseId }) => `/admin/pricing/${courseId}` },
  '/admin/exams/:examId/print': {
    who: 'admin',
    path: ({ examId }) => `/admin/exams/${examId}/print`,
    by: 'import',
  },
  '/admin/import': { who: 'admin', path: '/admin/import', by: 'import' },
  '/admin/import/:importId': { who: 'admin', path: ({ importId }) => `/admin/import/${importId}`, by: 'import' },
  '/admin/import/:importId/questions/:place': {
    who: 'admin',
    path: ({ importId }) => `/admin/import/${importId}/questions/0`,
    by: 'import',
  },
  '/admin/export': { who: 'admin', path: ({ examId }) => `/admin/export?exam=${examId}`, by: 'import' },
  '/admin/reports': { who: 'admin', path: '/admin/reports' },
  '/admin/results': { who: 'admin', path: '/admin/results', by: 'result' },
  '/admin/manage-users': { who: 'admin', path: '/admin/manage-users' },
  '/admin/manage-users/:userId': {
    who: 'admin',
    path: ({ userId }) => `/admin/manage-users/${userId}`,
  },
  '/admin/audit': { who: 'admin', path: '/admin/audit' },
  '/admin/work': { who: 'admin', path: '/admin/work' },
  '/admin/feedback': { who: 'admin', path: '/admin/feedback', by: 'feedback' },
  '/admin/orders': { who: 'admin', path: '/admin/orders' },
  '/admin/orders/:orderId': { who: 'admin', path: ({ orderId }) => `/admin/orders/${orderId}`, by: 'payment' },
  '/api/docs': { who: 'anyone', path: '/api/docs' },
  '/*': { who: 'anyone', path: '/no-such-page', by: 'home' },
  '/offline': { who: 'anyone', path: '/offline?from=/admin', by: 'offline' },
  '/offline/practice': { who: 'anyone', path: '/offline/practice?exam=none' },
}
