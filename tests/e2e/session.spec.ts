import { aNewcomer } from './shared-users.ts'
import { expect, registerAndVerify, signIn, test, visit } from './e2e-test.ts'

test('who signs out in one tab is signed out in the others, and who signs in is signed in', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED/)
  const user = aNewcomer()
  await registerAndVerify(page, user)
  await visit(page, '/')
  const other = await context.newPage()
  await visit(other, '/my-courses')
  await expect(other.getByRole('heading', { level: 1, name: 'My Courses' })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('rate_limit_a@example.com_login', '[1]'))

  const banner = page.getByRole('banner')
  await context.setOffline(true)
  await banner.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Connection Error')).toBeVisible()
  await expect(banner.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await context.setOffline(false)

  await banner.getByRole('button', { name: 'Sign Out' }).click()
  await expect(banner.getByRole('link', { name: 'Sign In' })).toBeVisible()
  // A page that is for those who are signed in goes to the form; the way back stands in its address.
  await expect(other).toHaveURL(/\/login\?redirect=%2Fmy-courses/)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('rate_limit_')))).toEqual(
    [],
  )

  await signIn(page, user)
  await expect(other.getByRole('heading', { level: 1, name: 'My Courses' })).toBeVisible()
})
