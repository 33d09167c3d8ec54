import { formatCalendarDay, type CalendarDay } from '../../../lib/calendar-day.ts'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { sha256Hex } from '../../../lib/sha256.ts'
import type { PlanDay } from '../plan/plan-days.ts'
import type { CalendarEvent } from './ical.ts'
import { copy } from './study-calendar.copy.ts'

/** How often a program that subscribed should ask again. */
export const REFRESH_HOURS = 6

export type CalendarFacts = {
  readonly owner: { readonly userId: string; readonly courseId: string }
  readonly course: { readonly slug: string; readonly title: string }
  readonly appUrl: string
  readonly today: CalendarDay
  readonly examDate: CalendarDay
  /** The days from today to the day before the exam; null without access. */
  readonly days: readonly PlanDay[] | null
}

/** The events of a plan: each day with something to do, each mock exam, and the exam. */
export function listEvents(facts: CalendarFacts): CalendarEvent[] {
  return [
    ...(facts.days ?? []).flatMap((day) => [studyEvent(facts, day), mockEvent(facts, day)]),
    examEvent(facts),
  ].filter((event) => event !== null)
}

function studyEvent(facts: CalendarFacts, day: PlanDay): CalendarEvent | null {
  const tasks = tasksOf(day)
  if (tasks.length === 0) return null
  const seconds = day.seconds - (day.mock?.minutes ?? 0) * 60
  return eventOf(facts, day.day, {
    kind: 'study',
    title: fill(copy['calendar.study'], { tasks: capital(tasks.join(', ')), course: facts.course.title }),
    lines: [
      fill(copy['calendar.minutes'], { n: Math.max(1, Math.round(seconds / 60)) }),
      day.kind === 'light' ? copy['calendar.light'] : null,
      day.newByDomain.length === 0 ? null : fill(copy['calendar.domains'], { domains: domainsOf(day) }),
      ...endingOf(facts, day),
    ],
  })
}

/** What a day holds besides a mock exam, in words. */
export function tasksOf({ dueCount, newByDomain }: Pick<PlanDay, 'dueCount' | 'newByDomain'>): string[] {
  const newCount = newByDomain.reduce((sum, { count }) => sum + count, 0)
  return [
    dueCount === 0 ? null : fill(copy['calendar.due'], { n: dueCount }),
    newCount === 0 ? null : fill(copy['calendar.new'], { n: newCount }),
  ].filter((task) => task !== null)
}

const domainsOf = ({ newByDomain }: PlanDay) => newByDomain.map(({ domain, count }) => `${count} ${domain}`).join(', ')

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function mockEvent(facts: CalendarFacts, day: PlanDay): CalendarEvent | null {
  if (day.mock === null) return null
  return eventOf(facts, day.day, {
    kind: 'mock',
    title: fill(copy['calendar.mock'], { course: facts.course.title }),
    lines: [fill(copy['calendar.mock.text'], day.mock), ...endingOf(facts, day)],
  })
}

/** Where a day leads, and that it will change. */
function endingOf({ appUrl, course, today }: CalendarFacts, { isAfterAccess }: PlanDay): string[] {
  const { slug } = course
  return [
    ...(isAfterAccess ? [copy['calendar.after'], `${appUrl}${paths.course(slug)}`] : []),
    fill(copy['calendar.computed'], { day: formatCalendarDay(today) }),
    `${appUrl}${paths.plan(slug)}`,
  ]
}

function examEvent(facts: CalendarFacts): CalendarEvent {
  const { appUrl, course, days, examDate } = facts
  const event = eventOf(facts, examDate, {
    kind: 'exam',
    title: fill(copy['calendar.exam'], { course: course.title }),
    lines:
      days === null
        ? [copy['calendar.ended'], `${appUrl}${paths.course(course.slug)}`]
        : [copy['calendar.exam.text'], `${appUrl}${paths.plan(course.slug)}`],
  })
  return { ...event, isBusy: true }
}

type Content = {
  readonly kind: 'study' | 'mock' | 'exam'
  readonly title: string
  readonly lines: readonly (string | null)[]
}

function eventOf({ owner, appUrl, course }: CalendarFacts, day: CalendarDay, { kind, title, lines }: Content) {
  return {
    // The exam has one event, which moves when its date does.
    id: `${kind}-${kind === 'exam' ? '' : `${day}-`}${markOf(owner)}@${appUrl.replace(/^https?:\/\//, '')}`,
    day,
    title,
    text: lines.filter((line) => line !== null).join('\n'),
    url: `${appUrl}${paths.plan(course.slug)}`,
    isBusy: false,
  }
}

/** Tells calendars of several people and courses apart, and names neither. */
function markOf({ userId, courseId }: CalendarFacts['owner']): string {
  return sha256Hex(`calendar ${userId} ${courseId}`).slice(0, 24)
}
