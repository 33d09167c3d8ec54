import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { statisticsLabels } from '../../../questions/types/statistics-registry.ts'
import { copy } from '../statistics.copy.ts'
import type { ItemStatistics, SortedBy, StatisticsFilter } from '../statistics.schema.ts'
import { percentText } from './score-figures.tsx'

const columns = ['number', 'facility', 'discrimination', 'time', 'flags'] as const satisfies readonly SortedBy[]

/** One row per question. The columns sort by links, which work without scripts too. */
export function ItemTable({
  examId,
  versionId,
  items,
  wanted,
}: {
  examId: string
  versionId: string
  items: readonly ItemStatistics[]
  wanted: StatisticsFilter
}) {
  const head = (column: SortedBy) => (
    <SortHead key={column} column={column} wanted={wanted} to={sortedAt(examId, versionId, column, wanted)} />
  )
  return (
    // A wide table scrolls in its own frame; its links make the frame reachable by keyboard.
    <div
      role="region"
      aria-labelledby="questions-heading"
      className="mt-4 max-h-[85dvh] overflow-auto rounded-lg border border-line"
    >
      <table className="nums w-full min-w-[820px] text-left text-sm">
        <thead className="sticky top-0 z-10 bg-sunken">
          <tr>
            {head('number')}
            <th scope="col" className="w-2/5 px-3 py-2 font-semibold">
              {copy['statistics.column.question']}
            </th>
            {columns.slice(1).map(head)}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {items.map((item) => (
            <Row key={item.questionId} examId={examId} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function sortedAt(examId: string, version: string, sort: SortedBy, wanted: StatisticsFilter): string {
  const isDown = wanted.sort === sort && !wanted.down
  const query = new URLSearchParams({ version, sort, ...(isDown ? { down: '1' } : {}) })
  return `${paths.adminStatistics(examId)}?${query.toString()}`
}

function SortHead({ column, wanted, to }: { column: SortedBy; wanted: StatisticsFilter; to: string }) {
  const isHere = wanted.sort === column
  return (
    <th
      scope="col"
      aria-sort={isHere ? (wanted.down ? 'descending' : 'ascending') : undefined}
      className={`px-3 py-2 font-semibold whitespace-nowrap ${column === 'flags' ? '' : 'text-right'}`}
    >
      <Link
        to={to}
        preventScrollReset
        state={{ keepsFocus: true }}
        className="inline-flex min-h-8 items-center gap-1 hover:underline"
      >
        {copy[`statistics.column.${column}`]}
        <span aria-hidden="true">{isHere ? (wanted.down ? '↓' : '↑') : ''}</span>
      </Link>
    </th>
  )
}

function Row({ examId, item }: { examId: string; item: ItemStatistics }) {
  const { number, stem, facility, discrimination, medianMs, flags } = item
  return (
    <tr className="align-top">
      <td className="px-3 py-3 text-right">{number}</td>
      <td className="max-w-96 px-3 py-3">
        <Link
          to={`${paths.adminExam(examId)}?search=${encodeURIComponent(item.questionId)}`}
          className="line-clamp-2 font-medium wrap-anywhere hover:underline"
        >
          {stem}
        </Link>
        <Parts item={item} />
      </td>
      <td className="px-3 py-3 text-right whitespace-nowrap">{percentText(facility)}</td>
      <td className="px-3 py-3 text-right whitespace-nowrap">
        {discrimination === null ? copy['statistics.none'] : discrimination.toFixed(2).replace('-', '\u2212')}
      </td>
      <td className="px-3 py-3 text-right whitespace-nowrap">
        {medianMs === null ? '' : fill(copy['statistics.seconds'], { n: Math.round(medianMs / 1000) })}
      </td>
      <td className="min-w-44 px-3 py-3">
        {flags.length === 0 ? null : (
          <ul className="space-y-1">
            {flags.map((flag) => (
              <li key={flag} className="border-l-4 border-flag pl-2">
                {copy[`flag.${flag}`]}
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}

/** Each part with its share of the learners. */
function Parts({ item }: { item: ItemStatistics }) {
  const labels = statisticsLabels(item.type)
  return (
    <details className="mt-1">
      <summary
        aria-label={fill(labels.partsOfQuestion, { n: item.number })}
        className="inline-flex min-h-8 cursor-pointer items-center text-soft underline underline-offset-2"
      >
        {labels.parts}
      </summary>
      <ul className="mt-1 space-y-2">
        {item.parts.map(({ id, text, isRight, count }) => (
          <Part key={id} text={text} mark={isRight ? labels.right : null} count={count} all={item.count} />
        ))}
        <Part text={copy['statistics.blank']} mark={null} count={item.blankCount} all={item.count} />
      </ul>
    </details>
  )
}

function Part({ text, mark, count, all }: { text: string; mark: string | null; count: number; all: number }) {
  const share = all === 0 ? 0 : count / all
  return (
    <li>
      <p className="flex justify-between gap-4">
        <span className="line-clamp-2 min-w-0 wrap-anywhere">
          {mark === null ? null : <strong className="font-semibold">✓ {mark}: </strong>}
          {text}
        </span>
        <span className="whitespace-nowrap">
          {percentText(share)} ({count})
        </span>
      </p>
      <svg aria-hidden="true" viewBox="0 0 100 2" preserveAspectRatio="none" className="mt-1 h-1 w-full">
        <rect width="100" height="2" className="fill-sunken" />
        <rect width={share * 100} height="2" className={mark === null ? 'fill-line-strong' : 'fill-accent'} />
      </svg>
    </li>
  )
}
