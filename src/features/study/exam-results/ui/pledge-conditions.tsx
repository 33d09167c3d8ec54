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
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {conditions.map(({ id, state, sentence, found }) => (
          <li key={id} className="grid gap-x-6 gap-y-1 py-3 tablet:grid-cols-[110px_1fr]">
            <p className={`flex items-center gap-2 self-start text-sm font-semibold ${tones[state]}`}>
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
    </section>
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
  <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 shrink-0">
    <circle cx="8" cy="8" r="5.5" fill="none" strokeWidth="1.5" className="stroke-current" />
  </svg>
)
