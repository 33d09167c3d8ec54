import { useState, type FormEvent } from 'react'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import { toDollars, type Cents } from '../../lib/money.ts'
import { paths } from '../../lib/paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { CallFailed, messageOf } from '../../platform/client.ts'
import type { LiveHandle } from '../../platform/realtime/schema.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { EmptyState, Heading } from '../../ui/page.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { courseManagementLoader } from './api.server.ts'
import { changeFreeTrial, changePrice } from './client.ts'
import { copy } from './copy.ts'
import { judgePrice } from './rules.ts'
import type { AdminCourseView, ExamSummary } from './schema.ts'
import { CategoryBadge } from './ui/badge.tsx'

export { courseManagementLoader as loader } from './api.server.ts'

export const handle: LiveHandle = {
  live: (data) => ({ courseIds: null, courses: (data as { courses: unknown[] }).courses.length }),
}

/** Every course with its price and its exams' free-trial switches; guests see a change at once. */
export default function CourseManagementPage() {
  const { courses } = useLoaderData<typeof courseManagementLoader>()
  return (
    <>
      <Heading>Courses</Heading>
      <p className="nums mt-1 text-sm text-soft">
        {courses.length} {courses.length === 1 ? 'course' : 'courses'}, latest change first
      </p>
      <div className="mt-6">
        {courses.length === 0 ? (
          <EmptyState title={copy['home.empty.title']} hint="Courses that are imported or built appear here." />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {courses.map((course) => (
              <CourseRow key={course.id} course={course} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function CourseRow({ course }: { course: AdminCourseView }) {
  return (
    <li className="grid gap-x-8 gap-y-4 py-6 desktop:grid-cols-[1fr_300px]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="font-semibold">
            <Link to={paths.course(course.slug)} className="hover:underline">
              {course.title}
            </Link>
          </h2>
          <CategoryBadge category={course.category} />
          {course.status === 'published' ? null : <span className="text-sm text-flag">{course.status}</span>}
        </div>
        <p className="nums text-sm text-soft">Changed {formatInstant(course.updatedAt)}</p>
        <ul className="mt-3 space-y-1">
          {course.exams.map((exam) => (
            <FreeTrialSwitch key={exam.id} exam={exam} courseTitle={course.title} />
          ))}
        </ul>
        <Link
          to={paths.adminCourse(course.id)}
          aria-label={`Edit exams: ${course.title}`}
          className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2"
        >
          Edit exams
        </Link>
      </div>
      <PriceForm course={course} />
    </li>
  )
}

function PriceForm({ course }: { course: AdminCourseView }) {
  const { revalidate } = useRevalidator()
  const stored = toDollars(course.priceCents as Cents)
  // What is typed stays when the price changes elsewhere meanwhile.
  const [typed, setTyped] = useState<{ readonly text: string; readonly over: string } | null>(null)
  const price = typed?.text ?? stored
  const wasChanged = typed !== null && typed.over !== stored && typed.text !== stored
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const judged = judgePrice(price)
    if (judged.kind === 'refused') return setProblem(judged.sentence)
    setProblem(null)
    setBusy(true)
    try {
      await changePrice(course.id, toDollars(judged.priceCents))
      toast('success', 'Price changed', `${course.title} now costs $${toDollars(judged.priceCents)}.`)
      await revalidate()
      setTyped(null)
    } catch (error) {
      setProblem((error instanceof CallFailed ? error.problemOf('price') : undefined) ?? messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      method="post"
      onSubmit={(event) => void handleSubmit(event)}
      noValidate
      className="flex max-w-80 items-start gap-2"
    >
      <Field
        label={
          <>
            Price<span className="sr-only"> of {course.title}</span>
          </>
        }
        className="min-w-0 flex-1"
        name="price"
        inputMode="decimal"
        autoComplete="off"
        value={price}
        problem={problem}
        hint={wasChanged ? `Meanwhile it was set to $${stored}.` : undefined}
        onChange={(event) => setTyped({ text: event.target.value, over: typed?.over ?? stored })}
      />
      <Button
        type="submit"
        look="secondary"
        disabled={isBusy || price === stored}
        aria-label={`Save, ${course.title}`}
        className="mt-6"
      >
        Save
      </Button>
    </form>
  )
}

function FreeTrialSwitch({ exam, courseTitle }: { exam: ExamSummary; courseTitle: string }) {
  const { revalidate } = useRevalidator()
  const [wanted, setWanted] = useState<boolean | null>(null)
  const isOn = wanted ?? exam.isFreeTrial
  const handleChange = async (next: boolean) => {
    setWanted(next)
    try {
      await changeFreeTrial(exam.id, next)
      await revalidate()
    } catch (error) {
      toast('error', 'Free trial not changed', messageOf(error))
    } finally {
      setWanted(null)
    }
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1 text-sm">
      <span className="nums">
        {exam.title}: {exam.questionCount} questions, {exam.timeLimitMinutes} minutes
      </span>
      <Switch
        label="Free trial"
        name={`Free trial: ${exam.title}, ${courseTitle}`}
        isOn={isOn}
        isBusy={wanted !== null}
        onChange={(next) => void handleChange(next)}
      />
    </li>
  )
}
