// npm run screenshots: takes every screen in its main states into screenshots/, with an index.html. Names of screens or viewers
// (`npm run screenshots -- cart login admin`) limit the selection. --readme takes only the screenshot for README.md, into docs/.
import { chromium, request, type Browser, type Page } from '@playwright/test'
import { admin } from '../tests/e2e/shared-users.ts'
import startServer from '../tests/e2e/start-server.ts'
import { linkIn, mailTo, untilHydrated } from '../tests/e2e/e2e-test.ts'
import { chromiumArguments, findChromium } from '../tests/support/chromium.ts'
import { emptyFolder, takeScreenshots, themes, widths, writeAlbum, type Screenshot } from './screenshots/album.ts'
import { adminScreenshots } from './screenshots/admin-screens.ts'
import { COURSE, fillShop, SECURED, type DemoShop } from './screenshots/lived-in-shop.ts'
import { fillIn, narrow, screensOf, press, sees, steps, type Row } from './screenshots/steps.ts'

const FOLDER = 'screenshots'
const course = `/course/${COURSE}`
const trial = `${course}/exam/clf-free-sampler`
const exam = `${course}/exam/clf-practice-exam-1`
/** The demo exam with a question of each type. */
const types = '/course/aws-certified-ai-practitioner/exam/aif-question-types/preview'
const TYPED_QUESTIONS = 8
const WRONG = 'Wrong-Horse-7!'

const goTo = (number: number) => async (page: Page) => {
  for (let at = 1; at < number; at += 1) {
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByText(new RegExp(`^Question ${at + 1} of`)).waitFor()
  }
}

const choices = (page: Page) =>
  page.getByRole('group').getByRole('radio').or(page.getByRole('group').getByRole('checkbox'))

const openCart = steps(
  (page) =>
    page
      .getByRole('main')
      .getByRole('button', { name: /^(Add to Cart|Extend)$/ })
      .first()
      .click(),
  (page) => page.getByRole('button', { name: /^Open cart, / }).click(),
  sees('Checkout'),
)
const signInAs = (email: string) =>
  steps(fillIn({ 'Email address': email, Password: WRONG }), (page) =>
    page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click(),
  )
/** Breaks a built-in method, to show how the app handles an unexpected error. */
const breakMethod = (type: 'String' | 'URLSearchParams', method: string) => (page: Page) =>
  page.evaluate(
    ([type, method]) => {
      const prototype = (window as unknown as Record<string, { prototype: Record<string, unknown> }>)[type]!.prototype
      prototype[method] = () => {
        throw new Error('It broke here')
      }
    },
    [type, method] as const,
  )
const breakStart = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(window, '__reactRouterContext', {
      set() {},
      get() {
        throw new Error('The start broke')
      },
    }),
  )
