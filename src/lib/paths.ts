/** Every path that our pages link to. A test compares them with the app's route table. */
export const paths = {
  home: '/',
  login: '/login',
  loginTo: (returnTo: string) => (returnTo === '/' ? '/login' : `/login?redirect=${encodeURIComponent(returnTo)}`),
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  account: '/account',
  confirmAddress: '/confirm-address',
  myCourses: '/my-courses',
  accountSecurity: '/account#second-factor',
  confirmed: '/confirmed',
  deleteAccount: '/delete-account',
  paymentSuccess: '/payment-success',
  admin: '/admin',
  adminCourses: '/admin/course-management',
  adminCourse: (courseId: string) => `/admin/course-management/${courseId}`,
  adminCourseEdit: (courseId: string) => `/admin/course-management/edit/${courseId}`,
  adminReplace: (courseId: string) => `/admin/course-management/${courseId}/replace`,
  adminBuilder: '/admin/course-builder',
  adminBuilderAt: (courseId: string, step: string) => `/admin/course-builder?course=${courseId}&step=${step}`,
  adminExam: (examId: string) => `/admin/exams/${examId}`,
  adminExamReview: (examId: string) => `/admin/exams/${examId}?show=review`,
  adminStatistics: (examId: string) => `/admin/exams/${examId}/statistics`,
  adminNewQuestion: (examId: string) => `/admin/exams/${examId}/new-question`,
  adminQuestion: (examId: string, questionId: string) =>
    `/admin/exams/${examId}/questions/${encodeURIComponent(questionId)}`,
  adminKey: (examId: string, questionId: string) => `${paths.adminQuestion(examId, questionId)}/key`,
  adminImports: '/admin/import',
  adminImport: (importId: string) => `/admin/import/${importId}`,
  adminCorrectQuestion: (importId: string, place: number | string) => `/admin/import/${importId}/questions/${place}`,
  adminExport: '/admin/export',
  adminCourseExport: (courseId: string) => `/admin/export?course=${courseId}`,
  adminExamExport: (examId: string) => `/admin/export?exam=${examId}`,
  adminQuestionsExport: (examId: string, questionIds: string, version: string) =>
    `/admin/export?exam=${examId}&version=${version}&questions=${encodeURIComponent(questionIds)}`,
  adminPrint: (examId: string) => `/admin/exams/${examId}/print`,
  adminPricing: '/admin/pricing',
  adminPrices: (courseId: string) => `/admin/pricing/${courseId}`,
  adminOrders: '/admin/orders',
  adminReports: '/admin/reports',
  adminUsers: '/admin/manage-users',
  adminUser: (userId: string) => `/admin/manage-users/${userId}`,
  adminAudit: '/admin/audit',
  adminOrder: (orderId: string) => `/admin/orders/${orderId}`,
  adminWork: '/admin/work',
  adminFeedback: '/admin/feedback',
  adminAnalytics: '/admin/analytics',
  adminChecks: '/admin/question-checks',
  apiDocs: '/api/docs',
  course: (slug: string) => `/course/${encodeURIComponent(slug)}`,
  coursePreview: (slug: string) => `/course/${encodeURIComponent(slug)}?mode=preview`,
  exam: (courseSlug: string, examSlug: string) =>
    `/course/${encodeURIComponent(courseSlug)}/exam/${encodeURIComponent(examSlug)}`,
  examMode: (courseSlug: string, examSlug: string, mode: 'practice' | 'timed' | 'preview') =>
    `${paths.exam(courseSlug, examSlug)}/${mode}`,
  drill: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}/drill`,
  runningDrill: (courseSlug: string, drillId: string) => `${paths.drill(courseSlug)}/${drillId}`,
  examReview: (attemptId: string) => `/exam-review/${attemptId}`,
  offlinePractice: (examSlug: string) => `/offline/practice?exam=${encodeURIComponent(examSlug)}`,
  offlinePractices: '/offline/practice',
  order: (orderId: string) => `/orders/${orderId}`,
  redeem: (code: string) => `/redeem/${encodeURIComponent(code)}`,
} as const

/** The path to return to after signing in; '/' unless it is a path on this site. */
export function safeReturnPath(value: string | null | undefined): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.startsWith('//') || value.includes('\\')) return '/'
  const hasControl = [...value].some((character) => character < ' ')
  return hasControl ? '/' : value
}
