import { useRef, type ReactNode } from 'react'
import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { copy as attemptsCopy } from '../../features/attempts/attempts.copy.ts'
import { wholePercent } from '../../features/attempts/attempts.ts'
import type { AttemptSummary } from '../../features/attempts/attempts.schema.ts'
import { copy as catalogueCopy } from '../../features/catalogue/catalogue.copy.ts'
import type { CourseView, ExamSummary } from '../../features/catalogue/catalogue.schema.ts'
import { Badge } from '../../features/catalogue/ui/course-badge.tsx'
import { copy as checkoutCopy } from '../../features/checkout/checkout.copy.ts'
import type { BuyerOrder } from '../../features/checkout/checkout.schema.ts'
import { OrderStateMark } from '../../features/checkout/ui/order-state.tsx'
import { useWaitingOrders, WaitingOrderActions } from '../../features/checkout/own-orders/ui/waiting-order.tsx'
import { fill } from '../../lib/failure.ts'
import { formatDollars, type Cents } from '../../lib/money.ts'
import { ResultAsk } from '../../features/study/exam-results/ui/result-ask.tsx'
import { StudyLine } from '../../features/study/ui/study-line.tsx'
import { paths } from '../../lib/paths.ts'
import { formatDay, formatInstant } from '../../lib/time.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState, Heading, Page, quietLink } from '../../ui/page-parts.tsx'
import { AddToCart } from '../layout/add-to-cart.tsx'
import { copy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import type { myCoursesLoader } from '../page-loaders.server.ts'
import { mainStepOf, type MainStep } from './main-step.ts'
import { useSite } from '../layout/use-site.ts'
import { YourData } from '../own-data/your-data.tsx'
import { counted } from '../../lib/text.ts'

export { myCoursesLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['layout.courses'])

const RENEW_FROM_DAYS = 7

type MyCourses = ReturnType<typeof useLoaderData<typeof myCoursesLoader>>
type ExamResults = MyCourses['results'][number]

/** The user's courses with their access periods and exams, then free trials, orders and personal data. */
export default function MyCoursesPage() {
  const { owned, returned, results, orders, courses, study, asked, now } = useLoaderData<typeof myCoursesLoader>()
  const others = courses.filter(({ id }) => ![...owned, ...returned].some(({ courseId }) => courseId === id))
  return (
    <Page>
      <Heading>{copy['layout.courses']}</Heading>
      <ResultAsk questions={asked} back={paths.myCourses} />
      {owned.length === 0 && returned.length === 0 ? (
        <NoCourse isWaiting={orders.some(({ state }) => state === 'pending')} />
      ) : (
        <ul className="mt-6 space-y-6">
          {owned.map((period) => {
            const course = courses.find(({ id }) => id === period.courseId)
            if (course === undefined) return null
            return (
              <li key={course.id} className="rounded-lg border border-line bg-surface p-5 tablet:p-6">
                <OwnedCourse course={course} period={period} studied={study[course.id]} results={results} />
              </li>
            )
          })}
          {returned.map(({ courseId, endedAt }) => {
            const course = courses.find(({ id }) => id === courseId)
            if (course === undefined) return null
            return (
              <li key={course.id} className="rounded-lg border border-line bg-surface p-5 tablet:p-6">
                <ReturnedState course={course} endedAt={endedAt} />
                <ExamTable course={course} results={results} isOpen={false} />
              </li>
            )
          })}
        </ul>
      )}
      {others.length === 0 ? null : <TriedCourses courses={others} results={results} />}
      <Orders orders={orders} now={now} />
      <YourData />
    </Page>
  )
}

function NoCourse({ isWaiting }: { isWaiting: boolean }) {
  return (
    <div className="mt-6">
      <EmptyState
        drawing="courses"
        title="No course yet"
        hint={
          isWaiting
            ? 'What you ordered opens here as soon as it is paid. See below.'
            : 'Buy one, and its exams, your results and the date until which you have it stand here.'
        }
        action={
          <ButtonLink to={paths.home} look={isWaiting ? 'secondary' : 'primary'}>
            See the courses
          </ButtonLink>
        }
      />
    </div>
  )
}

function OwnedCourse({
  course,
  period,
  studied,
  results,
}: {
  course: CourseView
  period: MyCourses['owned'][number]
  studied: MyCourses['study'][string] | undefined
  results: readonly ExamResults[]
}) {
  const isOpen = period.status === 'running'
  const main = mainStepOf({
    isOpen,
    dueCount: studied?.repetition.dueCount ?? 0,
    exams: course.exams,
    results: results.filter(({ courseId }) => courseId === course.id),
  })
  return (
    <>
      <AccessState course={course} period={period} />
      {studied === undefined ? null : <StudyLine course={course} {...studied} isMain={main?.kind === 'study'} />}
      <ExamTable course={course} results={results} isOpen={isOpen} main={main} />
    </>
  )
}

/** The end of access, with a button to renew from a week before it. */
function AccessState({
  course,
  period: { status, until, daysLeft },
}: {
  course: CourseView
  period: MyCourses['owned'][number]
}) {
  const canRenew = status === 'ended' || daysLeft <= RENEW_FROM_DAYS
  return (
    <>
      <CourseHead course={course} level={2}>
        <p className={`nums text-sm ${canRenew ? 'text-flag' : 'text-soft'}`}>
          {status === 'running'
            ? `Access until ${formatDay(until)}, ${counted(daysLeft, 'day').replace(' ', '\u00a0')}\u00a0left`
            : `Access ended on ${formatDay(until)}. Your results stay readable.`}
        </p>
      </CourseHead>
      {canRenew ? (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <AddToCart course={course} label="Renew" look={status === 'ended' ? 'primary' : 'secondary'} />
          <span className="text-sm text-soft">adds 30 days{status === 'running' ? ' at the end' : ''}</span>
        </div>
      ) : null}
    </>
  )
}

/** A course whose access was revoked: its results stay in reach, and it can be bought again. */
function ReturnedState({ course, endedAt }: { course: CourseView; endedAt: string }) {
  return (
    <>
      <CourseHead course={course} level={2}>
        <p className="nums text-sm text-flag">{`Access ended on ${formatDay(endedAt)}. Your results stay readable.`}</p>
      </CourseHead>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <AddToCart course={course} label="Buy again" />
        <span className="text-sm text-soft">30 days from the payment</span>
      </div>
    </>
  )
}

function TriedCourses({ courses, results }: Pick<MyCourses, 'courses' | 'results'>) {
  // Admins may take every exam without owning its course.
  const isAdmin = useSite().user?.role === 'admin'
  return (
    <section aria-labelledby="trials-heading" className="mt-12">
      <h2 id="trials-heading" className="text-xl font-semibold">
        {isAdmin ? 'Exams you looked at' : 'Free trials'}
      </h2>
      <ul className="mt-4 space-y-6">
        {courses.map((course) => (
          <li key={course.id} className="rounded-lg border border-line bg-surface p-5 tablet:p-6">
            <CourseHead course={course} level={3} />
            <ExamTable course={course} results={results} isOpen={isAdmin} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Orders with links to their receipts, and those that wait for their payment. The loader leaves out what was never paid. */
function Orders({ orders, now }: { orders: readonly BuyerOrder[]; now: string | null }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useWaitingOrders(orders, now)
  // The dropped row disappears, and with the last one this whole section.
  const handleDropped = () => (orders.length === 1 ? document.getElementById('main') : heading.current)?.focus()
  if (orders.length === 0) return null
  return (
    <section aria-labelledby="orders-heading" className="mt-12">
      <h2 id="orders-heading" ref={heading} tabIndex={-1} className="text-xl font-semibold focus:outline-none">
        {checkoutCopy['order.history']}
      </h2>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {orders.map((order) => (
          <li key={order.id} className="py-3">
            <OrderRow order={order} onDropped={handleDropped} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OrderRow({ order, onDropped }: { order: BuyerOrder; onDropped: () => void }) {
  const isUnpaid = order.state === 'pending' || order.state === 'failed'
  return (
    <>
      <div className="nums flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <div className="min-w-0 flex-1 basis-64">
          <Link to={paths.order(order.id)} className="group font-semibold wrap-anywhere">
            <span>
              {order.titles[0]}
              {order.titles.length > 1
                ? ` ${fill(checkoutCopy['order.history.more'], { n: order.titles.length - 1 })}`
                : null}
              <span className="sr-only">, </span>
            </span>{' '}
            <span className="text-sm font-medium text-accent underline underline-offset-2 group-hover:no-underline max-tablet:block tablet:ml-2">
              {checkoutCopy[isUnpaid ? 'order.view' : 'payment.receipt']}
            </span>
          </Link>
          <p className="text-sm text-soft">
            {formatDay(order.createdAt)}
            {order.payableUntil === null
              ? null
              : `. ${fill(checkoutCopy['order.waiting.until'], { at: formatInstant(order.payableUntil) })}`}
            {order.isProcessing ? `. ${checkoutCopy['order.waiting.processing']}` : null}
          </p>
        </div>
        <span className="flex basis-full items-baseline justify-between gap-4 sm:w-56 sm:basis-auto">
          <OrderStateMark state={order.state} />
          <span className="font-semibold">
            {order.totalCents === 0 ? checkoutCopy['order.history.free'] : formatDollars(order.totalCents as Cents)}
          </span>
        </span>
      </div>
      {order.payableUntil === null ? null : (
        <div className="mt-2">
          <WaitingOrderActions order={order} onDropped={onDropped} />
        </div>
      )}
    </>
  )
}

function CourseHead({ course, level, children }: { course: CourseView; level: 2 | 3; children?: ReactNode }) {
  const Title = level === 2 ? 'h2' : 'h3'
  return (
    <div className="flex items-start gap-4">
      <Badge category={course.category} code={course.code} title={course.title} className="size-14 shrink-0" />
      <div className="min-w-0">
        <Title className="text-lg font-semibold">
          <Link to={paths.course(course.slug)} className="hover:underline">
            {course.title}
          </Link>
        </Title>
        {children}
      </div>
    </div>
  )
}

function ExamTable({
  course,
  results,
  isOpen,
  main = null,
}: {
  course: CourseView
  results: readonly ExamResults[]
  isOpen: boolean
  main?: MainStep
}) {
  const exams = course.exams.filter(
    (exam) => isOpen || exam.isFreeTrial || results.some(({ examSlug }) => examSlug === exam.slug),
  )
  if (exams.length === 0) return null
  return (
    <ul className="mt-5 divide-y divide-line border-t border-line">
      {exams.map((exam) => (
        <ExamRow
          key={exam.id}
          exam={exam}
          courseSlug={course.slug}
          isOpen={isOpen}
          main={main}
          results={results.find(({ examSlug, courseId }) => examSlug === exam.slug && courseId === course.id)}
        />
      ))}
    </ul>
  )
}

function ExamRow({
  exam,
  courseSlug,
  results,
  isOpen,
  main,
}: {
  exam: ExamSummary
  courseSlug: string
  results: ExamResults | undefined
  isOpen: boolean
  main: MainStep
}) {
  const mayTake = isOpen || exam.isFreeTrial
  const open = results?.open ?? undefined
  const finishedCount = results?.finishedCount ?? 0
  return (
    <li className="flex flex-col gap-y-1 py-4 tablet:flex-row tablet:items-center tablet:justify-between tablet:gap-x-6">
      <div className="min-w-0">
        <p className="font-medium">
          <Link to={paths.exam(courseSlug, exam.slug)} className="hover:underline">
            {exam.title}
          </Link>
        </p>
        <p className="nums text-sm text-soft">
          {open !== undefined && finishedCount === 0 ? (
            `${open.answeredCount} of ${open.questionCount} answered`
          ) : (
            <BestResult exam={exam} courseSlug={courseSlug} results={results} />
          )}
          {open !== undefined && finishedCount > 0
            ? `, ${open.answeredCount} of ${open.questionCount} answered in the open one`
            : null}
        </p>
      </div>
      {mayTake ? (
        <ExamWays
          exam={exam}
          courseSlug={courseSlug}
          isOpen={isOpen}
          open={open}
          hasFinished={finishedCount > 0}
          main={main}
        />
      ) : null}
    </li>
  )
}

/** Links straight into a mode: a timed exam runs after this press and the one that starts its clock. One on a card stands out. */
function ExamWays({
  exam,
  courseSlug,
  isOpen,
  open,
  hasFinished,
  main,
}: {
  exam: ExamSummary
  courseSlug: string
  isOpen: boolean
  open: AttemptSummary | undefined
  hasFinished: boolean
  main: MainStep
}) {
  const modes = isOpen ? (['timed', 'practice'] as const) : (['preview'] as const)
  const labels = {
    timed: 'Timed',
    practice: attemptsCopy['mode.practice'],
    preview: hasFinished ? 'Try again' : catalogueCopy['card.try'],
  }
  const others = modes.filter((mode) => mode !== open?.mode)
  const isMainTimed = main?.kind === 'timed' && main.examSlug === exam.slug
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
      {open === undefined ? null : (
        <ButtonLink
          look={main?.kind === 'resume' && main.attemptId === open.id ? 'primary' : 'secondary'}
          to={paths.examMode(courseSlug, exam.slug, open.mode)}
          aria-label={`Resume exam: ${exam.title}`}
        >
          Resume exam
        </ButtonLink>
      )}
      {others.map((mode) => {
        const way = {
          to: paths.examMode(courseSlug, exam.slug, mode),
          'aria-label': `${labels[mode]}: ${exam.title}`,
          children: labels[mode],
        }
        return mode === 'timed' && isMainTimed ? (
          <ButtonLink key={mode} {...way} />
        ) : (
          <Link key={mode} {...way} className={quietLink} />
        )
      })}
    </div>
  )
}

function BestResult({
  exam,
  courseSlug,
  results,
}: {
  exam: ExamSummary
  courseSlug: string
  results: ExamResults | undefined
}) {
  const best = results?.best ?? null
  if (results === undefined || best === null) return 'Not taken yet'
  return (
    <>
      {counted(results.finishedCount, 'attempt')}, best{' '}
      <Link to={paths.examReview(best.id)} className="font-semibold text-accent underline underline-offset-2">
        {wholePercent(best.scorePercent)}%<span className="sr-only">, review of {exam.title}</span>
      </Link>{' '}
      {best.isPassed ? 'passed' : 'not passed'}
      {results.finishedCount < 2 ? null : (
        <>
          {', '}
          <Link
            to={`${paths.exam(courseSlug, exam.slug)}#attempts`}
            className="text-accent underline underline-offset-2"
          >
            {attemptsCopy['history.link']}
            <span className="sr-only"> at {exam.title}</span>
          </Link>
        </>
      )}
    </>
  )
}
