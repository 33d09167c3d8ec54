import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { letter } from '../../platform/letter.server.ts'
import type { Letter } from '../../platform/mail.server.ts'
import { copy } from './copy.ts'
import { ACCESS_DAYS, type AccessNews } from './rules.ts'

export type Holder = {
  readonly name: string
  readonly email: string
  readonly courseTitle: string
  /** A course that is not sold any more cannot be renewed. */
  readonly isSold: boolean
}

/** That access ends soon or has ended, and where to renew it. */
export function accessLetter(
  holder: Holder,
  news: AccessNews,
  site: { readonly brand: string; readonly appUrl: string },
): Letter {
  const words = { title: holder.courseTitle, at: formatInstant(news.endsAt), days: ACCESS_DAYS }
  const renewal = holder.isSold ? (`access.letter.${news.kind}.renew` as const) : 'access.letter.unsold'
  return letter({
    to: holder.email,
    subject: fill(copy[`access.letter.${news.kind}.subject`], words),
    greeting: `Hello ${holder.name},`,
    lines: [fill(copy[`access.letter.${news.kind}`], words), fill(copy[renewal], words), copy['access.letter.results']],
    action: {
      label: copy[holder.isSold ? 'access.letter.action' : 'access.letter.unsold.action'],
      url: `${site.appUrl}${paths.myCourses}`,
    },
    brand: site.brand,
  })
}
