import { expect, test } from 'vitest'
import { cachesOf, isOfBuild, isOutdated, isPrivate, kindOf, needsNetwork, pageOf, OWNER_CACHE } from './offline.ts'

const get = (path: string, isNavigation = true, method = 'GET') =>
  kindOf({ method, isNavigation, url: new URL(path, 'https://shop.example') })

test('the worker ignores writes, API calls, emulators and files', () => {
  expect(get('/', true, 'POST')).toBe('other')
  for (const path of ['/api/courses', '/api/realtime', '/demo/outbox', '/assets/a.js', '/sitemap.xml', '/favicon.svg'])
    expect(get(path)).toBe('other')
  expect(get('/course/a', false)).toBe('other')
})

test('a request is for a page or for its data, and data has the path of its page', () => {
  expect(get('/')).toBe('page')
  expect(get('/course/a?mode=preview')).toBe('page')
  expect(get('/course/a.data', false)).toBe('data')
  expect(['/_root.data', '/course/a.data', '/my-courses'].map(pageOf)).toEqual(['/', '/course/a', '/my-courses'])
})

test('admin, payment, running exams and pages with codes are never stored', () => {
  expect(
    Object.fromEntries(
      [
        '/admin',
        '/admin/orders.data',
        '/payment-success',
        '/exam/a/timed',
        '/course/a/exam/b/practice',
        '/course/a/drill/1',
        '/reset-password',
        '/redeem/ABC',
        '/delete-account',
        '/account',
        '/confirm-address',
        '/confirmed',
      ].map((path) => [path, needsNetwork(path)]),
    ),
  ).toEqual({
    '/admin': 'admin',
    '/admin/orders.data': 'admin',
    '/payment-success': 'payment',
    '/exam/a/timed': 'exam',
    '/course/a/exam/b/practice': 'exam',
    '/course/a/drill/1': 'exam',
    '/reset-password': 'account',
    '/redeem/ABC': 'account',
    '/delete-account': 'account',
    '/account': 'account',
    '/confirm-address': 'account',
    '/confirmed': 'account',
  })
  for (const path of ['/', '/course/a', '/course/a/exam/b', '/my-courses', '/exam-review/1', '/administration'])
    expect(needsNetwork(path)).toBeNull()
})

test('pages of another build are not stored, and caches of an earlier build are outdated', () => {
  expect(isOfBuild('<script src="/assets/manifest-1.js">', '/assets/manifest-1.js')).toBe(true)
  expect(isOfBuild('<script src="/assets/manifest-2.js">', '/assets/manifest-1.js')).toBe(false)
  const old = Object.values(cachesOf('1'))
  expect(old.map((name) => isOutdated(name, '2'))).toEqual([true, true])
  expect(old.map((name) => isOutdated(name, '1'))).toEqual([false, false])
  expect(['workbox-precache-v2', 'another'].map((name) => isOutdated(name, '1'))).toEqual([false, false])
})

test('caches of the signed-in user are private', () => {
  const { guest, own } = cachesOf('1')
  expect([guest, own, OWNER_CACHE].map(isPrivate)).toEqual([false, true, true])
})
