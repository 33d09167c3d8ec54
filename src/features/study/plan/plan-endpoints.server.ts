import { redirect } from 'react-router'
import { dayIn, addDays } from '../../../lib/calendar-day.ts'
import { paths } from '../../../lib/paths.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import { pageLoader, requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import { fail as failRequest } from '../../../platform/request-failures.ts'
import type { studyCalendarApi } from '../calendar/study-calendar-endpoints.server.ts'
import { findAddress } from '../calendar/study-calendar-queries.server.ts'
import { setReminderByForm } from '../reminders/reminders-endpoints.server.ts'
import { findReminder } from '../reminders/reminders-queries.server.ts'
import { findAccess } from '../../access/access-queries.server.ts'
import type { studyApi } from '../study-endpoints.server.ts'
import { getPledgeConditions } from '../exam-results/pledge-queries.server.ts'
import { listResultQuestions } from '../exam-results/exam-results-queries.server.ts'
import { getNamedCourse } from '../study-course-queries.server.ts'
import { estimateReadiness, findOpenDrill, getHistory, listSummaries } from '../study-queries.server.ts'
import { DRILL_MAX, DrillFilters } from '../study.schema.ts'
import { getPlanView } from './plan-view-queries.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { requireAccess } from '../../access/access-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { removePlan, setPlan } from './plan-commands.server.ts'
import { findPlan, type PlanRecord } from './plan-queries.server.ts'
import { DATE_MAX_DAYS, fail, PlanPath, PlanWish, StoredPlan } from './plan.schema.ts'

/** The exam date of a course, and the wishes for the plan until then. */
export function planApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/plans/:courseSlug',
      who: 'signed-in',
      about: "Returns the user's exam date for a course and the wishes for the plan.",
      params: PlanPath,
      reply: StoredPlan,
      async handle({ params }, context) {
        const user = requireUser(context)
        const course = await getNamedCourse(context, params.courseSlug)
        return planView(context, { userId: user.id, courseId: course.id as CourseId })
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/plans/:courseSlug',
      who: 'signed-in',
      about: 'Sets or moves the exam date of a course that is open to the user, with the wishes for the plan.',
      params: PlanPath,
      body: PlanWish,
      reply: StoredPlan,
      async handle({ params, body }, context) {
        const now = context.clock.now()
        const course = await getNamedCourse(context, params.courseSlug)
        const proof = await requireAccess(context.db, requireUser(context), course.id as CourseId, now)
        await setPlan(context.db, { proof, wish: body, now })
        return planView(context, proof)
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/plans/:courseSlug',
      who: 'signed-in',
      about: "Removes the user's exam date for a course, also after access has ended. Idempotent.",
      params: PlanPath,
      reply: Done,
      async handle({ params }, context) {
        const user = requireUser(context)
        const course = await getNamedCourse(context, params.courseSlug)
        await removePlan(context.db, { userId: user.id, courseId: course.id as CourseId }, context.clock.now())
        return done
      },
    }),
  ]
}

/** @throws Failure plan.none */
async function planView({ db }: RequestContext, of: Parameters<typeof findPlan>[1]): Promise<StoredPlan> {
  const plan = await findPlan(db, of)
  if (plan === null) throw fail('plan.none')
  return shown(plan)
}

function shown({ setAt, movedAt, restDays, ...rest }: PlanRecord): StoredPlan {
  return { ...rest, restDays: [...restDays], setAt: setAt.toISOString(), movedAt: movedAt?.toISOString() ?? null }
}

/** What the page shows besides the form before there is a date. */
const NOTHING_YET = {
  plan: null,
  readiness: null,
  openDrillId: null,
  asked: [],
  pledge: null,
  calendar: null,
  reminder: null,
} as const

