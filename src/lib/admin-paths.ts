/** Every address of the admin area, apart from `paths.ts`, so that what guests load holds no list of them. */
export const adminPaths = {
  courses: '/admin/course-management',
  course: (courseId: string) => `/admin/course-management/${courseId}`,
  courseEdit: (courseId: string) => `/admin/course-management/edit/${courseId}`,
  replace: (courseId: string) => `/admin/course-management/${courseId}/replace`,
  builder: '/admin/course-builder',
  builderAt: (courseId: string, step: string) => `/admin/course-builder?course=${courseId}&step=${step}`,
  exam: (examId: string) => `/admin/exams/${examId}`,
  examReview: (examId: string) => `/admin/exams/${examId}?show=review`,
  statistics: (examId: string) => `/admin/exams/${examId}/statistics`,
  newQuestion: (examId: string) => `/admin/exams/${examId}/new-question`,
  /** A new question that begins in a case study. */
  newQuestionOf: (examId: string, caseStudyId: string) =>
    `${adminPaths.newQuestion(examId)}?caseStudy=${encodeURIComponent(caseStudyId)}`,
  question: (examId: string, questionId: string) =>
    `/admin/exams/${examId}/questions/${encodeURIComponent(questionId)}`,
  newCaseStudy: (examId: string) => `/admin/exams/${examId}/case-study`,
  caseStudy: (examId: string, caseStudyId: string) =>
    `${adminPaths.newCaseStudy(examId)}/${encodeURIComponent(caseStudyId)}`,
  key: (examId: string, questionId: string) => `${adminPaths.question(examId, questionId)}/key`,
  imports: '/admin/import',
  import: (importId: string) => `/admin/import/${importId}`,
  correctQuestion: (importId: string, place: number | string) => `/admin/import/${importId}/questions/${place}`,
  export: '/admin/export',
  courseExport: (courseId: string) => `/admin/export?course=${courseId}`,
  examExport: (examId: string) => `/admin/export?exam=${examId}`,
  questionsExport: (examId: string, questionIds: string, version: string) =>
    `/admin/export?exam=${examId}&version=${version}&questions=${encodeURIComponent(questionIds)}`,
  print: (examId: string) => `/admin/exams/${examId}/print`,
  pricing: '/admin/pricing',
  prices: (courseId: string) => `/admin/pricing/${courseId}`,
  orders: '/admin/orders',
  reports: '/admin/reports',
  results: '/admin/results',
  users: '/admin/manage-users',
  user: (userId: string) => `/admin/manage-users/${userId}`,
  audit: '/admin/audit',
  order: (orderId: string) => `/admin/orders/${orderId}`,
  work: '/admin/work',
  feedback: '/admin/feedback',
  analytics: '/admin/analytics',
  checks: '/admin/question-checks',
} as const
