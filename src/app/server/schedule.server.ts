import { sendAccessEmails } from '../../features/access/access-commands.server.ts'
import { closeOverdueAttempts } from '../../features/attempts/close-attempts-commands.server.ts'
import { deleteOldTokens } from '../../features/accounts/accounts-commands.server.ts'
import { CHECK_JOB } from '../../features/authoring/checks/question-checks-commands.server.ts'
import { checkDueLinks } from '../../features/authoring/freshness/links/link-checks-commands.server.ts'
import { createLinkVisitor } from '../../features/authoring/freshness/links/link-visitor-gateway.server.ts'
import { reconcileOrders } from '../../features/checkout/payment/payment-commands.server.ts'
import { deleteImportBytes } from '../../features/exchange/imports/imports-commands.server.ts'
import { calibrateDueCourses } from '../../features/study/calibration/calibration-commands.server.ts'
import { deleteOldGuestDiagnostics } from '../../features/study/diagnostic/diagnostic-commands.server.ts'
import { fitDueLearners } from '../../features/study/repetition/memory-fits-commands.server.ts'
import { sendResultQuestions } from '../../features/study/exam-results/exam-results-commands.server.ts'
import { sendReminders } from '../../features/study/reminders/reminders-commands.server.ts'
import { applyDuePrices } from '../../features/pricing/scheduled-prices/scheduled-prices-commands.server.ts'
import type { CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import { deleteOldCounts } from '../../platform/limits/rate-limits-commands.server.ts'
import { LOOK_SECONDS } from '../../platform/silent-work.server.ts'
import { deleteOldChanges } from '../../platform/realtime/catalogue-changes.server.ts'
import type { BankWorkers } from './banks/bank-workers.server.ts'
import type { ScheduledBackups } from '../backups/scheduled-backups.server.ts'
import type { Services } from './services.server.ts'

const DELETE_IMPORT_FILES_SECONDS = 6 * 60 * 60
/** Longest time that a lost webhook keeps a paid course closed. */
const RECONCILE_ORDERS_SECONDS = 120
/** Longest delay of the email that announces the end of an access period. */
const ACCESS_EMAILS_SECONDS = 60 * 60
/** Longest delay of the submission of an overdue timed attempt that no request has closed. */
const CLOSE_ATTEMPTS_SECONDS = 15
/** Longest time that a page shows a price after a scheduled one is due. Quotes always use the due price. */
const APPLY_PRICES_SECONDS = 0.5
/** How often it is looked whether a course has enough new answers to be calibrated again. */
const CALIBRATE_SECONDS = 15 * 60
/** How often it is looked whether learners have enough new reviews to fit their intervals again. */
const FIT_MEMORIES_SECONDS = 60 * 60
/** Longest delay of the email that asks how an exam went. */
const RESULT_QUESTIONS_SECONDS = 30 * 60
/** How often a batch of links is opened, if links are checked at all: 50 in ten minutes are 50,000 in a week. */
const CHECK_LINKS_SECONDS = 10 * 60
/** Longest delay of a reminder after the hour that the learner chose. */
const REMINDERS_SECONDS = 5 * 60
/** How often it is looked whether a backup is due. */
const BACKUPS_SECONDS = 20
/** For checks whose process died, or whose database went away. One that failed by itself is not tried again. */
const CHECK_TRIES = { retryLimit: 5, retryDelay: 2 }
const DELETE_CHANGES_SECONDS = 6 * 60 * 60
const DELETE_COUNTS_SECONDS = 10 * 60
const DELETE_GUEST_DIAGNOSTICS_SECONDS = 6 * 60 * 60
const DELETE_TOKENS_SECONDS = 60 * 60

type Workers = {
  readonly bankWorkers: BankWorkers
  readonly cachedQueries: CachedQueries
  readonly backups: ScheduledBackups | null
}

/**
 * Starts the regular jobs, and the worker for checks of the question bank. The names are those of the locks that keep a
 * job from running in two processes at once.
 */
export async function startSchedule(
  services: Services,
  { bankWorkers, cachedQueries, backups }: Workers,
): Promise<void> {
  const { env, log, clock, jobs, mail, push, secret } = services
  const { db } = services.database
  const sender = { mail, brand: env.brandName, appUrl: env.appUrl }

  jobs.every('tidy-imports', LOOK_SECONDS, () => bankWorkers.resumeImports())
  jobs.every('reconcile-orders', RECONCILE_ORDERS_SECONDS, async () => {
    const deps = { ...sender, gateway: services.payment, log }
    const repair = await reconcileOrders(db, deps, { now: clock.now() })
    if (repair.fulfilled + repair.closed + repair.failed > 0) log.info({ repair }, 'reconciled orders with the gateway')
  })
  jobs.every('access-letters', ACCESS_EMAILS_SECONDS, async () => {
    const queued = await sendAccessEmails(db, sender, clock.now())
    if (queued > 0) log.info({ queued }, 'queued emails about access that ends soon')
  })
  jobs.every('ask-for-results', RESULT_QUESTIONS_SECONDS, async () => {
    const queued = await sendResultQuestions(db, sender, clock.now())
    if (queued > 0) log.info({ queued }, 'queued emails that ask how an exam went')
  })
  jobs.every('remind-learners', REMINDERS_SECONDS, async () => {
    const queued = await sendReminders({ ...sender, push, db, cachedQueries, secret, log }, clock.now())
    if (queued > 0) log.info({ queued }, 'queued reminders of what is left for today')
  })
  jobs.every('close-overdue-attempts', CLOSE_ATTEMPTS_SECONDS, async () => {
    await closeOverdueAttempts(db, clock.now())
  })
  jobs.every('carry-out-prices', APPLY_PRICES_SECONDS, async () => {
    const courses = await applyDuePrices(db, clock.now())
    if (courses > 0) log.info({ courses }, 'applied scheduled prices')
  })
  jobs.every('calibrate-items', CALIBRATE_SECONDS, async () => {
    const courses = await calibrateDueCourses(db, clock.now())
    if (courses > 0) log.info({ courses }, 'calibrated the questions of courses')
  })
  jobs.every('fit-memories', FIT_MEMORIES_SECONDS, async () => {
    const learners = await fitDueLearners(db, clock.now())
    if (learners > 0) log.info({ learners }, 'fitted the intervals of cards to learners')
  })
  if (env.checksLinks) {
    const visitor = createLinkVisitor({ userAgent: `${env.brandName} link check (+${env.appUrl})` })
    jobs.every('check-links', CHECK_LINKS_SECONDS, async () => {
      const checked = await checkDueLinks(db, visitor, clock.now())
      if (checked.length > 0) log.info({ links: checked.length }, 'checked links')
    })
  }
  if (backups !== null) jobs.every('make-backups', BACKUPS_SECONDS, () => backups.run())
  scheduleDeletions(services)
  await jobs.work<{ checkId: string }>(CHECK_JOB, CHECK_TRIES, ({ checkId }) => bankWorkers.check(checkId))
}

/** What is kept for a time only. */
function scheduleDeletions({ log, clock, jobs, database: { db } }: Services): void {
  jobs.every('forget-imported-files', DELETE_IMPORT_FILES_SECONDS, async () => {
    const deleted = await deleteImportBytes(db, clock.now())
    if (deleted > 0) log.info({ deleted }, 'deleted the files of old imports')
  })
  jobs.every('forget-changes', DELETE_CHANGES_SECONDS, () => deleteOldChanges(db, clock.now()))
  jobs.every('forget-guest-diagnostics', DELETE_GUEST_DIAGNOSTICS_SECONDS, async () => {
    const deleted = await deleteOldGuestDiagnostics(db, clock.now())
    if (deleted > 0) log.info({ deleted }, 'deleted old diagnostics of guests')
  })
  jobs.every('forget-tokens', DELETE_TOKENS_SECONDS, () => deleteOldTokens(db, clock.now()))
  jobs.every('forget-counts', DELETE_COUNTS_SECONDS, () => deleteOldCounts(db, clock.now()))
}
