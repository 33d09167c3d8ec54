import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { letter } from '../../../../platform/letter.server.ts'
import type { Letter } from '../../../../platform/mail.server.ts'
import { copy as attemptsCopy } from '../../copy.ts'
import { wholePercent } from '../../rules.ts'
import type { AttemptResult } from '../../schema.ts'
import { copy } from './copy.ts'
import type { Regraded } from './rules.ts'

export type Site = { readonly brand: string; readonly appUrl: string }

/** So many results a letter names; the reviews have all. */
const NAMED_RESULTS = 10

/** That results have changed, of one person: from what to what, and why. `regraded` comes newest first. */
export function regradeLetter(
  person: NonNullable<Regraded['person']>,
  regraded: readonly Regraded[],
  about: { readonly exam: string; readonly course: string; readonly reason: string },
  site: Site,
): Letter {
  const newest = regraded[0]
  return letter({
    to: person.email,
    subject: fill(copy['regrade.letter.subject'], about),
    greeting: `Hello ${person.name},`,
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

function describe({ mode, finishedAt, before, after }: Regraded): string {
  return fill(copy['regrade.letter.result'], {
    mode: attemptsCopy[`mode.${mode}`],
    at: formatInstant(finishedAt),
    before: scoreSaid(before),
    after: scoreSaid(after),
  })
}

function scoreSaid({ scorePercent, isPassed }: AttemptResult): string {
  return `${wholePercent(scorePercent)} %, ${isPassed ? copy.passed : copy.failed}`
}
