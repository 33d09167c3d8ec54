import type { Page } from '@playwright/test'
import { QUESTION_TYPES, typeName } from '../../src/features/questions/types/edit-registry.ts'
import type { DemoShop } from './lived-in-shop.ts'
import { fillIn, narrow, press, sees, steps, type Row } from './steps.ts'

const click = (role: 'button' | 'link' | 'radio' | 'checkbox', name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole(role, { name }).first().click()
const openUser = (name: string) => steps(click('link', name), sees('Make admin'))
const lea = '/admin/manage-users?search=lea'
const drafted = ({ draftedExamId }: DemoShop) => `/admin/exams/${draftedExamId}`
const newQuestion = ({ draftedExamId }: DemoShop) => `/admin/exams/${draftedExamId}/new-question`
/** The draft of an exam with a case study. */
const grouped = ({ groupedExamId }: DemoShop) => `/admin/exams/${groupedExamId}`
const CASE_STUDY = 'aif-cs-letters'
const newCaseStudy = ({ groupedExamId }: DemoShop) => `/admin/exams/${groupedExamId}/case-study`
/** As if another admin had saved the case study meanwhile. */
const changedElsewhere = async (page: Page, { groupedExamId }: DemoShop) => {
  const path = `/api/exams/${groupedExamId}/draft/case-studies/${CASE_STUDY}`
  const stored = (await (await page.request.get(path)).json()) as object
  const error = {
    code: 'draft.changed-elsewhere',
    kind: 'validation',
    message: 'Somebody else changed this since you opened it. Nothing of yours is lost or saved yet.',
    facts: { stored },
  }
  await page.route(`**${path}`, (route) => route.fulfill({ status: 409, json: { error } }))
}
const facts = ({ other }: DemoShop) => `/admin/course-management/edit/${other.id}`
const prices = steps((page) => page.getByLabel('All on this page').check(), fillIn({ 'Price in dollars': '24.99' }))

/** Opens the list of a chooser, with all items or those that match the typed text. */
const openChooser =
  (label: string, typed = '') =>
  async (page: Page) => {
    const field = page.getByRole('combobox', { name: label, exact: true })
    if (typed === '') await field.click()
    else await field.fill(typed)
    await page.getByRole('listbox', { name: label, exact: true }).waitFor()
  }

const createCoupon = steps(press('New coupon'), fillIn({ Code: 'SPRING', Percent: '10' }))
/** As if the admin had signed in long ago. */
const needConfirmation = async (page: Page) => {
  const error = { code: 'confirmation.required', kind: 'authorization', message: 'Please confirm that it is you.' }
  const methods = { password: true, google: false, code: false, passkey: true }
  await page.route('**/api/coupons', (route) => route.fulfill({ status: 403, json: { error } }))
  await page.route('**/api/auth/confirmation', (route) => route.fulfill({ json: { isConfirmed: false, methods } }))
}

/** Every admin screen in its states: with data, without matches, with errors, with its dialogs. */
export const adminScreenshots: Readonly<Record<string, Row>> = {
  menu: ['/', press('Open menu'), narrow],
  'admin-menu': ['/admin/orders', press('Admin Orders'), [375, 820]],
  dashboard: ['/admin'],
  work: ['/admin/work'],
  results: ['/admin/results'],
  freshness: ['/admin/freshness'],
  'freshness-none': ['/admin/freshness?reason=guide'],
  'freshness-undo': [
    '/admin/freshness',
    steps(
      (page) => page.getByRole('checkbox', { name: /^Choose question/ }).first().check(),
      press('Mark as verified today'),
      sees(/marked as verified today/),
    ),
  ],
  'exam-guide': [({ course }) => `/admin/course-management/${course.id}/guide`],
  analytics: ['/admin/analytics'],
  'analytics-course': [({ course }) => `/admin/analytics?course=${course.id}&period=90d`],
  'analytics-choose-course': ['/admin/analytics', openChooser('Course')],
  'analytics-refused': ['/admin/analytics?period=own&from=2026-11-20&to=2026-11-02'],

  courses: ['/admin/course-management'],
  'courses-nothing-found': ['/admin/course-management?search=nothing+of+the+kind'],
  'course-new': ['/admin/course-management', press(/New course/)],
  'course-kept': [
    '/admin/course-management',
    steps(
      // On a phone a row shows its actions when it is opened.
      press(/^Change/),
      press(/^Edit course: /),
      fillIn({ Description: 'A text that is not saved' }),
      (page) => page.keyboard.press('Escape'),
      press(/^Edit course: /),
      sees(/that was not saved\.$/),
    ),
  ],
  'course-record': [({ course }) => `/admin/course-management/${course.id}`],
  'course-price-sale': [
    ({ course }) => `/admin/course-management/${course.id}`,
    steps(
      press(/Change the price$/),
      (page) => page.getByRole('radio', { name: 'Changes by percent' }).check(),
      (page) => page.getByRole('radio', { name: 'As a sale' }).check(),
    ),
  ],
  'course-record-draft': [({ draftCourseId }) => `/admin/course-management/${draftCourseId}`],
  'course-delete': [
    ({ course }) => `/admin/course-management/${course.id}`,
    steps(press('Delete…'), sees('People who own it now')),
  ],
  'course-add-exam': [({ other }) => `/admin/course-management/${other.id}`, press(/Add an exam/)],
  'course-edit': [facts],
  'course-edit-refused': [facts, steps(fillIn({ Title: '<b>', 'Price in dollars': 'much' }), press('Save course'))],
  'course-builder': ['/admin/course-builder'],
  'builder-facts': [({ other }) => `/admin/course-builder?course=${other.id}&step=facts`],
  'builder-exams': [({ other }) => `/admin/course-builder?course=${other.id}&step=exams`],
  'builder-questions': [({ other }) => `/admin/course-builder?course=${other.id}&step=questions`],
  'builder-look': [({ other }) => `/admin/course-builder?course=${other.id}&step=look`],

  'exam-record': [({ examId }) => `/admin/exams/${examId}`],
  'exam-draft': [drafted],
  'exam-draft-chosen': [
    drafted,
    steps(
      (page) => page.getByLabel('Choose question 1', { exact: true }).check(),
      (page) => page.getByLabel('Choose question 3', { exact: true }).check(),
      sees('2 questions chosen'),
    ),
  ],
  'exam-draft-send': [
    drafted,
    steps(
      (page) => page.getByLabel('Choose question 1', { exact: true }).check(),
      press('Move or copy…'),
      openChooser('Exam or course'),
    ),
  ],
  'exam-publish': [
    drafted,
    steps(press('Publish…'), (page) => page.getByRole('dialog').getByRole('heading').waitFor()),
  ],
  'exam-discard': [drafted, press('Discard draft…')],
  question: [({ draftedExamId, draftedQuestionId }) => `/admin/exams/${draftedExamId}/questions/${draftedQuestionId}`],
  'new-question': [newQuestion],
  ...Object.fromEntries(
    QUESTION_TYPES.map((type): [string, Row] => [
      `new-question-${type}`,
      [newQuestion, (page) => page.getByLabel('Type of question').selectOption({ label: typeName(type) })],
    ]),
  ),
  'new-question-refused': [newQuestion, steps(press('Save to the draft'))],
  'exam-draft-case-studies': [grouped],
  'case-study': [({ groupedExamId }) => `/admin/exams/${groupedExamId}/case-study/${CASE_STUDY}`],
  'case-study-new': [newCaseStudy],
  'case-study-refused': [newCaseStudy, steps(press('Add a tab'), press('Save to the draft'), sees('A tab needs a text.'))],
  'case-study-conflict': [
    ({ groupedExamId }) => `/admin/exams/${groupedExamId}/case-study/${CASE_STUDY}`,
    steps(fillIn({ Title: 'Mine' }), changedElsewhere, press('Save to the draft'), sees('Save mine over it')),
  ],
  'case-study-delete': [
    ({ groupedExamId }) => `/admin/exams/${groupedExamId}/case-study/${CASE_STUDY}`,
    steps(press('Delete case study…'), press('Delete case study'), sees(/Questions name this case study/)),
  ],
  'question-of-case-study': [
    grouped,
    steps(
      (page) => page.getByRole('link', { name: 'Edit question 10', exact: true }).click(),
      (page) => page.getByRole('heading', { level: 1, name: 'Edit question 10' }).waitFor(),
      (page) => page.getByText(/^Case study: /).first().click(),
    ),
  ],
  'find-and-replace': [({ course }) => `/admin/course-management/${course.id}/replace`],
  'find-and-replace-found': [
    ({ course }) => `/admin/course-management/${course.id}/replace`,
    steps(fillIn({ Find: 'Amazon S3', 'Replace with': 'S3' }), press('Find'), sees(/places? in/)),
  ],
  statistics: [({ examId }) => `/admin/exams/${examId}/statistics`],
  'statistics-few': [({ draftedExamId }) => `/admin/exams/${draftedExamId}/statistics`],
  'correct-key': [({ examId, questionId }) => `/admin/exams/${examId}/questions/${questionId}/key`],
  'correct-key-preview': [
    ({ examId, questionId }) => `/admin/exams/${examId}/questions/${questionId}/key`,
    steps(
      (page) => page.getByRole('group', { name: 'The right answers' }).locator('input:not(:checked)').first().check(),
      press('Preview'),
      sees(/finished attempts/),
    ),
  ],
  'question-checks': ['/admin/question-checks', sees(/questions checked on/)],
  'checks-cues': [
    '/admin/question-checks',
    steps(sees(/questions checked on/), (page) => page.getByText('Cues for the test-wise').first().click()),
  ],
  'checks-choose-course': ['/admin/question-checks', steps(sees(/questions checked on/), openChooser('Course'))],
  'checks-set-aside': [
    '/admin/question-checks',
    steps(sees(/questions checked on/), (page) =>
      page
        .getByRole('button', { name: /^Set aside/ })
        .first()
        .click(),
    ),
  ],

  import: ['/admin/import'],
  'import-paste': ['/admin/import', steps((page) => page.getByRole('radio').last().check())],
  'import-record': [({ importId }) => `/admin/import/${importId}`],
  'import-choose-course': [
    ({ importId }) => `/admin/import/${importId}`,
    steps(click('radio', /^A new exam in a course/), openChooser('Course', 'aws')),
  ],
  'import-refused': [({ importId }) => `/admin/import/${importId}?verdict=refused#questions`],
  'import-stored': [({ storedImportId }) => `/admin/import/${storedImportId}`],
  'import-columns': [({ columnsImportId }) => `/admin/import/${columnsImportId}`],
  'import-correct': [({ importId }) => `/admin/import/${importId}/questions/6`],
  export: [({ examId }) => `/admin/export?exam=${examId}`, sees('Nothing is lost. Importing the file again changes nothing.')],
  'export-lossy': [
    ({ examId }) => `/admin/export?exam=${examId}`,
    steps(
      (page) =>
        page
          .getByRole('radio', { name: /Aiken|GIFT/ })
          .first()
          .check(),
      (page) => page.getByRole('heading', { level: 2 }).first().waitFor(),
    ),
  ],
  print: [({ examId }) => `/admin/exams/${examId}/print`],
  'print-key': [({ examId }) => `/admin/exams/${examId}/print?key=1`],

  pricing: ['/admin/pricing'],
  'price-change': ['/admin/pricing', prices],
  'price-change-preview': ['/admin/pricing', steps(prices, press('Preview'), sees(/will|change/i))],
  'price-nothing-found': ['/admin/pricing?search=nothing+of+the+kind'],
  'price-record': [({ courses }) => `/admin/pricing/${courses[0]?.id}`],
  coupon: ['/admin/pricing', press('New coupon')],
  'coupon-courses': [
    '/admin/pricing',
    steps(
      press('New coupon'),
      (page) => page.getByRole('radio', { name: 'Selected courses' }).check(),
      openChooser('Add a course', 'associate'),
      (page) => page.getByRole('listbox').getByRole('option').first().click(),
      openChooser('Add a course', 'aws'),
    ),
  ],
  'coupon-refused': ['/admin/pricing', steps(press('New coupon'), press('Create coupon'))],
  'coupon-confirm': [
    '/admin/pricing',
    steps(needConfirmation, createCoupon, press('Create coupon'), (page) => page.getByLabel('Your password').waitFor()),
  ],
  orders: ['/admin/orders'],
  'orders-nothing-found': ['/admin/orders?search=nobody%40example.org'],
  order: [({ orderId }) => `/admin/orders/${orderId}`],
  refund: [({ orderId }) => `/admin/orders/${orderId}`, press('Refund')],

  users: ['/admin/manage-users'],
  'users-nothing-found': ['/admin/manage-users?search=nobody%40example.org'],
  user: [lea, openUser('Lea Learner')],
  'person-give': [lea, steps(openUser('Lea Learner'), press('Give access'))],
  'person-give-course': [
    lea,
    steps(openUser('Lea Learner'), press('Give access'), openChooser('Course', 'aws'), (page) =>
      page.getByRole('combobox', { name: 'Course' }).press('ArrowDown'),
    ),
  ],
  'person-give-failed': [
    lea,
    steps(
      openUser('Lea Learner'),
      press('Give access'),
      (page) => page.context().setOffline(true),
      (page) => page.getByRole('combobox', { name: 'Course' }).fill('aws'),
      sees('Try again'),
      (page) => page.context().setOffline(false),
    ),
  ],
  'person-lock': [lea, steps(openUser('Lea Learner'), press('Lock'))],
  'person-locked': [
    '/admin/manage-users?only=locked',
    steps((page) => page.getByRole('table').getByRole('link').first().click(), sees(/Locked since/)),
  ],
  reports: ['/admin/reports'],
  'report-settle': ['/admin/reports', click('button', /^Settle/)],
  'reports-settled': ['/admin/reports?state=settled'],
  feedback: ['/admin/feedback'],
  'feedback-settled': ['/admin/feedback?state=settled'],
  audit: ['/admin/audit'],
  'audit-nothing-found': ['/admin/audit?subject=nothing'],
}
