import { useLoaderData, useSearchParams, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router'
import { copy } from '../../features/catalogue/catalogue.copy.ts'
import { categoryLabel, examAction, type ExamAction } from '../../features/catalogue/catalogue.ts'
import type { CourseView, ExamSummary } from '../../features/catalogue/catalogue.schema.ts'
import { Badge, CategoryBadge } from '../../features/catalogue/ui/course-badge.tsx'
import { CoursePrice } from '../../features/catalogue/ui/course-price.tsx'
import { fill } from '../../lib/failure.ts'
import { formatDollars, toDollars, type Cents } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { formatDay } from '../../lib/time.ts'
import type { LiveHandle } from '../../platform/realtime/realtime.schema.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LockIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Breadcrumb, Heading, Page } from '../../ui/page-parts.tsx'
import { AddToCart } from '../layout/add-to-cart.tsx'
import { loadCourse } from './stored-courses-client.ts'
import { describePage } from '../layout/page-meta.ts'
import type { courseLoader } from '../page-loaders.server.ts'
import { counted, pluralOf } from '../../lib/text.ts'

export { courseLoader as loader } from '../page-loaders.server.ts'

export const clientLoader = ({ serverLoader, params }: ClientLoaderFunctionArgs) =>
  loadCourse(params['courseSlug'] ?? '', () => serverLoader<typeof courseLoader>())

export const handle: LiveHandle = {
  live: (data) => ({ courseIds: [(data as { course: { id: string } }).course.id], courses: 1 }),
}

export const meta: MetaFunction<typeof courseLoader> = ({ data, matches }) => {
  if (data === undefined) return []
  const { course } = data
  const site = (matches[0] as { data?: { site?: { appUrl: string; brandName: string } } }).data?.site
  return describePage(matches, {
    title: course.title,
    description: course.description,
    path: paths.course(course.slug),
    data: {
      '@context': 'https://schema.org',
      '@type': 'Course',
      name: course.title,
      description: course.description,
      ...(course.code === null ? {} : { courseCode: course.code }),
      ...(course.category === null ? {} : { educationalLevel: categoryLabel[course.category] }),
      provider: { '@type': 'Organization', name: site?.brandName, url: site?.appUrl },
      offers: {
        '@type': 'Offer',
        price: toDollars(course.priceCents as Cents),
        priceCurrency: 'USD',
        category: course.priceCents === 0 ? 'Free' : 'Paid',
        availability: 'https://schema.org/InStock',
        url: `${site?.appUrl}${paths.course(course.slug)}`,
      },
      hasCourseInstance: {
        '@type': 'CourseInstance',
        courseMode: 'online',
        courseWorkload: `PT${course.blueprint?.minutes ?? 60}M`,
      },
    },
  })
}

export default function CoursePage() {
  const { course, access, accessUntil } = useLoaderData<typeof courseLoader>()
  const [search] = useSearchParams()
  const isPreview = search.get('mode') === 'preview'
  return (
    <Page>
      <Breadcrumb ways={[{ to: paths.home, label: 'Courses' }]} here={course.code ?? course.title} />
      <div className="mt-6 grid gap-x-8 gap-y-6 desktop:grid-cols-[1fr_320px] desktop:grid-rows-[auto_1fr]">
        <div className="flex items-start gap-4 tablet:gap-5">
          <Badge category={course.category} code={course.code} className="size-16 shrink-0 tablet:size-24" />
          <div className="min-w-0 flex-1">
            <CategoryBadge category={course.category} />
            <Heading className="mt-2 text-2xl font-semibold tablet:text-3xl">{course.title}</Heading>
          </div>
        </div>

        {/* Before the long text on small screens, beside it on wide ones. */}
        <BuyPanel course={course} access={access} accessUntil={accessUntil} isPreview={isPreview} />

        <div>
          <p className="max-w-read whitespace-pre-line tablet:text-lg">{course.description}</p>

          {isPreview ? <FreeTrial course={course} access={access} /> : null}

          <ExamsSection course={course} access={access} isPreview={isPreview} />

          {course.blueprint === null ? null : <BlueprintSection blueprint={course.blueprint} />}
        </div>
      </div>
    </Page>
  )
}

type Access = 'running' | 'ended' | 'none' | 'admin'
type PartProps = { readonly course: CourseView; readonly access: Access }

function BuyPanel({
  course,
  access,
  accessUntil,
  isPreview,
}: PartProps & { accessUntil: string | null; isPreview: boolean }) {
  const canTry = course.exams.some((exam) => exam.isFreeTrial)
  return (
    <aside
      aria-label="Buy this course"
      className="grid h-fit gap-x-8 gap-y-5 rounded-lg border border-line bg-surface p-5 tablet:grid-cols-2 tablet:p-6 desktop:sticky desktop:top-24 desktop:col-start-2 desktop:row-span-2 desktop:row-start-1 desktop:grid-cols-1"
    >
      <div>
        <CoursePrice course={course} className="text-3xl" />
        <p className="mt-1 text-sm text-soft">30 days of access from payment</p>
        {access === 'running' && accessUntil !== null ? (
          <Notice tone="good" className="mt-4">
            You have access until {formatDay(accessUntil)}. Buying again adds 30 days at the end.
          </Notice>
        ) : null}
        {access === 'ended' ? (
          <Notice tone="flag" className="mt-4">
            Your access has ended. Your results stay readable.
          </Notice>
        ) : null}
        <AddToCart course={course} look={access === 'running' ? 'secondary' : 'primary'} className="mt-5 w-full" />
        {canTry && !isPreview && access === 'none' ? (
          <ButtonLink to={paths.coursePreview(course.slug)} look="secondary" className="mt-2 w-full">
            {copy['card.try']}
          </ButtonLink>
        ) : null}
      </div>
      {/* On small screens, the exams matter more to owners than this list. */}
      <ul
        className={`${access === 'running' ? 'max-desktop:hidden' : ''} nums space-y-2 border-t border-line pt-5 text-sm tablet:border-t-0 tablet:border-l tablet:pt-0 tablet:pl-8 desktop:border-t desktop:border-l-0 desktop:pt-5 desktop:pl-0`}
      >
        <li>{describeExams(course.exams)}</li>
        <li>Practice mode with explanations</li>
        <li>Timed mode like the real exam</li>
        <li>Results by domain, every question reviewed</li>
      </ul>
    </aside>
  )
}

function ExamsSection({ course, access, isPreview }: PartProps & { isPreview: boolean }) {
  const paid = course.exams.filter((exam) => !exam.isFreeTrial)
  return (
    <section aria-labelledby="exams-heading" className="mt-10">
      <h2 id="exams-heading" className="text-xl font-semibold">
        {isPreview ? copy['preview.adds'] : 'Exams'}
      </h2>
      {isPreview ? (
        <p className="nums mt-2 max-w-read text-soft">
          {fill(copy['preview.adds.text'], {
            price: formatDollars(course.priceCents as Cents),
            exams: describeExams(course.exams),
          })}
        </p>
      ) : null}
      {course.exams.length === 0 ? (
        <p className="mt-2 text-soft">The exams of this course are being prepared.</p>
      ) : null}
      <ExamList exams={isPreview ? paid : course.exams} course={course} access={access} />
    </section>
  )
}

function BlueprintSection({ blueprint }: { blueprint: NonNullable<CourseView['blueprint']> }) {
  return (
    <section aria-labelledby="blueprint-heading" className="mt-10">
      <h2 id="blueprint-heading" className="text-xl font-semibold">
        What the real exam asks
      </h2>
      <p className="nums mt-2 text-soft">
        {blueprint.code}: {blueprint.questions} questions in {blueprint.minutes} minutes, passing score{' '}
        {blueprint.passingScore} of 1000.{' '}
        <a href={blueprint.source} className="text-accent underline" rel="noreferrer">
          The provider's page
        </a>
      </p>
      <table className="mt-4 w-full max-w-read text-left">
        <thead className="text-sm text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 font-medium">
              Domain
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Weight
            </th>
          </tr>
        </thead>
        <tbody>
          {blueprint.domains.map((domain) => (
            <tr key={domain.name} className="border-b border-line">
              <th scope="row" className="py-2 font-normal">
                {domain.name}
              </th>
              <td className="nums py-2 text-right">{domain.weight}%</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function describeExams(exams: readonly ExamSummary[]): string {
  const questions = exams.reduce((total, exam) => total + exam.questionCount, 0)
  return `${counted(exams.length, 'exam')} with ${counted(questions, 'question')}`
}

/** The free-trial exams, shown with `?mode=preview`. */
function FreeTrial({ course, access }: PartProps) {
  const free = course.exams.filter((exam) => exam.isFreeTrial)
  if (free.length === 0)
    return (
      <Notice tone="info" className="mt-8">
        {copy['preview.none']}
      </Notice>
    )
  return (
    <section aria-labelledby="try-heading" className="mt-8 rounded-lg border border-accent bg-accent-soft p-6">
      <h2 id="try-heading" className="text-xl font-semibold">
        {copy['preview.heading']}
      </h2>
      <p className="mt-1 max-w-read">{copy[pluralOf(free.length, 'preview.one', 'preview.many')]}</p>
      <ExamList exams={free} course={course} access={access} isOffer />
    </section>
  )
}

function ExamList({
  exams,
  course,
  access,
  isOffer = false,
}: PartProps & {
  exams: readonly ExamSummary[]
  /** The list is the main action of the page. */
  isOffer?: boolean
}) {
  return (
    <ul className="mt-4 divide-y divide-line border-y border-line">
      {exams.map((exam) => (
        <li key={exam.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="min-w-0">
            <p className="font-semibold">
              {exam.title}
              {exam.isFreeTrial ? (
                <span className="ml-2 rounded-sm bg-good-soft px-1.5 py-0.5 text-xs font-semibold text-good">
                  Free trial
                </span>
              ) : null}
            </p>
            <p className="nums text-sm text-soft">
              {counted(exam.questionCount, 'question')}, {counted(exam.timeLimitMinutes, 'minute')}, {exam.passingScore}{' '}
              % to pass
            </p>
          </div>
          <ExamActionButton
            exam={exam}
            courseSlug={course.slug}
            examAction={examAction(exam, access)}
            isOffer={isOffer}
          />
        </li>
      ))}
    </ul>
  )
}

function ExamActionButton({
  exam,
  courseSlug,
  examAction,
  isOffer,
}: {
  exam: ExamSummary
  courseSlug: string
  examAction: ExamAction
  isOffer: boolean
}) {
  if (examAction === 'start')
    return (
      <ButtonLink to={paths.exam(courseSlug, exam.slug)} aria-label={`${copy['course.start']}: ${exam.title}`}>
        {copy['course.start']}
      </ButtonLink>
    )
  if (examAction === 'try')
    return (
      <ButtonLink
        to={paths.examMode(courseSlug, exam.slug, 'preview')}
        look={isOffer ? 'primary' : 'secondary'}
        aria-label={`${copy['card.try']}: ${exam.title}`}
      >
        {copy['card.try']}
      </ButtonLink>
    )
  return (
    <p className="flex items-center gap-2 text-sm text-soft">
      <LockIcon />
      {examAction === 'renew' ? copy['course.renew'] : copy['course.locked']}
    </p>
  )
}
