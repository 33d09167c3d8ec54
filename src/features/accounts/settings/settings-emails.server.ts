import { fill } from '../../../lib/failure.ts'
import { composeEmail } from '../../../platform/email-template.server.ts'
import type { Email } from '../../../platform/mail.server.ts'
import { copy } from './settings.copy.ts'

type To = { readonly email: string; readonly name: string; readonly brand: string }

/** Goes to an address that may belong to somebody else, so it repeats nothing that a user typed. */
export function addressEmail(to: Omit<To, 'name'> & { readonly url: string }): Email {
  const email = composeEmail({
    to: to.email,
    subject: fill(copy['address.mail.subject'], { brand: to.brand }),
    name: null,
    lines: [copy['address.mail.line'], copy['address.mail.other']],
    action: { label: copy['address.mail.action'], url: to.url },
    brand: to.brand,
  })
  return { ...email, limitedAs: 'address' }
}

/** To the old address. It is erased once it is sent, because the address is not the user's any more. */
export function addressChangedEmail(to: To): Email {
  const email = composeEmail({
    to: to.email,
    subject: fill(copy['address-changed.mail.subject'], { brand: to.brand }),
    name: to.name,
    lines: [copy['address-changed.mail.line'], copy['address-changed.mail.other']],
    brand: to.brand,
  })
  return { ...email, isLast: true }
}

export function passwordChangedEmail(to: To & { readonly url: string }): Email {
  return composeEmail({
    to: to.email,
    subject: fill(copy['password-changed.mail.subject'], { brand: to.brand }),
    name: to.name,
    lines: [copy['password-changed.mail.line'], copy['password-changed.mail.other']],
    action: { label: copy['password-changed.mail.action'], url: to.url },
    brand: to.brand,
  })
}
