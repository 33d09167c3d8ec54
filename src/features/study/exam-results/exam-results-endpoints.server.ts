import { redirect } from 'react-router'
import { z } from 'zod'
import type { CourseId } from '../../../lib/ids.ts'
import { isCalendarDay } from '../../../lib/calendar-day.ts'
import { paths, safeReturnPath } from '../../../lib/paths.ts'
import { actionBy, auditView } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import { pageLoader, requireAdminForPage, requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import { requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { findExam, getExamDate } from '../plan/plan-queries.server.ts'
import { getNamedCourse } from '../study-course-queries.server.ts'
import {
  changeResult,
  declineQuestion,
  deleteResult,
  publishResults,
  reportResult,
} from './exam-results-commands.server.ts'
import {
  areResultsPublic,
  examShifts,
  getScoreScale,
  listOutcomes,
  listResultQuestions,
  listResults,
  type ResultOf,
} from './exam-results-queries.server.ts'
import { examPhase } from './exam-results.ts'
import {
  DeclinePledge,
  FirstReport,
  PledgePath,
  Publication,
  ResultCoursePath,
  ResultPath,
  ResultReport,
} from './exam-results.schema.ts'
import { acceptPledge, askForReport, declinePledge } from './pledge-commands.server.ts'
import { findGivenPledge, getPledgeFacts, listPledges } from './pledge-queries.server.ts'
import { judgePledge } from './pledge.ts'
import { groupResults, missingForPublic } from './result-chart.ts'

type Sender = { readonly mail: Mail; readonly brand: string }

export function examResultsApi(sender: Sender) {
  return [...resultEndpoints(sender), ...adminEndpoints(sender)]
}

const Reported = z.object({ isPledgeGiven: z.boolean() })

function resultEndpoints(sender: Sender) {
  const siteOf = ({ appUrl }: RequestContext) => ({ ...sender, appUrl })
  return [
    endpoint({
      method: 'POST',
      path: '/api/results/:courseSlug',
      who: 'signed-in',
      about: "Stores how the exam of the user's plan went, or an earlier one, from its day on, and checks the pledge.",
      params: ResultCoursePath,
      body: FirstReport,
      reply: Reported,
      async handle({ params, body }, context) {
        return reportResult(context.db, siteOf(context), { ...(await ownOf(context, params.courseSlug)), ...body })
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/results/:courseSlug/:examDate',
      who: 'signed-in',
      about: 'Changes what the user said about an exam.',
      params: ResultPath,
      body: ResultReport,
      reply: Reported,
      async handle({ params, body }, context) {
        const own = await ownOf(context, params.courseSlug)
        return changeResult(context.db, siteOf(context), { ...own, ...body, examDate: params.examDate })
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/results/:courseSlug/:examDate',
      who: 'signed-in',
      about: 'Deletes what the user said about an exam. Idempotent.',
      params: ResultPath,
      reply: Done,
      async handle({ params }, context) {
        await deleteResult(context.db, { ...(await ownOf(context, params.courseSlug)), examDate: params.examDate })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/results/:courseSlug/:examDate/later',
      who: 'signed-in',
      about: "'Not now': the user is not asked again how this exam went. Idempotent.",
      params: ResultPath,
      reply: Done,
      async handle({ params }, context) {
        await declineQuestion(context.db, { ...(await ownOf(context, params.courseSlug)), examDate: params.examDate })
        return done
      },
    }),
  ]
}

function adminEndpoints(sender: Sender) {
  const siteOf = ({ appUrl }: RequestContext) => ({ ...sender, appUrl })
  return [
    endpoint({
      method: 'PUT',
      path: '/api/result-publication',
      who: 'admin',
      about: 'Shows the chart of forecasts and results to everybody, or to admins alone.',
      body: Publication,
      reply: Done,
      async handle({ body }, context) {
        await publishResults(context.db, { ...body, ...actionBy(context) })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/pledges/:pledgeId/accept',
      who: 'admin',
      about: 'Accepts a pledge that was given. Idempotent.',
      params: PledgePath,
      reply: Done,
      async handle({ params }, context) {
        await acceptPledge(context.db, { ...params, ...actionBy(context) })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/pledges/:pledgeId/ask',
      who: 'admin',
      about: 'Asks a learner by email for the score report of the exam that a pledge was given for. Idempotent.',
      params: PledgePath,
      reply: Done,
      async handle({ params }, context) {
        await askForReport(context.db, siteOf(context), { ...params, ...actionBy(context) })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/pledges/:pledgeId/decline',
      who: 'admin',
      about: 'Declines a pledge with a reason: the access that it gave ends, and the learner is told. Idempotent.',
      params: PledgePath,
      body: DeclinePledge,
      reply: Done,
      async handle({ params, body }, context) {
        await declinePledge(context.db, siteOf(context), { ...params, ...body, ...actionBy(context) })
        return done
      },
    }),
  ]
}

/** Results outlive access, so a course alone is enough. @throws Failure course.not-found */
async function ownOf(context: RequestContext, courseSlug: string) {
  const { id } = await getNamedCourse(context, courseSlug)
  return { userId: requireUser(context).id, courseId: id as CourseId, now: context.clock.now() }
}

/** How an exam went, and which conditions of the pledge the learner meets. */
export const resultLoader = pageLoader(async ({ context, params, url }) => {
  const user = requireUserForPage(context, url)
  const { id, slug, title } = await getNamedCourse(context, params['courseSlug'] ?? '')
  const of = { userId: user.id, courseId: id as CourseId }
  const now = context.clock.now()
  const facts = await getPledgeFacts(context.db, of, now, await shownExam(context, of, url.searchParams.get('exam')))
  const [results, scale] = await Promise.all([listResults(context.db, of), getScoreScale(context.db, of.courseId)])
  const examDate = facts.exam?.examDate ?? null
  const given = examDate === null ? null : await findGivenPledge(context.db, { ...of, examDate })
  return {
    course: { slug, title },
    examDate,
    phase: examPhase(facts.exam, now),
    result: results.find((one) => one.examDate === examDate) ?? null,
    earlier: results.filter((one) => one.examDate !== examDate),
    passMark: scale.passMark,
    conditions: judgePledge(facts).conditions,
    given,
  }
})

/** The exam that the address names, else that of the plan; before that day an earlier one, if the learner is asked about it. */
async function shownExam({ db, clock }: RequestContext, of: ResultOf, named: string | null) {
  if (named !== null && isCalendarDay(named) && (await findExam(db, of, named)) !== null) return named
  if (examPhase(await getExamDate(db, of), clock.now()) === 'due') return undefined
  return (await listResultQuestions(db, { ...of, now: clock.now() }))[0]?.examDate
}

const run = callsOf<typeof examResultsApi>()

/** The forms of the page: to say, change or delete how an exam went, or not to be asked again. They work without scripts. */
export const resultAction = pageAction(['isPassed', 'score'], async ({ context, params, form }) => {
  const courseSlug = params['courseSlug'] ?? ''
  const examDate = form['examDate'] ?? ''
  const page = paths.examResult(courseSlug)
  const doing = form['do']
  if (doing === 'later') {
    await run(context, 'POST', '/api/results/:courseSlug/:examDate/later', { params: { courseSlug, examDate } })
    throw redirect(safeReturnPath(form['back'] ?? page), 303)
  }
  if (doing === 'delete') {
    await run(context, 'DELETE', '/api/results/:courseSlug/:examDate', { params: { courseSlug, examDate } })
    throw redirect(`${page}?done=deleted`, 303)
  }
  const body = readReport(form)
  await (doing === 'change'
    ? run(context, 'PUT', '/api/results/:courseSlug/:examDate', { params: { courseSlug, examDate }, body })
    : run(context, 'POST', '/api/results/:courseSlug', {
        params: { courseSlug },
        body: { ...body, ...(examDate === '' ? {} : { examDate }) },
      }))
  throw redirect(`${page}?done=saved&exam=${encodeURIComponent(examDate)}`, 303)
})

/** The report of a posted form. What is missing or no number is refused by the call, with its sentence. */
function readReport(form: Readonly<Record<string, string>>): ResultReport {
  const typed = (form['score'] ?? '').trim()
  const isPassed = { yes: true, no: false }[form['isPassed'] ?? '']
  return { isPassed, score: typed === '' ? null : Number(typed) } as ResultReport
}

/** The chart for admins, with how hard the real exams are and the pledges. Each view is recorded, because it names users. */
export const adminResultsLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const { db, cachedQueries } = context
  const [{ outcomes, reportedCount }, isPublic, pledges, shifts] = await Promise.all([
    listOutcomes(db),
    areResultsPublic(db),
    listPledges(db),
    cachedQueries.get(examShifts, db),
  ])
  if (pledges.length > 0)
    await auditView(context, {
      actorId: admin.id,
      action: 'pledges.list',
      table: 'pledges',
      after: { pledges: pledges.length },
    })
  const courses =
    shifts.size === 0
      ? []
      : await db
          .selectFrom('courses')
          .where('id', 'in', [...shifts.keys()])
          .orderBy('title')
          .select(['id', 'title'])
          .execute()
  return {
    count: outcomes.length,
    reportedCount,
    groups: groupResults(outcomes),
    missing: missingForPublic(outcomes.length),
    isPublic,
    pledges,
    shifts: courses.flatMap(({ id, title }) => {
      const shift = shifts.get(id)
      return shift === undefined ? [] : [{ id, title, ...shift }]
    }),
  }
})

/** The chart for everybody, if an admin shows it. */
export const publicResultsLoader = pageLoader(async ({ context }) => {
  const isPublic = await areResultsPublic(context.db)
  if (!isPublic) return { isPublic, count: 0, reportedCount: 0, missing: 0, groups: [] }
  const { outcomes, reportedCount } = await listOutcomes(context.db)
  const missing = missingForPublic(outcomes.length)
  return {
    isPublic,
    count: outcomes.length,
    reportedCount,
    missing,
    groups: missing > 0 ? [] : groupResults(outcomes),
  }
})

/** Whether the page of the pledge links to the chart. */
export const pledgeLoader = pageLoader(async ({ context }) => ({ hasResults: await areResultsPublic(context.db) }))
