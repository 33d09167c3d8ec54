import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { composeEmail } from '../../../platform/email-template.server.ts'
import type { Email } from '../../../platform/mail.server.ts'
import { tasksOf } from '../calendar/study-calendar.ts'
import type { PushMessage } from '../push/push-commands.server.ts'
import { copy } from './reminders.copy.ts'
import type { CourseWork } from './todays-work-queries.server.ts'

export type ReminderSite = { readonly brand: string; readonly appUrl: string }

/** What a reminder says first, and the page it leads to: the plan of the only course, or all courses. */
function gistOf(works: readonly CourseWork[]) {
  const [first] = works
  const isOne = works.length === 1 && first !== undefined
  const tasks = isOne ? wordsOf(first) : titlesOf(works)
  return {
    isOne,
    title: fill(copy['reminders.mail.subject'], { tasks }),
    path: isOne ? paths.plan(first.course.slug) : paths.myCourses,
  }
}

/** The same as a notification, which is of no use after the learner's day. */
export function reminderMessage(works: readonly CourseWork[], until: Date): PushMessage {
  const { title, path } = gistOf(works)
  return { title, body: works.map(lineOf).join(' '), path, until }
}

/** Says what is left for today, and how to get no more of these emails. */
export function reminderEmail(
  to: { readonly email: string; readonly name: string; readonly stopToken: string },
  works: readonly CourseWork[],
  { brand, appUrl }: ReminderSite,
): Email {
  const { isOne, title, path } = gistOf(works)
  return composeEmail({
    to: to.email,
    subject: title,
    name: to.name,
    lines: [...works.map(lineOf), copy['reminders.mail.why']],
    action: {
      label: copy[isOne ? 'reminders.mail.action' : 'reminders.mail.actions'],
      url: `${appUrl}${path}`,
    },
    unsubscribe: { label: copy['reminders.mail.stop'], url: `${appUrl}${paths.stopReminders(to.stopToken)}` },
    brand,
  })
}

/** '12 cards to repeat, a mock exam' */
export function wordsOf({ day }: CourseWork): string {
  return [...tasksOf(day), ...(day.mock === null ? [] : [copy['reminders.mail.mock']])].join(', ')
}

export const titlesOf = (works: readonly CourseWork[]) => works.map(({ course }) => course.title).join(', ')

function lineOf(work: CourseWork): string {
  const minutes = Math.max(1, Math.round(work.day.seconds / 60))
  const tasks = fill(copy['reminders.mail.course'], { course: work.course.title, tasks: wordsOf(work), n: minutes })
  return `${tasks} ${fill(copy['reminders.mail.left'], { n: work.daysLeft })}`
}
