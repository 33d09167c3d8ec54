/** Every path that our pages link to, outside the admin area (admin-paths.ts). A test compares them with the app's route table. */
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
  apiDocs: '/api/docs',
  course: (slug: string) => `/course/${encodeURIComponent(slug)}`,
  coursePreview: (slug: string) => `/course/${encodeURIComponent(slug)}?mode=preview`,
  exam: (courseSlug: string, examSlug: string) =>
    `/course/${encodeURIComponent(courseSlug)}/exam/${encodeURIComponent(examSlug)}`,
  examMode: (courseSlug: string, examSlug: string, mode: 'practice' | 'timed' | 'preview') =>
    `${paths.exam(courseSlug, examSlug)}/${mode}`,
  studySheet: (courseSlug: string, sheet: string) =>
    `/course/${encodeURIComponent(courseSlug)}/study/${encodeURIComponent(sheet)}`,
  studySheets: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}#study-sheets`,
  drill: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}/drill`,
  /** The same form, with a custom exam chosen. */
  customExam: (courseSlug: string) => `${paths.drill(courseSlug)}?kind=custom#build`,
  examResult: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}/result`,
  pledge: '/pledge',
  results: '/results',
  diagnostic: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}/diagnostic`,
  progress: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}/progress`,
  runningDrill: (courseSlug: string, drillId: string) => `${paths.drill(courseSlug)}/${drillId}`,
  plan: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}/plan`,
  stopReminders: (token: string) => `/stop-reminders/${token}`,
  calendar: (file: string) => `/calendar/${file}`,
  calendarFile: (courseSlug: string) => `/api/plans/${encodeURIComponent(courseSlug)}/calendar`,
  mock: (courseSlug: string) => `/course/${encodeURIComponent(courseSlug)}/mock`,
  runningMock: (courseSlug: string, attemptId: string) => `${paths.mock(courseSlug)}/${attemptId}`,
  /** Where an exam is started: its own page, or the form of the exams that are drawn. */
  examOrMock: (courseSlug: string, examSlug: string | null) =>
    examSlug === null ? paths.mock(courseSlug) : paths.exam(courseSlug, examSlug),
  examReview: (attemptId: string) => `/exam-review/${attemptId}`,
  offlinePractice: (examSlug: string) => `/offline/practice?exam=${encodeURIComponent(examSlug)}`,
  offlinePractices: '/offline/practice',
  order: (orderId: string) => `/orders/${orderId}`,
  redeem: (code: string) => `/redeem/${encodeURIComponent(code)}`,
} as const

// Without `//` before the query, also in `/.//evil.example`: whoever resolves its dots first would take it for another host.
const RETURN_PATH = /^(?![^?#]*\/\/)\/[^\\\p{Cc}]*$/u

/** The path to return to after signing in; '/' unless it is a path on this site. */
export const safeReturnPath = (value: string | null | undefined): string =>
  RETURN_PATH.test(value ?? '') ? (value ?? '/') : '/'
