import { expect, test } from 'vitest'
import { noticeOf, openNotice, showNotice, type NoticeScope } from './push-notice.ts'

const origin = 'https://shop.example'

/** The worker's scope, with windows that are open at these addresses. */
function aScope(...urls: string[]) {
  const done: unknown[] = []
  const windows = urls.map((url) => ({ url, focus: () => Promise.resolve(done.push(['focus', url])) }))
  const scope: NoticeScope = {
    registration: {
      showNotification: (title, options) => Promise.resolve(void done.push([title, options])),
    },
    clients: {
      matchAll: () => Promise.resolve(windows),
      openWindow: (url) => Promise.resolve(done.push(['open', url])),
    },
    location: { origin },
  }
  return { scope, done }
}

test('a push message is shown with its page, and one that cannot be read is shown as a plain sentence', async () => {
  const { scope, done } = aScope()
  await showNotice(scope, JSON.stringify({ title: 'Today: 3 cards', body: 'Cloud: 3 cards.', url: '/course/a/plan' }))
  const options = {
    body: 'Cloud: 3 cards.',
    icon: '/icons/icon-192.png',
    tag: '/course/a/plan',
    data: { path: '/course/a/plan' },
  }
  expect(done).toEqual([['Today: 3 cards', options]])
  for (const text of ['', '{', 'null', '[]', '{"title":1}', '"x"'])
    expect(noticeOf(text, origin)).toEqual({
      title: 'Time to study',
      body: 'Your plan has something for today.',
      path: '/',
    })
})

test('a notification opens pages of the shop only, whatever the message says', () => {
  const pathOf = (url: string) => noticeOf(JSON.stringify({ url }), origin).path
  expect(['/course/a/plan?x=1', `${origin}/my-courses`].map(pathOf)).toEqual(['/course/a/plan?x=1', '/my-courses'])
  for (const url of [
    'https://evil.example/a',
    '//evil.example/a',
    '/\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://shop.example/a',
  ])
    expect([url, pathOf(url)]).toEqual([url, '/'])
})

test('a press goes to the open window of the page, and opens one where there is none', async () => {
  const open = aScope(`${origin}/course/a/exam/1/timed`, `${origin}/course/a/plan`)
  await openNotice(open.scope, { path: '/course/a/plan' })
  expect(open.done).toEqual([['focus', `${origin}/course/a/plan`]])
  const closed = aScope(`${origin}/course/a/exam/1/timed`)
  await openNotice(closed.scope, { path: '/course/a/plan' })
  await openNotice(closed.scope, null)
  expect(closed.done).toEqual([
    ['open', '/course/a/plan'],
    ['open', '/'],
  ])
})
