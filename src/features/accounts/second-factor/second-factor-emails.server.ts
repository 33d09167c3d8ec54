import { fill } from '../../../lib/failure.ts'
import { composeEmail } from '../../../platform/email-template.server.ts'
import type { Email } from '../../../platform/mail.server.ts'
import { copy, mailSubjects } from './second-factor.copy.ts'

export type FactorEvent = keyof typeof mailSubjects

/** Tells the owner of an account that its second factor or a passkey changed. */
export function factorEmail(
  event: FactorEvent,
  to: { readonly email: string; readonly name: string; readonly brand: string; readonly url: string },
): Email {
  return composeEmail({
    to: to.email,
    subject: fill(mailSubjects[event], { brand: to.brand }),
    name: to.name,
    lines: [copy[`mail.${event}`], copy['mail.other']],
    action: { label: copy['mail.action'], url: to.url },
    brand: to.brand,
  })
}
