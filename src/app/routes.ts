import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** Every page of the product. `routes.test.ts` holds it against the sheet of paths. */
export default [
  layout('./site-layout.tsx', [
    index('./home-page.tsx'),
    route('login', '../features/accounts/login-page.tsx'),
    route('register', '../features/accounts/register-page.tsx'),
    route('forgot-password', '../features/accounts/forgot-password-page.tsx'),
    route('reset-password', '../features/accounts/reset-password-page.tsx'),
    route('verify-email', '../features/accounts/verify-email-page.tsx'),
    route('course/:courseSlug', './course-page.tsx'),
    route('course/:courseSlug/exam/:examSlug', '../features/attempts/exam-start-page.tsx', { id: 'course-exam-start' }),
    route('exam/:examSlug', '../features/attempts/exam-start-page.tsx', { id: 'exam-start' }),
    route('course/:courseSlug/drill', '../features/study/drill-page.tsx'),
    route('my-courses', './my-courses-page.tsx'),
    route('delete-account', './delete-account-page.tsx'),
    route('exam-review/:attemptId', '../features/attempts/exam-review-page.tsx'),
    route('payment-success', '../features/checkout/payment-success-page.tsx'),
    route('orders/:orderId', '../features/checkout/order-page.tsx'),
    route('redeem/:code', '../features/checkout/redeem-page.tsx'),
    route('admin', './admin-layout.tsx', [
      index('./dashboard-page.tsx'),
      route('course-management', '../features/catalogue/course-management-page.tsx'),
      route('course-management/edit/:courseId', '../features/catalogue/course-management-page.tsx', {
        id: 'course-edit',
      }),
      route('course-management/:courseId', './course-record-page.tsx'),
      route('exams/:examId', './exam-record-page.tsx'),
      route('exams/:examId/statistics', '../features/attempts/scoring/statistics/statistics-page.tsx'),
      route('exams/:examId/new-question', '../features/catalogue/drafts/question-page.tsx', { id: 'new-question' }),
      route('exams/:examId/questions/:questionId', '../features/catalogue/drafts/question-page.tsx', {
        id: 'question',
      }),
      route('exams/:examId/questions/:questionId/key', '../features/attempts/scoring/regrade/mend-key-page.tsx'),
      route('pricing', './pricing-page.tsx'),
      route('reports', '../features/attempts/reports/reports-page.tsx'),
      route('manage-users', './manage-users-page.tsx'),
      route('manage-users/:personId', './person-page.tsx'),
      route('audit', './audit-page.tsx'),
      route('work', './work-page.tsx'),
      route('feedback', '../features/feedback/feedback-page.tsx'),
      route('orders', '../features/checkout/desk/orders-page.tsx'),
      route('orders/:orderId', '../features/checkout/desk/order-record-page.tsx'),
    ]),
    route('api/docs', './api-docs-page.tsx'),
    route('*', './not-found-page.tsx'),
  ]),
  route('offline', './offline-page.tsx'),
  route('offline/practice', './offline-practice-page.tsx'),
  // An exam and a drill have nothing of the shop around them.
  layout('./exam-layout.tsx', [
    route('course/:courseSlug/exam/:examSlug/:mode', '../features/attempts/exam-page.tsx', { id: 'course-exam' }),
    route('exam/:examSlug/:mode', '../features/attempts/exam-page.tsx', { id: 'exam' }),
    route('course/:courseSlug/drill/:drillId', './running-drill-page.tsx'),
  ]),
] satisfies RouteConfig
