import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACCESS_DAYS } from '../features/access/access.ts'
import * as authEvents from '../features/accounts/auth-events.ts'
import * as credentials from '../features/accounts/credentials.ts'
import * as lockout from '../features/accounts/lockout.ts'
import * as signInLimit from '../features/accounts/sign-in-limit.ts'
import * as catalogue from '../features/catalogue/catalogue.ts'
import * as courseRules from '../features/catalogue/course-rules.ts'
import { CLEAR_RELOAD_MS } from '../features/catalogue/data-calls/local-courses.ts'
import { MIGRATION_LOCK_MS, MIGRATION_PAUSE_MS } from '../features/catalogue/data-calls/local-migration.ts'
import * as sync from '../features/catalogue/data-calls/course-sync.ts'
import { FEEDBACK_DELAY_MS } from '../features/feedback/feedback.ts'
import * as pricing from '../features/pricing/quote.ts'
import * as cache from '../platform/cache/cache-classes.ts'
import { QUERY_RETRIES } from '../platform/api-client.ts'
import * as realtime from '../platform/realtime/realtime.ts'
import { projectRoot } from '../platform/project-root.server.ts'
import { DEDUPE_MS, TOAST_CLOSE_MS, TOASTS_VISIBLE } from '../ui/toast-queue.ts'

const tokens = readFileSync(join(projectRoot, 'src/ui/tokens.css'), 'utf8')
const breakpoint = (name: string) => Number(new RegExp(`--breakpoint-${name}: (\\d+)px`).exec(tokens)?.[1])

/** The constant of each number, in the sheet's unit. */
const constants: Record<string, number> = {
  'access.days': ACCESS_DAYS,
  'lockout.failures': lockout.LOCKOUT_FAILURES,
  'lockout.minutes': lockout.LOCKOUT_MINUTES,
  'rate.attempts': signInLimit.RATE_ATTEMPTS,
  'rate.window': signInLimit.RATE_WINDOW_MS,
  'auth.init.timeout': authEvents.AUTH_INIT_TIMEOUT_MS,
  'auth.admin.wait': authEvents.ADMIN_WAIT_MS,
  'auth.redirect.delay': authEvents.LOGIN_REDIRECT_DELAY_MS,
  'errors.kept': authEvents.MAX_ERROR_RECORDS,
  'email.max': credentials.EMAIL_MAX,
  'password.min': credentials.PASSWORD_MIN,
  'toast.dedupe.success': DEDUPE_MS.success,
  'toast.dedupe.error': DEDUPE_MS.error,
  'toast.dedupe.warning': DEDUPE_MS.warning,
  'toast.close': TOAST_CLOSE_MS,
  'toast.visible': TOASTS_VISIBLE,
  'price.min': courseRules.PRICE_MIN_CENTS / 100,
  'price.max': courseRules.PRICE_MAX_CENTS / 100,
  'title.max': courseRules.TITLE_LIMIT,
  'description.max': courseRules.DESCRIPTION_LIMIT,
  'grid.columns': catalogue.GRID_COLUMNS,
  'sync.debounce': sync.SYNC_DEBOUNCE_MS,
  'sync.clear.reload': CLEAR_RELOAD_MS,
  'migration.lock': MIGRATION_LOCK_MS,
  'migration.pause': MIGRATION_PAUSE_MS,
  'db.retry.attempts': sync.RETRY_ATTEMPTS,
  'db.retry.delay': sync.RETRY_DELAY_MS,
  'db.retry.factor': sync.RETRY_FACTOR,
  'cart.tax': pricing.TAX_PERCENT,
  'cart.shipping': pricing.SHIPPING_CENTS / 100,
  'cart.shipping.free': pricing.FREE_SHIPPING_ABOVE_CENTS / 100,
  'cache.refresh.cooldown': realtime.REFRESH_COOLDOWN_MS,
  'cache.refresh.cooldown.large': realtime.REFRESH_COOLDOWN_LARGE_MS,
  'cache.refresh.lock': realtime.REFRESH_LOCK_MS,
  'cache.refresh.lock.large': realtime.REFRESH_LOCK_LARGE_MS,
  'cache.large': realtime.LARGE_CATALOGUE,
  'cache1.ttl': cache.FIRST_CACHE_TTL_MS,
  'cache1.entries': cache.FIRST_CACHE_ENTRIES,
  'cache2.ttl': cache.LIFETIMES_MS.default,
  'cache2.entries': cache.SECOND_CACHE_ENTRIES,
  'cache2.courses': cache.LIFETIMES_MS['all-courses'],
  'cache2.course': cache.LIFETIMES_MS.course,
  'cache2.exam': cache.LIFETIMES_MS.exam,
  'class.user-courses': cache.LIFETIMES_MS['user-courses'],
  'class.course-detail': cache.LIFETIMES_MS['course-detail'],
  'class.exam-data': cache.LIFETIMES_MS['exam-data'],
  'class.search-results': cache.LIFETIMES_MS['search-results'],
  'class.user-progress': cache.LIFETIMES_MS['user-progress'],
  'class.analytics': cache.LIFETIMES_MS.analytics,
  'class.hot': cache.ADAPTIVE_TTL.hotAbove,
  'class.cold': cache.ADAPTIVE_TTL.coldBelow,
  'class.sweep': cache.ADAPTIVE_TTL.sweepEveryMs,
  'class.sweep.above': cache.ADAPTIVE_TTL.sweepAbove,
  'class.sweep.share': cache.ADAPTIVE_TTL.sweepPercent,
  'class.precache.exams': cache.READ_AHEAD_EXAMS,
  'class.hot.factor': cache.ADAPTIVE_TTL.hotFactor,
  'class.cold.factor': cache.ADAPTIVE_TTL.coldFactor,
  'feedback.delay': FEEDBACK_DELAY_MS,
  'query.retry': QUERY_RETRIES,
  'breakpoint.mobile': breakpoint('tablet'),
  'breakpoint.tablet': breakpoint('desktop'),
}

test('every number of the sheet equals its constant', () => {
  expect(constants).toEqual(Object.fromEntries(readSheet()))
})

function readSheet(): Map<string, number> {
  const [, ...lines] = readFileSync(join(projectRoot, 'docs/spec/constants.tsv'), 'utf8').trim().split('\n')
  return new Map(lines.map((line) => line.split('\t')).map(([key = '', value]) => [key, Number(value)]))
}
