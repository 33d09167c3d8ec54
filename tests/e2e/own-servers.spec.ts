import { randomUUID } from 'node:crypto'
import { freePort } from '../../src/app/server/free-port.server.ts'
import { aProxyBefore } from './own-server.ts'
import { test } from './own-server-test.ts'
import { admin } from './shared-users.ts'
import { expect, expectGoodPage, signIn, visit } from './e2e-test.ts'

// What a person meets only where a server has no courses, cannot write, or is gone: each test has a server of its own.

test('an empty shop says so, until its first course is there, described by nobody', async ({ startServer }) => {
  test.setTimeout(150_000)
  const server = await startServer()
  const guest = await server.newPage()
  await visit(guest, '/')
  await expect(guest.getByText('No Courses Available')).toBeVisible()
  await expect(guest.getByText('Check back later for new courses.')).toBeVisible()
  await expectGoodPage(guest)

  const ada = await server.newPage()
  await signIn(ada, admin)
  await visit(ada, '/admin/course-management')
  await ada.getByRole('button', { name: 'New course' }).click()
  const form = ada.getByRole('dialog', { name: 'New course' })
  await form.getByLabel('Title').fill('The first course')
  await form.getByLabel('Price in dollars').fill('5')
  await form.getByLabel('State').selectOption('published')
  await form.getByRole('button', { name: 'Save course' }).click()
  await ada.getByRole('button', { name: 'Add exam: The first course' }).click()
  const exam = ada.getByRole('dialog', { name: 'New exam in The first course' })
  await exam.getByLabel('Exam title').fill('The first exam')
  const question = { id: 'q1', question: 'Why?', answer_a: 'So', answer_b: 'Not', final_answer: 'A', explanation: 'E' }
  await exam.getByLabel('Questions as JSON (optional)').fill(JSON.stringify([question]))
  await exam.getByRole('button', { name: 'Save exam' }).click()
  await expect(ada.getByText('All changes are saved.')).toBeVisible({ timeout: 20_000 })
  await ada.getByRole('button', { name: 'Refresh' }).click()
  await expect(ada.getByText('Courses loaded successfully!')).toBeVisible()
  await expect(ada.getByText('Found 1 course(s) (Admin view)')).toBeVisible()

  await ada.getByRole('link', { name: 'Edit exams: The first course' }).click()
  await ada
    .getByRole('main')
    .getByRole('link', { name: /The first exam/ })
    .click()
  await expect(
    ada.getByRole('listitem').filter({ hasText: 'Why?' }).getByText('General', { exact: true }),
  ).toBeVisible()

  await visit(guest, '/')
  await expect(guest.getByText('No Courses Available')).toHaveCount(0)
  await guest.getByRole('link', { name: 'The first course', exact: true }).click()
  await expect(guest.getByRole('main').getByText('No description')).toBeVisible()
})

test('what the database refuses is said in the words of the shop, at the form and as a toast', async ({
  startServer,
}) => {
  test.setTimeout(150_000)
  const server = await startServer()
  const ada = await server.newPage()
  await signIn(ada, admin)
  await visit(ada, '/admin/pricing')
  const form = ada.getByRole('dialog', { name: 'New coupon' })
  const make = async (code: string, percent: string) => {
    await ada.getByRole('button', { name: 'New coupon' }).click()
    await form.getByLabel('Code').fill(code)
    await form.getByLabel('Percent', { exact: true }).fill(percent)
    await form.getByRole('button', { name: 'Create coupon' }).click()
  }
  const activeOf = (code: string) => ada.getByRole('switch', { name: `Active: ${code}` })
  await make('FIRST', '10')
  await expect(activeOf('FIRST')).toBeChecked()

  // Rules that whoever runs the database has added, and of which the shop has not heard.
  await server.sql('create unique index one_of_each on coupons (percent)')
  await make('SECOND', '10')
  await expect(form.getByText('This record already exists')).toBeVisible()
  await expect(form.getByLabel('Code')).toHaveValue('SECOND')
  await expectGoodPage(ada)
  await server.sql(`
    create table contracts (code text primary key);
    alter table coupons add constraint by_contract foreign key (code) references contracts not valid`)
  await form.getByLabel('Percent', { exact: true }).fill('20')
  await form.getByRole('button', { name: 'Create coupon' }).click()
  await expect(form.getByText('Referenced record does not exist')).toBeVisible()
  await server.sql('alter table coupons drop constraint by_contract')
  await form.getByRole('button', { name: 'Create coupon' }).click()
  await expect(activeOf('SECOND')).toBeChecked()

  // The switch shows the change before it is stored.
  const stored = ada.waitForResponse((reply) => /coupon/.test(reply.url()) && reply.request().method() !== 'GET')
  await activeOf('FIRST').click()
  expect((await stored).status()).toBe(200)
  await expect(activeOf('FIRST')).not.toBeChecked()
  await server.sql('create unique index one_active on coupons (is_active) where is_active')
  await activeOf('FIRST').click()
  await expect(ada.getByText('Validation Error')).toBeVisible()
  await expect(ada.getByText('This record already exists')).toBeVisible()
  await expect(activeOf('FIRST')).not.toBeChecked()

  // A row that is gone, by a page that still shows it.
  const said = { id: randomUUID(), type: 'positive', message: 'Gone in a moment', context: '/' }
  await ada.request.post('/api/feedback', { data: said, headers: { origin: server.url } })
  const desk = await ada.context().newPage()
  await visit(desk, '/admin/feedback')
  await server.sql('delete from feedback')
  await desk.getByRole('button', { name: 'Mark as done' }).click()
  await expect(desk.getByText('The requested resource was not found')).toBeVisible()

  await server.sql('revoke update on coupons from current_user')
  await activeOf('SECOND').click()
  await expect(ada.getByText('Data Error')).toBeVisible()
  await expect(ada.getByText('Database operation failed')).toBeVisible()
  await expect(activeOf('SECOND')).toBeChecked()
})

