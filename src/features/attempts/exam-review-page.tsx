import { useEffect } from 'react'
import { Link, useLoaderData, useRevalidator, type MetaFunction } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { Heading, Page } from '../../ui/page.tsx'
import type { examReviewLoader } from './api.server.ts'
import { sendLeftBehind } from './saving/client.ts'
import { Review } from './ui/review.tsx'

export { examReviewLoader as loader } from './api.server.ts'

export const meta: MetaFunction<typeof examReviewLoader> = ({ data }) => [
  { title: data === undefined ? 'Review' : `Review: ${data.examTitle}, ${data.courseTitle}` },
  { name: 'robots', content: 'noindex' },
]

export default function ExamReviewPage() {
  const review = useLoaderData<typeof examReviewLoader>()
  const { revalidate } = useRevalidator()
  useEffect(() => {
    // Outside: the device may hold answers that it could not send before the time was over; they belong into this review.
    void sendLeftBehind().then((heardCount) => (heardCount > 0 ? revalidate() : undefined))
  }, [revalidate])
  return (
    <Page width="exam">
      <nav aria-label="Breadcrumb" className="text-sm text-soft">
        <Link to={paths.course(review.courseSlug)} className="hover:underline">
          {review.courseTitle}
        </Link>
        <span aria-hidden="true"> / </span>
        <Link to={paths.exam(review.courseSlug, review.examSlug)} className="hover:underline">
          {review.examTitle}
        </Link>
      </nav>
      <Heading className="mt-4 text-2xl font-semibold tablet:text-3xl">Review: {review.examTitle}</Heading>
      <Review review={review} />
    </Page>
  )
}
