import { useEffect, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { ReviewView } from '../schema.ts'
import { DomainResults } from './domain-results.tsx'
import { ReviewedQuestions } from './reviewed-questions.tsx'
import { ResultSummary } from './result-summary.tsx'
import { SecondLooks } from './second-looks.tsx'

/**
 * A finished attempt: the result, by domain, and every question with what was given, what is right, and why. `reported`
 * are the questions that its taker has reported; null where whoever looks can't report from it.
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
    // Outside: a link within the page that the router follows scrolls, and leaves the focus where it was.
    if (hash !== '') document.getElementById(hash.slice(1))?.focus()
  }, [hash])
  return (
    <>
      <ResultSummary review={review} isMainStep={offer === undefined} />
      {offer}
      <DomainResults result={review.result} />
      <SecondLooks review={review} />
      <ReviewedQuestions review={review} reported={reported} />
    </>
  )
}
