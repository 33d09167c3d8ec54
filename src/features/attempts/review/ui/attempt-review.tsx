import { useEffect, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { WithoutAccess } from '../../../access/access.schema.ts'
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
}: {
  review: ReviewView
  reported: readonly string[] | null
  offer?: ReactNode
}) {
  const { hash } = useLocation()
  useEffect(() => {
    // For a link within the page the router scrolls, but does not move the focus.
    if (hash !== '') document.getElementById(hash.slice(1))?.focus()
  }, [hash])
  return (
    <>
      <ResultSummary review={review} isMainStep={offer === undefined} />
      {offer}
      {review.withheld === null ? null : <Withheld courseSlug={review.courseSlug} why={review.withheld} />}
      <DomainResults result={review.result} />
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
