import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatDay } from '../../../../lib/time.ts'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { quietLink } from '../../../../ui/page-parts.tsx'
import { copy } from '../exam-results.copy.ts'
import { PLEDGE, type Condition, type ConditionId } from '../pledge.ts'

/** The conditions of the pledge in words. */
export function conditionText(id: ConditionId): string {
  return fill(copy[`pledge.${id}`], {
    days: id === 'reported' ? PLEDGE.reportDays : PLEDGE.dateDays,
    reached: PLEDGE.reachedDays,
    percent: PLEDGE.chancePercent,
    mocks: PLEDGE.mocks,
  })
}

const tones = { met: 'text-good', open: 'text-soft', missed: 'text-bad' } as const

/** Each condition of the pledge with its state and what was found about the learner. */
export function PledgeConditions({ conditions }: { conditions: readonly Condition[] }) {
  return (
    <section aria-labelledby="pledge-heading" className="mt-10">
      <h2 id="pledge-heading" className="text-xl font-semibold">
        {copy['pledge.status']}
      </h2>
      <ConditionList conditions={conditions} />
    </section>
  )
}

/** The same on other pages: how many conditions are met, and the list behind it. */
export function FoldedPledge({ conditions }: { conditions: readonly Condition[] }) {
  const met = conditions.filter(({ state }) => state === 'met').length
  return (
    <details className="nums mt-6 rounded-lg border border-line bg-surface p-5 tablet:px-6">
      <summary className="min-h-6 cursor-pointer text-soft hover:text-ink">
        <h2 className="mr-3 ml-1 inline text-lg font-semibold text-ink">{copy['pledge.folded']}</h2>
        <span className="text-sm">{fill(copy['pledge.folded.met'], { met, n: conditions.length })}</span>
      </summary>
      <ConditionList conditions={conditions} />
    </details>
  )
}

function ConditionList({ conditions }: { conditions: readonly Condition[] }) {
  return (
    <>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {conditions.map(({ id, state, sentence, found }) => (
          <li key={id} className="grid gap-x-6 gap-y-1 py-3 tablet:grid-cols-[110px_1fr]">
            <p className={`flex h-6 items-center gap-2 text-sm font-semibold ${tones[state]}`}>
              {state === 'met' ? <CheckIcon /> : state === 'missed' ? <CrossIcon /> : <OpenMark />}
              {copy[`pledge.state.${state}`]}
            </p>
            <div className="nums max-w-read min-w-0">
              <p>{conditionText(id)}</p>
              <p className="text-sm text-soft">{foundText(sentence, found)}</p>
            </div>
          </li>
        ))}
      </ul>
      <Link to={paths.pledge} className={quietLink}>
        {copy['pledge.line.link']}
      </Link>
    </>
  )
}

function foundText(sentence: string, found: Condition['found']): string {
  const known = `found.${sentence}` in copy ? copy[`found.${sentence}` as keyof typeof copy] : ''
  const days = Object.entries(found).map(([name, value]) =>
    name === 'day' || name === 'last' ? [name, formatDay(String(value))] : [name, value],
  )
  return fill(known, Object.fromEntries(days) as Record<string, string | number>)
}

const OpenMark = () => (
  <svg aria-hidden="true" viewBox="0 0 16 16" className="size-5 shrink-0">
    <circle cx="8" cy="8" r="5.5" fill="none" strokeWidth="1.5" className="stroke-current" />
  </svg>
)
