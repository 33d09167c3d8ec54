import { fill } from '../../../lib/failure.ts'
import { cents, formatDollars } from '../../../lib/money.ts'
import { copy } from '../analytics.copy.ts'
import { changeOf, pointsBetween, shareOf } from '../analytics.ts'
import type { Figures as FiguresOf } from '../analytics.schema.ts'
import { changeText, Figure, pointsText } from './figure.tsx'
import { Sparkline } from './sparkline.tsx'

/** The six numbers of a period beside those of the period before. */
export function Figures({ now, before, spark }: { now: FiguresOf; before: FiguresOf; spark?: readonly number[] }) {
  const net = (of: FiguresOf) => of.grossCents - of.refundedCents
  const finished = (of: FiguresOf) => of.timed + of.practice
  const conversion = shareOf(now.purchases, now.trials)
  const passRate = shareOf(now.passed, now.timed)
  return (
    <dl className="grid grid-cols-1 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 desktop:grid-cols-3">
      <Figure
        name={copy['figure.net']}
        value={dollars(net(now))}
        change={changeText(changeOf(net(now), net(before)))}
        note={fill(copy['figure.net.note'], { gross: dollars(now.grossCents), refunded: dollars(now.refundedCents) })}
      >
        {spark === undefined ? undefined : <Sparkline values={spark} />}
      </Figure>
      <Figure
        name={copy['figure.orders']}
        value={String(now.orders)}
        change={changeText(changeOf(now.orders, before.orders))}
        note={
          now.orders === 0
            ? ''
            : fill(copy['figure.orders.note'], { average: dollars(Math.round(now.grossCents / now.orders)) })
        }
      />
      <Figure
        name={copy['figure.conversion']}
        value={percent(conversion)}
        change={pointsText(pointsBetween(conversion, shareOf(before.purchases, before.trials)))}
        note={fill(copy['figure.conversion.note'], { purchases: now.purchases, trials: now.trials })}
      />
      <Figure
        name={copy['figure.learners']}
        value={String(now.learners)}
        change={changeText(changeOf(now.learners, before.learners))}
        note={copy['figure.learners.note']}
      />
      <Figure
        name={copy['figure.finished']}
        value={String(finished(now))}
        change={changeText(changeOf(finished(now), finished(before)))}
        note={fill(copy['figure.finished.note'], { timed: now.timed, practice: now.practice })}
      />
      <Figure
        name={copy['figure.passes']}
        value={percent(passRate)}
        change={pointsText(pointsBetween(passRate, shareOf(before.passed, before.timed)))}
        note={fill(copy['figure.passes.note'], { passed: now.passed, timed: now.timed })}
      />
    </dl>
  )
}

export function dollars(amount: number): string {
  return formatDollars(cents(amount))
}

export function percent(share: number | null): string {
  return share === null ? copy['figure.none'] : `${Math.round(share * 100)}%`
}
