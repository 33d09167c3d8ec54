import { z } from 'zod'
import { csvOf } from '../../../lib/csv.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { replicaPageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { getCurrentExam, listVersions } from '../../authoring/drafts/drafts-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { copy } from './statistics.copy.ts'
import { getStatistics } from './statistics-queries.server.ts'
import { sortItems, STATISTICS_FLOOR } from './statistics.ts'
import {
  StatisticsPath,
  StatisticsFilter,
  VersionFilter,
  type ExamStatistics,
  type ItemStatistics,
} from './statistics.schema.ts'

export function statisticsApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/statistics.csv',
      who: 'admin',
      about: 'Exports the statistics of the questions of an exam version as CSV.',
      limit: 'export',
      params: StatisticsPath,
      query: VersionFilter,
      reply: z.string(),
      reads: 'replica',
      async handle({ params, query }, context) {
        const { exam, version, statistics } = await load(context, params.examId, query.version)
        return new Response(csvOf(rowsOf(statistics)), {
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'cache-control': 'no-store',
            'content-disposition': `attachment; filename="statistics-${exam.slug}-v${version.versionNumber}.csv"`,
          },
        })
      },
    }),
  ]
}

/** The statistics of one version. */
export const statisticsLoader = replicaPageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const path = StatisticsPath.safeParse(params)
  if (!path.success) throw failCatalogue('exam.not-found')
  const query = Object.fromEntries(url.searchParams)
  const wanted = StatisticsFilter.parse(query)
  const loaded = await load(context, path.data.examId, VersionFilter.parse(query).version)
  const { statistics } = loaded
  return { ...loaded, wanted, statistics: { ...statistics, items: sortItems(statistics.items, wanted) } }
})

/** @throws Failure exam.not-found */
async function load({ reads: db, clock }: RequestContext, examId: string, versionId: string | undefined) {
  const { familyId, courseTitle, slug, settings } = await getCurrentExam(db, examId)
  const versions = await listVersions(db, familyId)
  const version = versions.find(({ id, isCurrent }) => (versionId === undefined ? isCurrent : id === versionId))
  if (version === undefined) throw failCatalogue('exam.not-found')
  return {
    exam: { familyId, courseTitle, slug, title: settings.title },
    versions: versions.map(({ id, versionNumber, isCurrent }) => ({ id, versionNumber, isCurrent })),
    version: { id: version.id, versionNumber: version.versionNumber },
    floor: STATISTICS_FLOOR,
    statistics: await getStatistics(db, { id: version.id, familyId, now: clock.now() }),
  }
}

/** A row for each part of a question, so that a spreadsheet can filter and add up. Shares are from 0 to 1. */
function rowsOf({ items }: ExamStatistics): (string | number | null)[][] {
  const head = [
    'number',
    'question_id',
    'question',
    'attempts',
    'facility',
    'discrimination',
    'difficulty',
    'difficulty_error',
    'difficulty_answers',
    'median_seconds',
    'look_at',
    'answer_id',
    'answer',
    'is_right',
    'chosen',
    'share',
    'case_study',
  ]
  const lines = items.flatMap((item) => {
    const facts = [
      item.number,
      item.questionId,
      item.stem,
      item.count,
      rounded(item.facility),
      item.discrimination === null ? null : rounded(item.discrimination),
      ...calibrationCells(item),
      item.medianMs === null ? null : item.medianMs / 1000,
      item.flags.map((flag) => copy[`flag.${flag}`]).join('; '),
    ]
    return [
      ...item.parts.map(({ id, text, isRight, count }) => [
        ...facts,
        id,
        text,
        isRight ? 'yes' : 'no',
        count,
        rounded(count / item.count),
        item.caseStudy,
      ]),
      [
        ...facts,
        '',
        copy['statistics.blank'],
        'no',
        item.blankCount,
        rounded(item.blankCount / item.count),
        item.caseStudy,
      ],
    ]
  })
  return [head, ...lines]
}

function calibrationCells({ calibration }: ItemStatistics): (number | null)[] {
  if (calibration === null) return [null, null, null]
  return [rounded(calibration.difficulty), rounded(calibration.deviation), calibration.responseCount]
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}
