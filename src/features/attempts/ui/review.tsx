import { useState, type ReactNode } from 'react'
import type { ReviewView } from '../schema.ts'
import { DomainResults } from './domain-results.tsx'
import { everyQuestion, ReviewedQuestions } from './reviewed-questions.tsx'
import { ResultSummary } from './result-summary.tsx'
import { SecondLooks } from './second-looks.tsx'

/** A finished attempt: the result, by domain, and every question with what was given, what is right, and why. */
export function Review({ review, offer }: { review: ReviewView; offer?: ReactNode }) {
  const [choice, setChoice] = useState(everyQuestion)
  return (
    <>
      <ResultSummary review={review} isMainStep={offer === undefined} />
      {offer}
      <DomainResults result={review.result} />
      <SecondLooks review={review} onGo={() => setChoice(everyQuestion)} />
      <ReviewedQuestions review={review} choice={choice} onChoose={setChoice} />
    </>
  )
}
