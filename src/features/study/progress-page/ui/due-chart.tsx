import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { copy as studyCopy } from '../../study.copy.ts'
import { copy } from '../progress-page.copy.ts'
import { dayName, dayNumber, type ProgressView } from '../progress-view.ts'
import { ChartCard, DataTable, Drawings } from './chart-parts.tsx'

const HEIGHT = 190
const [TOP, BOTTOM] = [24, 162]

/** How many cards come back on each of the next days. */
export function DueChart({ dueAhead, dueFrom, fitted }: Pick<ProgressView, 'dueAhead' | 'dueFrom' | 'fitted'>) {
  const [dueToday = 0, ...later] = dueAhead
  const ahead = later.reduce((sum, count) => sum + count, 0)
  const isNone = dueToday + ahead === 0
  const dayAt = (place: number) => dayName(dayNumber(dueFrom) + place)
  const lead = isNone ? copy['due.none'] : fill(copy['due.lead'], { n: dueToday, ahead })
  return (
    <ChartCard
      id="due-heading"
      span="third"
      title={copy['due.title']}
      lead={
        fitted === null
          ? lead
          : `${lead} ${fill(studyCopy['due.fitted'], { n: fitted.reviews, later: fitted.heldOut })}`
      }
      table={
        isNone ? undefined : (
          <DataTable
            head={[copy['due.day'], copy['due.cards']]}
            rows={dueAhead.map((count, place) => [
              place === 0 ? copy['due.today'] : formatDay(dayAt(place)),
              String(count),
            ])}
          />
        )
      }
    >
      {isNone ? undefined : (
        <Drawings
          of="third"
          height={HEIGHT}
          renderAt={(width) => <Bars width={width} counts={dueAhead} dayAt={dayAt} />}
        />
      )}
    </ChartCard>
  )
}

type BarsProps = { width: number; counts: readonly number[]; dayAt: (place: number) => string }

function Bars({ width, counts, dayAt }: BarsProps) {
  const step = width / counts.length
  const most = Math.max(...counts)
  const size = (count: number) => (count / most) * (BOTTOM - TOP)
  return (
    <>
      {counts.map((count, place) => {
        const middle = (place + 0.5) * step
        return (
          <g key={dayAt(place)} textAnchor="middle">
            {count === 0 ? (
              <circle cx={middle} cy={BOTTOM - 3} r="2.5" fill="none" className="stroke-line-strong" />
            ) : (
              <>
                <rect
                  x={middle - 0.32 * step}
                  y={BOTTOM - Math.max(4, size(count))}
                  width={0.64 * step}
                  height={Math.max(4, size(count))}
                  rx="3"
                  className={`fill-accent ${place === 0 ? '' : 'opacity-50'}`}
                />
                <text x={middle} y={BOTTOM - Math.max(4, size(count)) - 6} fontSize="12" className="fill-ink">
                  {count}
                </text>
              </>
            )}
            <text
              x={place === 0 ? 0 : middle}
              y={BOTTOM + 20}
              fontSize="12"
              textAnchor={place === 0 ? 'start' : 'middle'}
              className="fill-soft"
            >
              {place === 0 ? copy['due.today'] : place % 2 === 0 && place > 1 ? Number(dayAt(place).slice(8)) : ''}
            </text>
          </g>
        )
      })}
      <line x1="0" x2={width} y1={BOTTOM} y2={BOTTOM} className="stroke-line" />
    </>
  )
}
