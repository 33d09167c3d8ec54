import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { composeEmail } from '../../platform/email-template.server.ts'
import type { Email } from '../../platform/mail.server.ts'
import { copy } from './access.copy.ts'
import { ACCESS_DAYS, type AccessNews } from './access.ts'

export type Holder = {
  /** Null while the address is not verified. */
  readonly name: string | null
  readonly email: string
  readonly courseTitle: string
  /** Whether the course is still sold, so that access can be renewed. */
  readonly isSold: boolean
}

/** Says that the shop opened a course, until when, and where its exams are. */
export function givenEmail(
  { name, email, courseTitle: title }: Holder,
  until: Date,
  site: { readonly brand: string; readonly appUrl: string },
): Email {
  const words = { title, at: formatInstant(until) }
  return composeEmail({
    to: email,
    subject: fill(copy['access.letter.given.subject'], words),
    name,
    lines: [fill(copy['access.letter.given'], words), copy['access.letter.given.about']],
    action: { label: copy['access.letter.unsold.action'], url: `${site.appUrl}${paths.myCourses}` },
    brand: site.brand,
  })
}

/** Says that access ends soon or has ended, and where to renew it. */
export function accessEmail(
  holder: Holder,
  news: AccessNews,
  site: { readonly brand: string; readonly appUrl: string },
): Email {
  const words = { title: holder.courseTitle, at: formatInstant(news.endsAt), days: ACCESS_DAYS }
  const renewal = holder.isSold ? (`access.letter.${news.kind}.renew` as const) : 'access.letter.unsold'
  return composeEmail({
    to: holder.email,
    subject: fill(copy[`access.letter.${news.kind}.subject`], words),
    name: holder.name,
    lines: [fill(copy[`access.letter.${news.kind}`], words), fill(copy[renewal], words), copy['access.letter.results']],
    action: {
      label: copy[holder.isSold ? 'access.letter.action' : 'access.letter.unsold.action'],
      url: `${site.appUrl}${paths.myCourses}`,
    },
    brand: site.brand,
  })
}
