import { z } from 'zod'
import type { CourseId } from '../../../lib/ids.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireUser, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { findCourse } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { PlanPath } from '../plan/plan.schema.ts'
import { makeAddress, removeAddress } from './study-calendar-commands.server.ts'
import { getCalendarFile, getOwner, type CalendarOf } from './study-calendar-queries.server.ts'
import { CalendarAddress, CalendarPath, secretOf } from './study-calendar.schema.ts'

const ICAL = 'text/calendar'
const Text = z.custom<string>()

/** The plan of a course as a calendar. */
export function studyCalendarApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/calendar/:file',
      // Calendar programs have no session: who knows the address may read.
      who: 'anyone',
      about: 'Returns a plan as a calendar (RFC 5545), by its secret address.',
      limit: 'calendar',
      params: CalendarPath,
      reply: Text,
      replyType: ICAL,
      async handle({ params }, context) {
        const owner = await getOwner(context.db, secretOf(params.file))
        return fileReply(await getCalendarFile(context, owner), 'inline')
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/plans/:courseSlug/calendar',
      who: 'signed-in',
      about: "Returns the user's plan of a course as a calendar file (RFC 5545).",
      params: PlanPath,
      reply: Text,
      replyType: ICAL,
      async handle({ params }, context) {
        const isAdmin = requireUser(context).role === 'admin'
        const of = await ownCalendar(context, params.courseSlug)
        return fileReply(await getCalendarFile(context, { ...of, isAdmin }), 'attachment')
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/plans/:courseSlug/calendar',
      who: 'signed-in',
      about: "Makes a secret address for the calendar of the user's plan. It ends the former address.",
      params: PlanPath,
      reply: CalendarAddress,
      async handle({ params }, context) {
        return { path: await makeAddress(context.db, await ownCalendar(context, params.courseSlug)) }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/plans/:courseSlug/calendar',
      who: 'signed-in',
      about: "Ends the secret address of the calendar of the user's plan. Idempotent.",
      params: PlanPath,
      reply: Done,
      async handle({ params }, context) {
        await removeAddress(context.db, await ownCalendar(context, params.courseSlug))
        return done
      },
    }),
  ]
}

/** @throws Failure session.required, course.not-found */
async function ownCalendar(context: RequestContext, courseSlug: string): Promise<CalendarOf> {
  const user = requireUser(context)
  const course = await findCourse(context.db, courseSlug)
  if (course === null) throw failCatalogue('course.not-found')
  return { userId: user.id, courseId: course.id as CourseId }
}

/** The address is a secret: nobody between us and the program keeps the file or passes the address on. */
function fileReply({ name, text }: { name: string; text: string }, disposition: 'inline' | 'attachment'): Response {
  return new Response(text, {
    headers: {
      'content-type': `${ICAL}; charset=utf-8`,
      'content-disposition': `${disposition}; filename="${name.replaceAll(/[^\w.-]/g, '-')}.ics"`,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    },
  })
}
