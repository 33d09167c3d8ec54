import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { looks } from '../../tests/e2e/pages.ts'
import { adminPaths } from '../lib/admin-paths.ts'
import { paths } from '../lib/paths.ts'
import { projectRoot } from '../platform/project-root.server.ts'
import { redirects } from './page-loaders.server.ts'
import routes from './routes.ts'

const NOT_YET = 'not yet'
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('each path of the sheet leads to this page or redirect', () => {
  const map = sheetPaths().map((path) => `${path.padEnd(44)} ${answerTo(path)}`)
  expect(`\n${map.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    /                                            home-page.tsx
    /home                                        -> /
    /login                                       login-page.tsx
    /register                                    register-page.tsx
    /forgot-password                             forgot-password-page.tsx
    /reset-password                              reset-password-page.tsx
    /course/{courseSlug or courseId}             course-page.tsx
    /course/{slug}?mode=preview                  course-page.tsx
    /course/{courseSlug}/exam/{examSlug}         exam-start-page.tsx
    /course/{courseSlug}/exam/{examSlug}/{mode}  exam-page.tsx
    /exam/{examSlug}                             exam-start-page.tsx
    /exam/{examSlug}/{mode}                      exam-page.tsx
    /course/{slug}/result                        result-page.tsx
    /pledge                                      pledge-page.tsx
    /results                                     public-results-page.tsx
    /admin/results                               results-page.tsx
    /course/{slug}/drill                         drill-page.tsx
    /course/{slug}/study/{sheet}                 study-sheet-page.tsx
    /course/{slug}/plan                          plan-page.tsx
    /stop-reminders/{token}                      stop-reminders-page.tsx
    /calendar/{secret}.ics                       a file, by a call
    /course/{slug}/progress                      progress-page.tsx
    /course/{slug}/diagnostic                    diagnostic-page.tsx
    /course/{slug}/mock                          mock-exams-page.tsx
    /course/{slug}/mock/{attemptId}              exam-page.tsx
    /admin                                       dashboard-page.tsx
    /admin/analytics                             analytics-page.tsx
    /admin/course-builder                        course-builder-page.tsx
    /admin/course-management                     course-management-page.tsx
    /admin/course-management/{courseId}          course-record-page.tsx
    /admin/course-management/edit/{courseId}     course-edit-page.tsx
    /admin/pricing                               pricing-page.tsx
    /admin/pricing/{courseId}                    price-record-page.tsx
    /admin/manage-users                          manage-users-page.tsx
    /admin/manage-users/{userId}                 user-page.tsx
    /course-builder                              -> /admin/course-builder
    /course-management                           -> /admin/course-management
    /analytics                                   -> /admin/analytics
    /my-courses                                  my-courses-page.tsx
    /courses                                     -> /my-courses
    /learning                                    -> /my-courses
    /learning-dashboard                          -> /my-courses
    /learning/*                                  -> /my-courses
    /exam-review/{attemptId}                     exam-review-page.tsx
    /payment-success?session_id&course_id&cart   payment-success-page.tsx
    /redeem/{code}                               redeem-page.tsx
    /orders/{orderId}                            order-page.tsx
    /admin/orders                                orders-page.tsx
    /admin/reports                               question-reports-page.tsx
    /admin/work                                  work-page.tsx
    /admin/feedback                              feedback-page.tsx
    /admin/exams/{examId}/statistics             statistics-page.tsx
    /admin/question-checks                       question-checks-page.tsx
    /admin/course-management/{courseId}/guide    guide-change-page.tsx
    /admin/freshness                             freshness-page.tsx
    /admin/audit                                 audit-page.tsx
    /verify-email                                verify-email-page.tsx
    /api/docs                                    api-docs-page.tsx
    /demo/outbox                                 an emulator, if it runs
    /demo/pay/{sessionId}                        an emulator, if it runs
    /demo/google                                 an emulator, if it runs
    any other path                               not-found-page.tsx
    "
  `)
})

test('every path that a page links to exists', () => {
  const source = Object.values(sources).join('\n')
  const usedOf = (of: string, all: typeof paths | typeof adminPaths) =>
    Object.entries(all).filter(([name]) => new RegExp(`\\b${of}\\.${name}\\b`).test(source))
  const used = [...usedOf('paths', paths), ...usedOf('adminPaths', adminPaths)]
  const addresses = used.map(([, path]) => (typeof path === 'string' ? path : path('first', 'second', 'timed')))
  expect(addresses.filter((path) => answerTo(path) === NOT_YET)).toEqual([])
})

test('every page has a row in tests/e2e/pages.ts', () => {
  expect(Object.keys(looks).toSorted()).toEqual([...new Set(pagesOf(routes))].toSorted())
})

function pagesOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path === undefined ? above : `${above}/${path}`
    // A layout has no page of its own; its index route has.
    if (children !== undefined) return pagesOf(children, here)
    return index === true && here === '' ? ['/'] : [here]
  })
}

/** The page's file, the target of a redirect, or the emulator. */
function answerTo(path: string): string {
  const pathname = path
    .replace(/\?.*$/, '')
    .replaceAll(/\{[^}]*\}/g, 'some-name')
    .replace('*', 'anything')
  if (path === 'any other path') return pageAt('/no/such/page/anywhere')
  if (pathname.startsWith('/demo/')) return 'an emulator, if it runs'
  // Not pages: calls of the API that reply with a file.
  if (pathname.startsWith('/calendar/') || pathname.endsWith('/calendar')) return 'a file, by a call'
  for (const [from, to] of Object.entries(redirects))
    if (from === pathname || (from.endsWith('/*') && pathname.startsWith(from.slice(0, -1)))) return `-> ${to}`
  const page = pageAt(pathname)
  return page === pageAt('/no/such/page/anywhere') ? NOT_YET : page
}

function pageAt(pathname: string): string {
  return String(matchRoutes(routes.map(asRoute), pathname)?.at(-1)?.route.handle)
}

function asRoute({ path, index, file, children }: RouteConfigEntry): RouteObject {
  const handle = file.replace(/^.*\//, '')
  if (index === true) return { index, handle }
  return { ...(path === undefined ? {} : { path }), handle, children: (children ?? []).map(asRoute) }
}

function sheetPaths(): string[] {
  const [, ...lines] = readFileSync(join(projectRoot, 'docs/spec/routes.tsv'), 'utf8').trimEnd().split('\n')
  return lines.flatMap((line) => (line.split('\t')[0] ?? '').split(', '))
}
