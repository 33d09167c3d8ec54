import { Link, useLoaderData, useSearchParams, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router'
import { copy } from '../../features/catalogue/catalogue.copy.ts'
import { categoryLabel, examAction, type ExamAction } from '../../features/catalogue/catalogue.ts'
import type { CourseView, ExamSummary } from '../../features/catalogue/catalogue.schema.ts'
import type { CourseContents, Sample } from '../../features/catalogue/contents/course-contents.schema.ts'
import { isLikeRealExam, splitDescription } from '../../features/catalogue/contents/course-summary.ts'
import { CourseContentsSection } from '../../features/catalogue/contents/course-contents-section.tsx'
import { StudySheetList } from '../../features/catalogue/study-sheets/ui/study-sheet-list.tsx'
import { Badge, CategoryBadge } from '../../features/catalogue/ui/course-badge.tsx'
import { CoursePrice } from '../../features/catalogue/ui/course-price.tsx'
import { ErrataSection } from '../../features/attempts/reports/ui/errata-section.tsx'
import { LastReviewLine } from '../../features/authoring/freshness/ui/last-review-line.tsx'
import { PledgeLine } from '../../features/study/exam-results/ui/pledge-line.tsx'
import { fill } from '../../lib/failure.ts'
import { formatDollars, toDollars, type Cents } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { formatDay } from '../../lib/time.ts'
import type { LiveHandle } from '../../platform/realtime/realtime.schema.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Cloudlets, rowOf } from '../../ui/cloudlets.tsx'
import { LockIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Breadcrumb, Heading, Page, quietLink, Skeleton } from '../../ui/page-parts.tsx'
import { whenSeen } from '../../ui/when-seen.tsx'
import { BuyOrExtend } from '../layout/add-to-cart.tsx'
import { BuyThisCourse } from './buy-this-course.tsx'
import { loadCourse } from './stored-courses-client.ts'
import { describePage } from '../layout/page-meta.ts'
import type { courseLoader } from '../page-loaders.server.ts'
import { counted, pluralOf } from '../../lib/text.ts'

export { courseAction as action, courseLoader as loader } from '../page-loaders.server.ts'

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
  const { course, contents, errata, sheets, review, access, accessUntil } = useLoaderData<typeof courseLoader>()
  const [search] = useSearchParams()
  const isPreview = search.get('mode') === 'preview'
  const { about, audience, before } = splitDescription(course.description)
  const isStudying = access === 'running' || access === 'admin'
  return (
    <Page>
      <Breadcrumb ways={[{ to: paths.home, label: 'Courses' }]} here={course.code ?? course.title} />
      <div className="mt-6 grid gap-x-12 gap-y-6 desktop:grid-cols-[1fr_320px] desktop:grid-rows-[auto_1fr]">
        <div className="flex items-start gap-4 tablet:gap-6">
          <Badge
            category={course.category}
            code={course.code}
            title={course.title}
            className="size-20 shrink-0 tablet:size-32"
          />
          <div className="min-w-0 flex-1 tablet:self-center">
            <CategoryBadge category={course.category} />
            <Heading className="mt-2 text-2xl font-semibold tablet:text-3xl">{course.title}</Heading>
          </div>
        </div>

        {/* Before the long text on small screens, beside it on wide ones. */}
        <BuyPanel
          course={course}
          sheetCount={sheets.length}
          contents={contents}
          access={access}
          accessUntil={accessUntil}
          isPreview={isPreview}
        />

        <div className="min-w-0">
          {isPreview ? <FreeTrial course={course} access={access} /> : null}
          <div className="max-w-read space-y-4 whitespace-pre-line tablet:text-lg">
            {about.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>

          <CourseContentsSection contents={contents} audience={audience} before={before} />

          <ExamsSection course={course} access={access} isPreview={isPreview} />

          <StudySheetList courseSlug={course.slug} sheets={sheets} isOwned={isStudying} />

          {isStudying || contents === null || contents.sample === null ? null : (
            <TrySection course={course} sample={contents.sample} />
          )}

          {course.blueprint === null ? null : <BlueprintSection blueprint={course.blueprint} />}
          <LastReviewLine review={review} />
          <ErrataSection errata={errata} />
        </div>
      </div>
    </Page>
  )
}

type Access = 'running' | 'ended' | 'none' | 'admin'
type PartProps = { readonly course: CourseView; readonly access: Access }

const SampleQuestion = whenSeen(() => import('../../features/attempts/sample/sample-question.tsx'))

/** A question of the free trial, answered on the page. */
function TrySection({ course, sample }: { course: CourseView; sample: Sample }) {
  return (
    <section aria-labelledby="try-one-heading" className="mt-10">
      <h2 id="try-one-heading" className="text-xl font-semibold">
        {copy['contents.try']}
      </h2>
      <div className="mt-4 rounded-lg border border-line-strong bg-surface p-5 tablet:p-6">
        <SampleQuestion
          courseSlug={course.slug}
          courseTitle={course.title}
          sample={sample}
          fallback={<Skeleton className="h-90 w-full" />}
        />
      </div>
    </section>
  )
}

function BuyPanel({
  course,
  contents,
  access,
  accessUntil,
  isPreview,
  sheetCount,
}: PartProps & {
  contents: CourseContents | null
  sheetCount: number
  accessUntil: string | null
  isPreview: boolean
}) {
  const canTry = course.exams.some((exam) => exam.isFreeTrial)
  const isOwned = access === 'running'
  return (
    <aside
      aria-label="Buy this course"
      className="grid h-fit gap-x-8 gap-y-5 rounded-lg border border-line bg-surface p-5 tablet:grid-cols-2 tablet:p-6 desktop:sticky desktop:top-24 desktop:col-start-2 desktop:row-span-2 desktop:row-start-1 desktop:grid-cols-1"
    >
      <div>
        {isOwned ? <StudyFirst slug={course.slug} accessUntil={accessUntil} /> : null}
        <CoursePrice course={course} className={isOwned ? 'text-xl' : 'text-3xl'} />
        <p className="mt-1 text-sm text-soft">
          {isOwned ? 'Adds 30 days at the end of your access' : '30 days of access from payment'}
        </p>
        {access === 'ended' ? (
          <Notice tone="flag" className="mt-4">
            Your access has ended. Your results stay readable.
          </Notice>
        ) : null}
        <PledgeLine className="mt-3" />
        <BuyOrExtend course={course} isOwned={isOwned} className="mt-5 w-full" />
        <BuyThisCourse priceCents={course.priceCents} isOwned={isOwned} />
        {canTry && !isPreview && access === 'none' ? (
          <ButtonLink to={paths.coursePreview(course.slug)} look="secondary" className="mt-2 w-full">
            {copy['card.try']}
          </ButtonLink>
        ) : null}
      </div>
      {/* On phones, the exams matter more to owners than this list. */}
      <ul
        className={`${isOwned ? 'max-tablet:hidden' : ''} nums space-y-2 border-t border-line pt-5 text-sm tablet:border-t-0 tablet:border-l tablet:pt-0 tablet:pl-8 desktop:border-t desktop:border-l-0 desktop:pt-5 desktop:pl-0`}
      >
        {describeParts(course, contents).map((part) => (
          <li key={part}>{part}</li>
        ))}
        <li>Practice mode with explanations</li>
        <li>{timedMode(course)}</li>
        {sheetCount === 0 ? null : <li>{counted(sheetCount, 'study sheet')} to read and print</li>}
        <li>Results by domain, every question reviewed</li>
      </ul>
    </aside>
  )
}

/** An owner came to study; more days are the second thing. */
function StudyFirst({ slug, accessUntil }: { slug: string; accessUntil: string | null }) {
  return (
    <div className="mb-5 border-b border-line pb-5">
      {accessUntil === null ? null : (
        <Notice tone="good" className="mb-4">
          You have access until {formatDay(accessUntil)}.
        </Notice>
      )}
      <ButtonLink to={paths.drill(slug)} className="w-full">
        {copy['card.study']}
      </ButtonLink>
      <ButtonLink to={paths.mock(slug)} look="secondary" className="mt-2 w-full">
        {copy['card.mock']}
      </ButtonLink>
    </div>
  )
}

/** Timed mode is called like the real exam only where each paid exam has its number of questions and its minutes. */
function timedMode({ exams, blueprint }: CourseView): string {
  const paid = exams.filter((exam) => !exam.isFreeTrial)
  const isReal = paid.length > 0 && paid.every((exam) => isLikeRealExam(exam, blueprint))
  return copy[isReal ? 'mode.timed.real' : 'mode.timed.plain']
}

/** Paid and free exams apart. The counts of the list are those of the exams; the contents say the same of the questions. */
function describeParts({ exams }: CourseView, contents: CourseContents | null): string[] {
  const parts = contents ?? {
    paid: countSummaries(exams.filter((exam) => !exam.isFreeTrial)),
    free: countSummaries(exams.filter((exam) => exam.isFreeTrial)),
  }
  const free = parts.free.questions === 0 ? [] : [`${counted(parts.free.questions, 'free question')} to try`]
  return [describeExams(parts.paid), ...free]
}

const countSummaries = (exams: readonly ExamSummary[]) => ({
  exams: exams.length,
  questions: exams.reduce((total, exam) => total + exam.questionCount, 0),
})

function describeExams({ exams, questions }: { readonly exams: number; readonly questions: number }): string {
  return `${counted(exams, 'exam')} with ${counted(questions, 'question')}`
}

function ExamsSection({ course, access, isPreview }: PartProps & { isPreview: boolean }) {
  const paid = course.exams.filter((exam) => !exam.isFreeTrial)
  const isStudying = access === 'running' || access === 'admin'
  return (
    <section aria-labelledby="exams-heading" className="mt-10">
      <h2 id="exams-heading" className="text-xl font-semibold">
        {isPreview ? copy['preview.adds'] : 'Exams'}
      </h2>
      {isPreview ? (
        <p className="nums mt-2 max-w-read text-soft">
          {fill(copy['preview.adds.text'], {
            price: formatDollars(course.priceCents as Cents),
            exams: describeExams(countSummaries(paid)),
            timed: timedMode(course).replace(/^T/, 't'),
          })}
        </p>
      ) : null}
      {course.exams.length === 0 ? (
        <p className="mt-2 text-soft">The exams of this course are being prepared.</p>
      ) : null}
      <ExamList exams={isPreview ? paid : course.exams} course={course} access={access} />
      {isStudying || paid.length < course.exams.length ? (
        <Link to={paths.diagnostic(course.slug)} className={quietLink}>
          {copy[isStudying ? 'course.diagnostic' : 'course.diagnostic.short']}
        </Link>
      ) : null}
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
                <WeightRow weight={domain.weight} />
              </th>
              <td className="nums py-2 text-right align-top">{domain.weight}%</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A weight as a row of an answer sheet: each cloudlet is 4 percent. */
function WeightRow({ weight }: { weight: number }) {
  const row = rowOf(25, { x: 6, y: 6, step: 12 })
  const filled = Math.round(weight / 4)
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 300 12"
      strokeWidth="1.2"
      className="mt-1 mb-0.5 block w-full max-w-75 text-soft"
    >
      <Cloudlets radius={4} filled={row.slice(0, filled)} open={row.slice(filled)} />
    </svg>
  )
}

/** The free-trial exams, shown with `?mode=preview`. */
function FreeTrial({ course, access }: PartProps) {
  const free = course.exams.filter((exam) => exam.isFreeTrial)
  if (free.length === 0)
    return (
      <Notice tone="info" className="mb-8">
        {copy['preview.none']}
      </Notice>
    )
  return (
    <section aria-labelledby="try-heading" className="mb-8 rounded-lg border border-accent bg-accent-soft p-6">
      <h2 id="try-heading" className="text-xl font-semibold">
        {copy['preview.heading']}
      </h2>
      <p className="mt-1 max-w-read">{pluralOf(free.length, copy['preview.one'], copy['preview.many'])}</p>
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
              {counted(exam.questionCount, 'question')}, {counted(exam.timeLimitMinutes, 'minute')}, {exam.passingScore}
              % to pass
              {isLikeRealExam(exam, course.blueprint) ? `, ${copy['contents.real']}` : null}
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
      <ButtonLink
        look="secondary"
        to={paths.exam(courseSlug, exam.slug)}
        aria-label={`${copy['course.start']}: ${exam.title}`}
      >
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
