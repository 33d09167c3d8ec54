import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay, formatInstant } from '../../../lib/time.ts'
import { composeEmail } from '../../../platform/email-template.server.ts'
import type { Email } from '../../../platform/mail.server.ts'
import { copy } from './exam-results.copy.ts'

export type EmailSite = { readonly brand: string; readonly appUrl: string }
/** The learner and the course that an email is about. */
export type Examinee = {
  readonly name: string | null
  readonly email: string
  readonly courseTitle: string
  readonly courseSlug: string
  readonly examDate: string
}

/** Asks once how an exam went. */
export function questionEmail(to: Examinee, site: EmailSite): Email {
  return compose(to, site, {
    subject: 'result.mail.subject',
    lines: ['result.mail', 'result.mail.why', 'result.mail.pledge'],
    action: { label: copy['result.mail.action'], path: `${paths.examResult(to.courseSlug)}?exam=${to.examDate}` },
  })
}

/** Says that the pledge gave the course again, and until when. */
export function pledgeEmail(to: Examinee, until: Date, site: EmailSite): Email {
  return compose(to, site, {
    subject: 'pledge.mail.subject',
    lines: ['pledge.mail', 'pledge.mail.next'],
    words: { at: formatInstant(until) },
    action: { label: copy['pledge.mail.action'], path: paths.course(to.courseSlug) },
  })
}

/** Asks for the score report. */
export function scoreReportEmail(to: Examinee, site: EmailSite): Email {
  return compose(to, site, { subject: 'pledge.asked.subject', lines: ['pledge.asked.mail', 'pledge.asked.mail.what'] })
}

/** Says that a pledge was declined, and why. */
export function declinedEmail(to: Examinee, reason: string, site: EmailSite): Email {
  return compose(to, site, {
    subject: 'pledge.declined.subject',
    lines: ['pledge.declined.mail', 'pledge.declined.mail.reason', 'pledge.declined.mail.reply'],
    words: { reason },
  })
}

type Sentence = keyof typeof copy

function compose(
  { name, email, courseTitle, examDate }: Examinee,
  site: EmailSite,
  content: {
    readonly subject: Sentence
    readonly lines: readonly Sentence[]
    readonly words?: Readonly<Record<string, string>>
    readonly action?: { readonly label: string; readonly path: string }
  },
): Email {
  const words = { course: courseTitle, day: formatDay(examDate), ...content.words }
  return composeEmail({
    to: email,
    subject: fill(copy[content.subject], words),
    name,
    lines: content.lines.map((line) => fill(copy[line], words)),
    ...(content.action === undefined
      ? {}
      : { action: { label: content.action.label, url: `${site.appUrl}${content.action.path}` } }),
    brand: site.brand,
  })
}
