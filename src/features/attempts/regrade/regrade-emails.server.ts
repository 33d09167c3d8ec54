import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { composeEmail } from '../../../platform/email-template.server.ts'
import type { Email } from '../../../platform/mail.server.ts'
import { copy as attemptsCopy } from '../attempts.copy.ts'
import { wholePercent } from '../attempts.ts'
import type { AttemptResult } from '../attempts.schema.ts'
import { copy } from './regrade.copy.ts'
import type { Regraded } from './regrade.ts'

export type Site = { readonly brand: string; readonly appUrl: string }

/** Results that an email names; the reviews show all. */
const NAMED_RESULTS = 10

/** Tells a learner which results changed and why. `regraded` comes newest first. */
export function regradeEmail(
  user: NonNullable<Regraded['user']>,
  regraded: readonly Regraded[],
  about: { readonly exam: string; readonly course: string; readonly reason: string },
  site: Site,
): Email {
  const newest = regraded[0]
  return composeEmail({
    to: user.email,
    subject: fill(copy['regrade.letter.subject'], about),
    name: user.name,
    lines: [
      fill(copy['regrade.letter'], about),
      fill(copy['regrade.letter.reason'], about),
      ...regraded.slice(0, NAMED_RESULTS).map(describe),
      copy['regrade.letter.kept'],
    ],
    ...(newest === undefined
      ? {}
      : {
          action: {
            label: copy['regrade.letter.action'],
            url: `${site.appUrl}${paths.examReview(newest.attemptId)}`,
          },
        }),
    brand: site.brand,
  })
}

function describe({ mode, drawnTitle, finishedAt, before, after }: Regraded): string {
  return fill(copy['regrade.letter.result'], {
    mode: drawnTitle ?? attemptsCopy[`mode.${mode}`],
    at: formatInstant(finishedAt),
    before: scoreText(before),
    after: scoreText(after),
  })
}

function scoreText({ scorePercent, isPassed }: AttemptResult): string {
  return `${wholePercent(scorePercent)}%, ${isPassed ? copy.passed : copy.failed}`
}
