import { fill } from '../../lib/failure.ts'
import { letter } from '../../platform/letter.server.ts'
import type { Letter } from '../../platform/mail.server.ts'
import { copy } from './copy.ts'

type To = { readonly email: string; readonly name: string; readonly brand: string; readonly url: string }

export function verifyLetter(to: To): Letter {
  return letter({
    to: to.email,
    subject: `Verify your email address for ${to.brand}`,
    greeting: `Hello ${to.name},`,
    lines: [
      'please confirm that this address is yours. The link works once, for 24 hours.',
      'If you did not create an account, you can ignore this mail.',
    ],
    action: { label: 'Verify email address', url: to.url },
    brand: to.brand,
  })
}

export function resetLetter(to: To): Letter {
  return letter({
    to: to.email,
    subject: `Reset your ${to.brand} password`,
    greeting: `Hello ${to.name},`,
    lines: [
      'somebody, probably you, asked for a new password. The link works once, for one hour, and signs out every device.',
      'If it was not you, you can ignore this mail: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', url: to.url },
    brand: to.brand,
  })
}

/** For whoever has no password that could be asked for. */
export function deletionLetter(to: To): Letter {
  return letter({
    to: to.email,
    subject: fill(copy['deletion.mail.subject'], { brand: to.brand }),
    greeting: `Hello ${to.name},`,
    lines: [copy['deletion.mail.line'], copy['deletion.mail.other']],
    action: { label: copy['deletion.mail.action'], url: to.url },
    brand: to.brand,
  })
}

export function deletedLetter(to: To): Letter {
  const written = letter({
    to: to.email,
    subject: fill(copy['deleted.mail.subject'], { brand: to.brand }),
    greeting: `Hello ${to.name},`,
    lines: [copy['deleted.mail.line'], copy['deleted.mail.other']],
    action: { label: fill(copy['deleted.mail.action'], { brand: to.brand }), url: to.url },
    brand: to.brand,
  })
  return { ...written, isLast: true }
}
