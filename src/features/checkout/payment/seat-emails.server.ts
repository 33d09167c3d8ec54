import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { composeEmail } from '../../../platform/email-template.server.ts'
import type { Email } from '../../../platform/mail.server.ts'
import { copy } from '../checkout.copy.ts'
import type { SeatHolder } from './payment-queries.server.ts'

type Site = { readonly brand: string; readonly appUrl: string }

/** Tells the user of a redeemed seat that its order was refunded and their access has ended. */
export function seatEndedEmail(holder: SeatHolder, endedAt: Date, site: Site): Email {
  const { title } = holder
  return composeEmail({
    to: holder.email,
    subject: fill(copy['seat.ended.subject'], { title }),
    name: holder.name,
    lines: [fill(copy['seat.ended.line'], { title, at: formatInstant(endedAt) }), copy['refund.line.results']],
    action: { label: copy['seat.ended.action'], url: `${site.appUrl}${paths.myCourses}` },
    brand: site.brand,
  })
}
