import { fill } from '../../lib/failure.ts'
import { composeEmail } from '../../platform/email-template.server.ts'
import type { Email } from '../../platform/mail.server.ts'
import { copy } from './accounts.copy.ts'

type To = {
  readonly email: string
  /** Null while the address is not verified. */
  readonly name: string | null
  readonly brand: string
  readonly url: string
}

export function verificationEmail(to: Omit<To, 'name'>): Email {
  const email = composeEmail({
    to: to.email,
    subject: `Verify your email address for ${to.brand}`,
    name: null,
    lines: [
      'please confirm that this address is yours. The link works once, for 24 hours.',
      'If you did not create an account, you can ignore this email.',
    ],
    action: { label: 'Verify email address', url: to.url },
    brand: to.brand,
  })
  return { ...email, limitedAs: 'verification' }
}

export function resetEmail(to: To): Email {
  const email = composeEmail({
    to: to.email,
    subject: `Reset your ${to.brand} password`,
    name: to.name,
    lines: [
      'somebody, probably you, asked for a new password. The link works once, for one hour, and signs out every device.',
      'If it was not you, you can ignore this email: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', url: to.url },
    brand: to.brand,
  })
  return { ...email, limitedAs: 'reset' }
}

/** Confirms a deletion by email, for accounts without a password. */
export function deletionEmail(to: To): Email {
  const email = composeEmail({
    to: to.email,
    subject: fill(copy['deletion.mail.subject'], { brand: to.brand }),
    name: to.name,
    lines: [copy['deletion.mail.line'], copy['deletion.mail.other']],
    action: { label: copy['deletion.mail.action'], url: to.url },
    brand: to.brand,
  })
  return { ...email, limitedAs: 'deletion' }
}

export function deletedEmail(to: To): Email {
  const written = composeEmail({
    to: to.email,
    subject: fill(copy['deleted.mail.subject'], { brand: to.brand }),
    name: to.name,
    lines: [copy['deleted.mail.line'], copy['deleted.mail.other']],
    action: { label: fill(copy['deleted.mail.action'], { brand: to.brand }), url: to.url },
    brand: to.brand,
  })
  return { ...written, isLast: true }
}