test('when only a proxy is left of the server, and then not even that, signing in and paying say what happened', async ({
  startServer,
}) => {
  test.setTimeout(150_000)
  const port = await freePort()
  const proxy = await aProxyBefore(port)
  const server = await startServer({ port, url: proxy.url })
  const buyer = await server.newPage()
  await signIn(buyer, admin)
  const added = await buyer.request.post('/api/courses', {
    data: { title: 'A course behind a proxy', price: 60, status: 'published' },
    headers: { origin: proxy.url },
  })
  expect(added.status()).toBe(200)
  await visit(buyer, '/course/a-course-behind-a-proxy')
  await buyer.getByRole('button', { name: 'Add to Cart' }).click()
  await buyer.getByRole('button', { name: 'Open cart, 1 item' }).click()
  const checkout = buyer.getByRole('dialog', { name: 'Your cart' }).getByRole('button', { name: 'Checkout' })
  await expect(checkout).toBeEnabled()
  const guest = await server.newPage()
  await visit(guest, '/login')
  await guest.getByLabel('Email address').fill(admin.email)
  await guest.getByLabel('Password', { exact: true }).fill(admin.password)
  const enter = guest.getByRole('main').getByRole('button', { name: 'Sign In', exact: true })

  const ada = await server.newPage()
  await signIn(ada, admin)
  const coupon = {
    code: 'FIRST',
    percent: 10,
    amount: null,
    firstDay: null,
    lastDay: null,
    useLimit: null,
    courseIds: null,
  }
  await ada.request.post('/api/coupons', { data: coupon, headers: { origin: proxy.url } })
  // What only asks is asked once more when a reply gets lost.
  await visit(ada, '/admin/course-management')
  const asked = proxy.failNext(/\/dependents$/)
  await ada.getByRole('button', { name: 'Delete: A course behind a proxy' }).click()
  const question = ada.getByRole('dialog')
  await expect(question.getByText('People who own it now')).toBeVisible()
  expect(asked()).toBe(2)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await visit(ada, '/admin/pricing')

  await server.stop()
  await ada.getByRole('switch', { name: 'Active: FIRST' }).click()
  await expect(ada.getByText('Error', { exact: true })).toBeVisible()
  await expect(ada.getByText(/^Something went wrong on our side/)).toBeVisible()
  await checkout.click()
  await expect(buyer.getByText('Checkout Failed')).toBeVisible()
  await expect(buyer.getByText('There was an issue processing your checkout. Please try again.')).toBeVisible()
  await expect(checkout).toBeEnabled()
  await enter.click()
  await expect(guest.getByText('Authentication failed')).toBeVisible()
  await expectGoodPage(guest)
  await proxy.close()
  await enter.click()
  await expect(guest.getByText('Network request failed. Please try again.')).toBeVisible()
  await expect(guest.getByLabel('Email address')).toHaveValue(admin.email)
})
