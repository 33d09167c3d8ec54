import { useEffect, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { WithoutAccess } from '../../../access/access.schema.ts'
import type { SheetSummary } from '../../../catalogue/study-sheets/study-sheets.ts'
import { copy as sheetCopy } from '../../../catalogue/study-sheets/study-sheets.copy.ts'
import { copy } from '../../attempts.copy.ts'
import type { ReviewView } from '../../attempts.schema.ts'
import { DomainResults } from './domain-results.tsx'
import { ReviewedQuestions } from './reviewed-questions.tsx'
import { ResultSummary } from './result-summary.tsx'
import { SecondLooks } from './second-looks.tsx'

/**
 * A finished attempt: the result in total and by domain, and every question with the learner's answer, the answer key and the
 * explanation. `reported` lists the questions that the learner has reported; null if the viewer cannot report questions.
 */
export function Review({
  review,
  reported,
  offer,
  sheets = [],
}: {
  review: ReviewView
  reported: readonly string[] | null
  offer?: ReactNode
  /** The study sheets of the course; the result by domain links to them. */
  sheets?: readonly SheetSummary[]
}) {
  const { hash } = useLocation()
  useEffect(() => {
    // For a link within the page the router scrolls, but does not move the focus.
    if (hash !== '') document.getElementById(hash.slice(1))?.focus()
  }, [hash])
  const toSheet = (domain: string) => {
    const sheet = sheets.find((one) => one.domain === domain)
    return sheet === undefined ? null : <SheetLink courseSlug={review.courseSlug} sheet={sheet} />
  }
  return (
    <>
      <ResultSummary review={review} isMainStep={offer === undefined} />
      {offer}
      {review.withheld === null ? null : <Withheld courseSlug={review.courseSlug} why={review.withheld} />}
      <DomainResults result={review.result} belowDomain={toSheet} />
      <SecondLooks review={review} />
      <ReviewedQuestions review={review} reported={reported} />
    </>
  )
}

/** Why answer keys and explanations are not shown, and how to get them. */
function Withheld({ courseSlug, why }: { courseSlug: string; why: WithoutAccess }) {
  return (
    <Notice tone="info" className="mt-4">
      <p>{copy[`review.withheld.${why}`]}</p>
      <p className="mt-3" data-print="off">
        <ButtonLink to={paths.course(courseSlug)} look="secondary">
          {copy[`review.withheld.${why}.do`]}
        </ButtonLink>
      </p>
    </Notice>
  )
}

function SheetLink({ courseSlug, sheet }: { courseSlug: string; sheet: SheetSummary }) {
  return (
    <Link
      to={paths.studySheet(courseSlug, sheet.slug)}
      data-print="off"
      className="mt-1 inline-flex min-h-8 items-center text-sm text-accent underline underline-offset-2"
    >
      {fill(sheetCopy['sheets.read'], { domain: sheet.domain })}
    </Link>
  )
}