/** Signs up, and opens the link of the email as in another browser. */
const openLinkElsewhere = async (page: Page) => {
  const email = 'vera@example.com'
  const sent = await page.request.post('/api/auth/sign-up', {
    data: { name: 'Vera Verifies', email, password: admin.password },
    headers: { origin: setByServer('E2E_URL') },
  })
  if (!sent.ok()) throw new Error(await sent.text())
  await page.context().clearCookies()
  await page.goto(linkIn(await mailTo(email, /verify/i)))
}
const openUnpaidOrder = steps(
  (page) =>
    page
      .getByRole('main')
      .getByRole('link', { name: /View order$/ })
      .click(),
  (page) => page.waitForURL(/\/orders\//),
)
/** The server takes every practice for somebody else's. */
const forgeSignature = (page: Page) =>
  page.route('**/api/offline-attempts', (route) =>
    route.continue({ postData: { ...(route.request().postDataJSON() as object), signature: 'not-ours' } }),
  )
/** A stored cart with a changed price and a deleted course. */
const oldCart = (page: Page, { course }: DemoShop) =>
  page.addInitScript(
    ([id, title]) =>
      localStorage.setItem(
        'cart',
        JSON.stringify([
          { id, title, name: title, price: 14.99, quantity: 2 },
          {
            id: crypto.randomUUID(),
            title: 'A course of yesterday',
            name: 'A course of yesterday',
            price: 9.99,
            quantity: 1,
          },
        ]),
      ),
    [course.id, course.title] as const,
  )

/** Every screen in its main states: the viewer, the path, and the steps to reach the state. Add new pages here. */
const screenshots: readonly Screenshot[] = [
  ...screensOf('guest', {
    home: ['/'],
    'home-level': ['/?level=associate'],
    'home-nothing-found': ['/?q=nothing+of+the+kind'],
    'home-failed': [
      course,
      steps(
        breakMethod('String', 'normalize'),
        (page) => page.getByRole('banner').getByRole('link').first().click(),
        sees('Failed to load courses'),
      ),
    ],
    menu: ['/', press('Open menu'), narrow],
    'cart-empty': ['/', steps(press('Open cart'), sees('Your cart is empty'))],
    cart: [course, openCart],
    toasts: [
      '/',
      steps(
        (page) =>
          page
            .getByRole('button', { name: /^Add to Cart: / })
            .nth(0)
            .click(),
        (page) =>
          page
            .getByRole('button', { name: /^Add to Cart: / })
            .nth(1)
            .click(),
        (page) => page.getByRole('button', { name: 'Close this message' }).last().focus(),
      ),
    ],
    feedback: ['/login', steps(press('Feedback'), (page) => page.getByLabel('Your feedback').waitFor())],
    course: [course],
    'course-preview': [`${course}?mode=preview`],
    'course-unknown': ['/course/no-such-course'],
    pledge: ['/pledge'],
    'study-sheet-free': [`${course}/study/cloud-concepts`],
    'study-sheet-locked': [`${course}/study/security-and-compliance`],
    'results-hidden': ['/results'],
    'stop-reminders-unknown': ['/stop-reminders/some'],
    'diagnostic-short': [`${course}/diagnostic`],
    'exam-start': [trial],
    'exam-locked': [exam],
    exam: [`${trial}/preview`, sees(/^Question 1 of/)],
    'exam-checked': [
      `${trial}/preview`,
      steps((page) => choices(page).first().check(), press('Check answer'), sees('Explanation')),
    ],
    'exam-feedback': [
      `${trial}/preview`,
      steps(sees(/^Question 1 of/), press('Feedback'), (page) => page.getByLabel('Your feedback').waitFor()),
    ],
    ...Object.fromEntries(
      Array.from({ length: TYPED_QUESTIONS }, (_, index): [string, Row] => [
        `exam-type-${index + 1}`,
        [types, steps(sees(/^Question 1 of/), goTo(index + 1))],
      ]),
    ),
    'exam-keys': [`${trial}/preview`, steps(sees(/^Question 1 of/), (page) => page.keyboard.press('?'))],
    'exam-result': [
      `${trial}/preview`,
      steps(
        (page) => choices(page).first().check(),
        press('Finish exam'),
        (page) => page.getByRole('dialog').getByRole('button', { name: 'Submit answers' }).click(),
        sees('Not passed'),
      ),
    ],
    login: ['/login'],
    'login-wrong': ['/login', steps(signInAs('wrong@example.com'), sees('Invalid email or password'))],
    'login-locked': [
      '/login',
      async (page, lived) => {
        await page.getByLabel('Email address').fill('locked@example.com')
        for (const left of [4, 3, 2, 1, 0]) {
          await signInAs('locked@example.com')(page, lived)
          await page.getByText(left === 0 ? 'Account Temporarily Locked' : `${left} attempt(s) remaining`).waitFor()
        }
      },
    ],
    'login-unverified': [
      '/register',
      steps(
        fillIn({
          'Full Name': 'Uma Unverified',
          'Email address': 'uma@example.com',
          Password: admin.password,
          'Confirm Password': admin.password,
        }),
        press('Create account'),
        (page) => page.waitForURL('**/login'),
        fillIn({ 'Email address': 'uma@example.com', Password: admin.password }),
        (page) => page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click(),
        sees('Please verify your email address before signing in'),
      ),
    ],
    register: ['/register'],
    'register-unmet': [
      '/register',
      fillIn({ 'Full Name': 'Nora', 'Email address': 'nora', Password: 'abc', 'Confirm Password': 'abd' }),
    ],
    'register-met': [
      '/register',
      fillIn({
        'Full Name': 'Nora Newcomer',
        'Email address': 'nora@example.com',
        Password: admin.password,
        'Confirm Password': admin.password,
      }),
    ],
    'forgot-password': ['/forgot-password'],
    'reset-password': ['/reset-password?token=some'],
    'login-second-step': [
      '/login',
      steps(
        fillIn({ 'Email address': SECURED, Password: admin.password }),
        (page) => page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click(),
        sees('One more step'),
      ),
    ],
    'verify-email-password': ['/login', steps(openLinkElsewhere, sees(/^You opened the link in another browser/))],
    'verify-email': ['/verify-email?token=too-old', sees(/too old or not complete/)],
    'payment-success': ['/payment-success?session_id=cs_test_1'],
    'payment-nothing': ['/payment-success'],
    'not-found': ['/no-such-page'],
    'api-docs': ['/api/docs'],
    'offline-notice': ['/', steps((page) => page.context().setOffline(true), sees(/^No internet connection/))],
    offline: ['/offline?from=/admin'],
    'offline-practice-none': ['/offline/practice?exam=none', sees(/not on this device|no exam/i)],
    'page-failed': [
      course,
      steps(
        breakMethod('URLSearchParams', 'get'),
        (page) => page.getByRole('link', { name: 'Skip to main content' }).press('Enter'),
        sees('Something went wrong'),
      ),
    ],
  }),
  {
    name: 'application-error',
    who: 'guest',
    path: '/',
    before: breakStart,
    reach: steps(sees('Application Error'), (page) => page.getByText('Error details').click()),
  },
  ...screensOf('secured', {
    account: ['/account'],
    'account-recovery-codes': [
      '/account',
      steps(
        press('Make new recovery codes'),
        (page) => page.getByRole('dialog').getByRole('button', { name: 'Make new recovery codes' }).click(),
        sees(/^Keep these codes in a safe place/),
      ),
    ],
    'account-turn-off-app': ['/account', press('Turn off')],
    'my-courses-unpaid': ['/my-courses'],
    'order-unpaid': ['/my-courses', openUnpaidOrder],
    'order-canceled': ['/my-courses', steps(openUnpaidOrder, (page) => page.goto(`${page.url()}?canceled`))],
  }),
  ...screensOf('newcomer', {
    'account-authenticator': ['/account', steps(press('Set up an app'), sees(/^Scan this picture/))],
    'account-passkey': ['/account', press('Add a passkey')],
    'my-courses-empty': ['/my-courses'],
    'access-denied': ['/admin', sees('Access Denied')],
    'payment-waiting': [({ waiting }) => `/payment-success?session_id=${waiting}`, sees('Your payment is on its way')],
    'payment-failed': [({ failed }) => `/payment-success?session_id=${failed}`, sees('The payment did not go through')],
    'payment-not-verified': ['/payment-success?session_id=cs_test_of_nobody', sees('Verification Error')],
    'redeem-open': [({ openSeat }) => `/redeem/${openSeat}`],
    'redeem-used': [({ usedSeat }) => `/redeem/${usedSeat}`],
    'redeem-unknown': ['/redeem/NO-SUCH-CODE'],
    'exam-locked': [exam],
    'drill-locked': [`${course}/drill`],
    'plan-locked': [`${course}/plan`],
    'mock-locked': [`${course}/mock`],
    'progress-locked': [`${course}/progress`],
    'result-without-a-date': [`${course}/result`],
    'cart-seats': [course, steps(openCart, press(/^One more: /), sees(/1 seat to give away/))],
    'delete-account': ['/delete-account'],
  }),
  {
    name: 'cart-changed',
    who: 'newcomer',
    path: '/',
    before: oldCart,
    reach: steps(
      untilHydrated,
      (page) => page.getByRole('button', { name: /^Open cart, / }).click(),
      press('Checkout'),
      sees('Your cart has changed'),
    ),
  },
  ...screensOf('friend', {
    'redeem-yours': [({ usedSeat }) => `/redeem/${usedSeat}`],
    'payment-returned': [
      ({ returned }) => `/payment-success?session_id=${returned}`,
      sees('This payment was returned'),
    ],
    'drill-open': [`${course}/drill`],
    'plan-new': [`${course}/plan`],
    'mock-new': [`${course}/mock`],
    'drill-running': [({ openDrill }) => `${course}/drill/${openDrill}`, sees(/^Question \d of/)],
    'drill-answered': [
      ({ openDrill }) => `${course}/drill/${openDrill}`,
      steps((page) => choices(page).first().check(), press('Check answer'), sees('Explanation')),
    ],
  }),
  ...screensOf('student', {
    home: ['/'],
    menu: ['/', press('Open menu'), narrow],
    'my-courses': ['/my-courses'],
    account: ['/account'],
    'account-name': ['/account', press('Change name')],
    'account-password': ['/account', press('Change password')],
    'account-address': ['/account', press('Change address')],
    'confirm-address': ['/confirm-address?token=too-old', sees(/has been used, is too old/)],
    'confirmed-google': ['/confirmed?result=done'],
    'confirmed-not': ['/confirmed?result=failed'],
    course: [course],
    'exam-start': [exam],
    'exam-practice': [
      `${exam}/practice`,
      steps(
        (page) => choices(page).first().check(),
        press('Flag'),
        press(/^Note|^Add a note/),
        sees('All answers saved'),
      ),
    ],
    'exam-before-the-clock': [`${exam}/timed`, sees('Start exam')],
    'exam-timed': [
      `${course}/exam/clf-practice-exam-2/timed`,
      steps(press('Start exam'), (page) => choices(page).nth(1).check(), sees('All answers saved')),
    ],
    'exam-finish': [
      `${course}/exam/clf-practice-exam-2/practice`,
      steps(sees(/^Question 1 of/), press('Finish exam'), sees('Submit answers')),
    ],
    'exam-review': [({ attemptId }) => `/exam-review/${attemptId}`],
    'drill-build': [`${course}/drill`],
    progress: [`${course}/progress`],
    plan: [`${course}/plan`],
    'plan-refused': [
      `${course}/plan`,
      steps(
        fillIn({ 'Minutes a day': '1000' }),
        press('Save the plan'),
        sees('Choose 5 to 600 minutes a day, in whole minutes.'),
      ),
    ],
    'plan-calendar-address': [
      `${course}/plan`,
      steps(press(/^Make a calendar address|^New address/), (page) => page.getByLabel('Secret address').waitFor()),
    ],
    diagnostic: [`${course}/diagnostic`],
    'diagnostic-running': [
      `${course}/diagnostic`,
      steps(press(/^Start|^Continue/), (page) => page.getByRole('heading', { name: /^Question \d+\b/ }).waitFor()),
    ],
    mock: [`${course}/mock`],
    'custom-exam-refused': [`${course}/drill?kind=custom`, fillIn({ Minutes: '0' })],
    result: [`${course}/result`],
    'study-sheet': [`${course}/study/security-and-compliance`],
    'drill-result': [({ finishedDrill }) => `${course}/drill/${finishedDrill}`],
    'payment-success': [({ paid }) => `/payment-success?session_id=${paid}`, sees('Payment Successful!')],
    receipt: [({ orderId }) => `/orders/${orderId}`],
    cart: [course, openCart],
    'offline-practice': [
      exam,
      steps(
        press('Keep for offline practice'),
        sees(/^On this device until/),
        (page) => page.goto('/offline/practice?exam=clf-practice-exam-1'),
        sees(/^Question 1 of/),
      ),
    ],
    'offline-practice-refused': [
      exam,
      steps(
        forgeSignature,
        press('Keep for offline practice'),
        sees(/^On this device until/),
        (page) => page.goto('/offline/practice?exam=clf-practice-exam-1'),
        (page) => choices(page).first().check(),
        press('Check answer'),
        press('Finish'),
        sees(/^This practice does not count/),
        (page) => page.goto(exam),
        sees(/^A practice of/),
      ),
    ],
  }),
  ...screensOf('admin', adminScreenshots),
  { name: 'account-without-scripts', who: 'student', path: '/account', isScriptless: true },
  { name: 'my-courses-without-scripts', who: 'student', path: '/my-courses', isScriptless: true },
  { name: 'exam-without-scripts', who: 'student', path: `${exam}/practice`, isScriptless: true },
]

/** Taken last, after all courses are deleted, or withdrawn where somebody has them. */
const screenshotsOfAnEmptyShop: readonly Screenshot[] = [
  ...screensOf('guest', { 'home-empty': ['/', sees('No Courses Available')] }),
  ...screensOf('admin', { 'courses-withdrawn': ['/admin/course-management'] }),
]

async function run() {
  const stop = await startServer()
  const executablePath = findChromium()
  const browser = await chromium.launch({
    args: chromiumArguments,
    ...(executablePath === null ? {} : { executablePath }),
  })
  try {
    if (process.argv.includes('--readme')) await screenshotForReadme(browser)
    else await screenshotAll(browser, process.argv.slice(2))
  } finally {
    await browser.close()
    await stop()
  }
}

async function screenshotForReadme(browser: Browser) {
  const context = await browser.newContext({
    baseURL: setByServer('E2E_URL'),
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto('/')
  await untilHydrated(page)
  await page.screenshot({ path: 'docs/screenshot.png' })
}

async function screenshotAll(browser: Browser, names: readonly string[]) {
  const started = Date.now()
  const isSelected = ({ name, who }: Screenshot) => names.length === 0 || names.includes(name) || names.includes(who)
  const url = setByServer('E2E_URL')
  const { lived, cookies } = await fillShop(url, setByServer('E2E_DATA_DIR'))
  await emptyFolder(FOLDER)
  const options = { url, lived, cookies, folder: FOLDER }
  const selected = screenshots.filter(isSelected)
  const full = await takeScreenshots(browser, { ...options, screenshots: selected })
  const selectedLast = screenshotsOfAnEmptyShop.filter(isSelected)
  if (selectedLast.length > 0) await deleteCourses(url, cookies.admin)
  const empty = await takeScreenshots(browser, { ...options, screenshots: selectedLast })
  const taken = [...full.taken, ...empty.taken]
  await writeAlbum(FOLDER, taken, [...selected, ...selectedLast])
  const problems = [...full.problems, ...empty.problems]
  for (const problem of problems) console.error(problem)
  const count = taken.reduce((sum, { files }) => sum + files.length, 0)
  console.log(
    `${count} screenshots of ${taken.length} screens (${widths.join(', ')} px; ${themes.join(', ')}) in ${Math.round((Date.now() - started) / 1000)} s: ${FOLDER}/index.html`,
  )
  if (problems.length > 0) process.exitCode = 1
}

async function deleteCourses(url: string, storageState: Awaited<ReturnType<typeof fillShop>>['cookies']['admin']) {
  const context = await request.newContext({ baseURL: url, storageState, extraHTTPHeaders: { origin: url } })
  const { courses } = (await (await context.get('/api/admin/courses')).json()) as { courses: { id: string }[] }
  for (const { id } of courses) {
    const reply = await context.delete(`/api/courses/${id}`)
    if (!reply.ok()) throw new Error(`course ${id} could not be deleted: ${await reply.text()}`)
  }
  await context.dispose()
}

function setByServer(name: 'E2E_URL' | 'E2E_DATA_DIR'): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`start-server.ts has not set ${name}`)
  return value
}

await run()