/** The plan of a course, and the form for its date. After access has ended it stays readable and offers to renew. */
export const planLoader = pageLoader(async ({ context, params, url }) => {
  const { db } = context
  const user = requireUserForPage(context, url)
  const now = context.clock.now()
  const course = await getNamedCourse(context, params['courseSlug'] ?? '')
  const courseId = course.id as CourseId
  const names = { slug: course.slug, title: course.title }
  const isAdmin = user.role === 'admin'
  const [access, record] = await Promise.all([
    isAdmin ? { kind: 'running' as const, until: null } : findAccess(db, user.id, courseId, now),
    findPlan(db, { userId: user.id, courseId }),
  ])
  if (access.kind !== 'running' && record === null) return { kind: 'refused' as const, course: names, why: access.kind }
  const timeZone = record?.timeZone ?? 'UTC'
  const today = dayIn(now, timeZone)
  const form = { today, lastDay: addDays(today, DATE_MAX_DAYS), wish: record === null ? null : shown(record) }
  const open = { kind: 'open' as const, course: names, hasAccess: access.kind === 'running', form }
  if (record === null) return { ...open, ...NOTHING_YET }
  const history = await getHistory(context, user.id)
  const own = { userId: user.id, courseId }
  const [studies, drill, asked, pledge, calendar, reminder] = await Promise.all([
    listSummaries(context, { courseIds: [courseId], history, now }),
    findOpenDrill(db, own),
    listResultQuestions(db, { ...own, now }),
    getPledgeConditions(db, own, now),
    findAddress(db, own),
    findReminder(db, user.id),
  ])
  const study = studies.get(courseId)
  if (study === undefined) throw failCatalogue('course.not-found')
  const readiness = estimateReadiness(study, course.blueprint, now)
  const accessUntil = access.kind === 'running' ? access.until : access.kind === 'ended' ? access.since : now
  const of = { userId: user.id, course, record, study, accessUntil, now }
  return {
    ...open,
    plan: await getPlanView(context, of),
    readiness: readiness.kind === 'estimate' ? readiness.expectedPercent : null,
    openDrillId: drill?.id ?? null,
    asked,
    pledge,
    reminder,
    calendar: calendar === null ? null : `${context.appUrl}${calendar}`,
  }
})

const runPlan = callsOf<typeof planApi>()
const runStudy = callsOf<typeof studyApi>()
const runCalendar = callsOf<typeof studyCalendarApi>()

/** The forms of the page, named by `do`. They are posted with and without scripts alike. */
export const planAction = pageAction(
  ['do', 'examDate', 'timeZone', 'minutesADay', 'wishedPercent', ...[1, 2, 3, 4, 5, 6, 7].map((day) => `rest-${day}`)],
  async ({ context, params, url, form }) => {
    requireUserForPage(context.request, url)
    const { slug, id } = await getNamedCourse(context.request, params['courseSlug'] ?? '')
    const own = { params: { courseSlug: slug } }
    switch (form['do']) {
      case 'save':
        await runPlan(context, 'PUT', '/api/plans/:courseSlug', { ...own, body: wishOf(form) })
        throw redirect(paths.plan(slug), 303)
      case 'remove':
        await runPlan(context, 'DELETE', '/api/plans/:courseSlug', own)
        throw redirect(paths.plan(slug), 303)
      case 'calendar-new':
        await runCalendar(context, 'POST', '/api/plans/:courseSlug/calendar', own)
        throw redirect(`${paths.plan(slug)}#plan-calendar`, 303)
      case 'calendar-remove':
        await runCalendar(context, 'DELETE', '/api/plans/:courseSlug/calendar', own)
        throw redirect(`${paths.plan(slug)}#plan-calendar`, 303)
      case 'remind':
        await setReminderByForm({ context, form })
        throw redirect(`${paths.plan(slug)}#plan-reminders`, 303)
      case 'due':
      case 'new': {
        const of = { userId: requireUser(context.request).id, courseId: id as CourseId }
        const open = await findOpenDrill(context.request.db, of)
        const body = { courseSlug: slug, filters: filtersOf(form), ...(open === null ? {} : { replaces: open.id }) }
        const drill = await runStudy(context, 'POST', '/api/drills', { body })
        throw redirect(paths.runningDrill(slug, drill.id), 303)
      }
      default:
        throw failRequest('request.invalid')
    }
  },
)

type Form = Readonly<Record<string, string>>

/** An empty or odd number becomes NaN, which the call refuses with its sentence. */
function wishOf(form: Form) {
  const { examDate = '', timeZone = '', minutesADay = '', wishedPercent = '' } = form
  return {
    examDate,
    timeZone,
    minutesADay: minutesADay.trim() === '' ? NaN : Number(minutesADay),
    wishedPercent: wishedPercent.trim() === '' ? null : Number(wishedPercent),
    restDays: [1, 2, 3, 4, 5, 6, 7].filter((day) => form[`rest-${day}`] !== undefined),
  }
}

/** What the plan says for today: all due cards, or new questions of some domains. */
function filtersOf(form: Form): DrillFilters {
  const count = Math.min(DRILL_MAX, Math.max(1, Math.floor(Number(form['count'])) || 1))
  const domains = Object.entries(form).flatMap(([name, value]) => (name.startsWith('domain-') ? [value] : []))
  return DrillFilters.parse(
    form['do'] === 'due' ? { from: ['due'], count } : { from: ['unseen'], domains: domains.slice(0, 100), count },
  )
}
