import { useEffect } from 'react'
import { useLoaderData, useRevalidator, type MetaFunction, type ShouldRevalidateFunction } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Breadcrumb, Heading, Page } from '../../../ui/page-parts.tsx'
import type { examReviewLoader } from '../attempts-endpoints.server.ts'
import { copy } from '../attempts.copy.ts'
import { Review } from './ui/attempt-review.tsx'

export { examReviewLoader as loader } from '../attempts-endpoints.server.ts'

export const meta: MetaFunction<typeof examReviewLoader> = ({ data }) => [
  { title: data === undefined ? 'Review' : `Review: ${data.review.examTitle}, ${data.review.courseTitle}` },
  { name: 'robots', content: 'noindex' },
]

/** The filter is in the address too; the data does not depend on it. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate

export default function ExamReviewPage() {
  const { review, reported, sheets } = useLoaderData<typeof examReviewLoader>()
  const { revalidate } = useRevalidator()
  useEffect(() => {
    // The device may hold answers that it could not send before the time was over. Send them, then show them in the review. The code
    // for it is loaded once the page is usable.
    const timer = setTimeout(() => {
      import('../saving/answer-queue-client.ts')
        .then(({ sendLeftBehind }) => sendLeftBehind())
        .then((heardCount) => (heardCount > 0 ? revalidate() : undefined))
        .catch((error: unknown) => console.warn('Answers that were left on this device could not be sent:', error))
    })
    return () => clearTimeout(timer)
  }, [revalidate])
  return (
    <Page width="exam">
      <Breadcrumb
        ways={[
          { to: paths.course(review.courseSlug), label: review.courseTitle },
          { to: paths.examOrMock(review.courseSlug, review.examSlug), label: review.examTitle },
        ]}
      />
      <div className="mt-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <Heading className="text-2xl font-semibold tablet:text-3xl">Review: {review.examTitle}</Heading>
        <Button look="secondary" data-print="off" onClick={() => window.print()}>
          {copy['review.print']}
        </Button>
      </div>
      <p className="hidden print:block">{review.courseTitle}</p>
      <Review review={review} reported={reported} sheets={sheets} />
    </Page>
  )
}
