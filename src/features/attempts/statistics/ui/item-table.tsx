import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { plainText } from '../../../../lib/markdown.ts'
import { copy as caseStudyCopy } from '../../../questions/case-studies/shown-case-study.copy.ts'
import { stemWords } from '../../../questions/types/stem-words-registry.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { statisticsLabels } from '../../../questions/types/statistics-registry.ts'
import { copy } from '../statistics.copy.ts'
import type { ItemStatistics, SortedBy, StatisticsFilter } from '../statistics.schema.ts'
import { percentText } from './score-figures.tsx'

const columns = [
  'number',
  'facility',
  'discrimination',
  'difficulty',
  'time',
  'flags',
] as const satisfies readonly SortedBy[]

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
    // A long table scrolls in its own frame; its links make the frame reachable by keyboard. Where it is too narrow for the columns,
    // each question is a block with its figures named, and the headings are a row of links to sort by.
    <div
      role="region"
      aria-labelledby="questions-heading"
      className="mt-4 wide:max-h-[85dvh] wide:overflow-auto wide:rounded-lg wide:border wide:border-line"
    >
      <table className="nums w-full text-left text-sm max-wide:block">
        <thead className="z-10 bg-sunken max-wide:block max-wide:rounded-md max-wide:px-3 max-wide:py-1 wide:sticky wide:top-0">
          <tr className="max-wide:flex max-wide:flex-wrap max-wide:gap-x-5">
            {head('number')}
            <th scope="col" className="w-2/5 px-3 py-2 font-semibold max-wide:sr-only">
              {copy['statistics.column.question']}
            </th>
            {columns.slice(1).map(head)}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-wide:block">
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
  return `${adminPaths.statistics(examId)}?${query.toString()}`
}

function SortHead({ column, wanted, to }: { column: SortedBy; wanted: StatisticsFilter; to: string }) {
  const isHere = wanted.sort === column
  return (
    <th
      scope="col"
      aria-sort={isHere ? (wanted.down ? 'descending' : 'ascending') : undefined}
      className={`px-3 py-2 font-semibold whitespace-nowrap max-wide:p-0 ${column === 'flags' ? '' : 'text-right'}`}
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
  const { number, facility, discrimination, calibration, medianMs, flags } = item
  return (
    <tr className="align-top max-wide:relative max-wide:flex max-wide:flex-wrap max-wide:gap-x-5 max-wide:gap-y-1 max-wide:py-4 max-wide:pl-9">
      <td className="px-3 py-3 text-right max-wide:absolute max-wide:left-0 max-wide:w-6 max-wide:p-0">{number}</td>
      <td className="max-w-96 px-3 py-3 max-wide:max-w-none max-wide:min-w-0 max-wide:w-full max-wide:p-0">
        <Link
          to={`${adminPaths.exam(examId)}?search=${encodeURIComponent(item.questionId)}`}
          className="line-clamp-2 font-medium wrap-anywhere hover:underline"
        >
          {stemWords(item)}
        </Link>
        {item.caseStudy === null ? null : (
          <p className="text-sm wrap-anywhere text-soft">
            {fill(caseStudyCopy['case-study.of'], { title: item.caseStudy })}
          </p>
        )}
        <Parts item={item} />
      </td>
      <Figure of="facility">{percentText(facility)}</Figure>
      <Figure of="discrimination">
        {discrimination === null ? copy['statistics.none'] : discrimination.toFixed(2).replace('-', '\u2212')}
      </Figure>
      <Figure of="difficulty">
        {calibration === null ? copy['statistics.none'] : <Difficulty calibration={calibration} />}
      </Figure>
      <Figure of="time">
        {medianMs === null
          ? copy['statistics.none']
          : fill(copy['statistics.seconds'], { n: Math.round(medianMs / 1000) })}
      </Figure>
      <td className="min-w-44 px-3 py-3 max-wide:w-full max-wide:p-0">
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

function Difficulty({ calibration }: { calibration: NonNullable<ItemStatistics['calibration']> }) {
  const { difficulty, deviation, responseCount } = calibration
  return (
    <>
      {fill(copy['statistics.difficulty.value'], {
        n: difficulty.toFixed(2).replace('-', '\u2212'),
        error: deviation.toFixed(2),
      })}
      <span className="text-xs font-normal text-soft max-wide:ml-1 wide:block">
        {fill(copy['statistics.difficulty.from'], { n: responseCount })}
      </span>
    </>
  )
}

/** A figure; in a block it has its label. */
function Figure({ of, children }: { of: SortedBy; children: ReactNode }) {
  return (
    <td className="px-3 py-3 text-right whitespace-nowrap max-wide:p-0">
      <span aria-hidden="true" className="text-soft wide:hidden">
        {copy[`statistics.column.${of}`]}{' '}
      </span>
      <span className="max-wide:font-semibold">{children}</span>
    </td>
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
          {plainText(text)}
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
