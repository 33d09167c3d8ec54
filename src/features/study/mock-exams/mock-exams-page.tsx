import { Link, useActionData, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { CheckIcon, CrossIcon } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Breadcrumb, EmptyState, Heading, Page, quietLink } from '../../../ui/page-parts.tsx'
import { wholePercent } from '../../attempts/attempts.ts'
import { copy } from './mock-exams.copy.ts'
import type { mockPageAction, mockPageLoader } from './mock-exams-endpoints.server.ts'
import { MockExamCard } from './ui/mock-exam-card.tsx'
import { OpenExam } from './ui/open-exam.tsx'

export { mockPageAction as action, mockPageLoader as loader } from './mock-exams-endpoints.server.ts'

export const meta: MetaFunction<typeof mockPageLoader> = ({ data }) => [
  { title: data === undefined ? copy['page.title'] : `${copy['page.title']}: ${data.course.title}` },
  { name: 'robots', content: 'noindex' },
]

type Loaded = Awaited<ReturnType<typeof mockPageLoader>>
/** What the page of drawn exams shows. */
export type MockPage = Extract<Loaded, { kind: 'open' }>

/** Starts a mock exam or leads to the open one, and to the form for custom exams. */
export default function MockExamsPage() {
  const data = useLoaderData<typeof mockPageLoader>()
  const acted = useActionData<typeof mockPageAction>()
  const failure = acted !== undefined && 'failure' in acted ? acted.failure : null
  const { course } = data
  return (
    <Page width="exam">
      <Breadcrumb ways={[{ to: paths.course(course.slug), label: course.title }]} />
      <Heading className="mt-3 text-2xl font-semibold tablet:text-3xl">{copy['page.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['page.about']}</p>
      {failure === null ? null : (
        <Notice tone="bad" className="mt-6">
          {failure.fields?.[0]?.message ?? failure.message}
        </Notice>
      )}
      {data.kind === 'refused' ? (
        <Refused slug={course.slug} why={data.why} />
      ) : data.bankCount === 0 ? (
        <div className="mt-8">
          <EmptyState drawing="attempts" title={copy['mock.empty']} />
        </div>
      ) : (
        <Open data={data} />
      )}
    </Page>
  )
}

function Open({ data }: { data: MockPage }) {
  return (
    <>
      <MockExamCard data={data} />
      <CustomExam data={data} />
      {data.finished.length === 0 ? null : <Results finished={data.finished} />}
    </>
  )
}

/** The open custom exam, and the way to the form for another. */
function CustomExam({ data: { course, open } }: { data: MockPage }) {
  return (
    <section aria-labelledby="custom-heading" className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6">
      <h2 id="custom-heading" className="text-xl font-semibold">
        {copy['custom.title']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['custom.about']}</p>
      {open.custom === null ? null : <OpenExam slug={course.slug} open={open.custom} look="secondary" />}
      <ButtonLink to={paths.customExam(course.slug)} look="secondary" className="mt-5">
        {copy['custom.choose']}
      </ButtonLink>
    </section>
  )
}

function Results({ finished }: Pick<MockPage, 'finished'>) {
  return (
    <section aria-labelledby="finished-heading" className="mt-10">
      <h2 id="finished-heading" className="text-xl font-semibold">
        {copy['finished.title']}
      </h2>
      <ul className="mt-3 border-t border-line">
        {finished.map(({ attemptId, title, finishedAt, scorePercent, isPassed, questionCount }) => (
          <li key={attemptId} className="flex flex-wrap items-center justify-between gap-x-6 border-b border-line py-2">
            <div className="nums min-w-0">
              <p className="font-semibold">{title}</p>
              <p className={`flex items-center gap-1.5 text-sm ${isPassed ? 'text-good' : 'text-bad'}`}>
                {isPassed ? <CheckIcon /> : <CrossIcon />}
                {fill(copy['finished.score'], {
                  percent: wholePercent(scorePercent),
                  n: questionCount,
                  day: formatDay(finishedAt),
                })}
              </p>
            </div>
            <Link
              to={paths.examReview(attemptId)}
              aria-label={`${copy['finished.review']}: ${title}`}
              className={quietLink}
            >
              {copy['finished.review']}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Refused({ slug, why }: { slug: string; why: 'none' | 'ended' }) {
  return (
    <div className="mt-8">
      <EmptyState
        drawing="attempts"
        title={copy[`refused.${why}.title`]}
        hint={copy[`refused.${why}`]}
        action={<ButtonLink to={paths.course(slug)}>{copy['refused.course']}</ButtonLink>}
      />
    </div>
  )
}
