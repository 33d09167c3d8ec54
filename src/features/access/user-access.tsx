import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatDay, formatInstant } from '../../lib/time.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { Field } from '../../ui/field.tsx'
import { ReasonDialog, type FormProblem } from '../../ui/reason-dialog.tsx'
import { toast } from '../../ui/toasts.tsx'
import { findCourses } from '../catalogue/course-choices-client.ts'
import { courseHint, describeCourse } from '../catalogue/course-choices.ts'
import { endAccess, giveAccess, giveBackAccess } from './access-client.ts'
import { copy } from './access.copy.ts'
import { ACCESS_DAYS } from './access.ts'
import type { PeriodView } from './access.schema.ts'

type CourseTitle = { readonly id: string; readonly title: string }
type AccessChange =
  | { readonly kind: 'give'; readonly key: string; readonly course: CourseTitle | null }
  | { readonly kind: 'end'; readonly course: CourseTitle }
  | { readonly kind: 'back'; readonly period: PeriodView }

/** A user's access to courses, now and before, and how an admin can change it. */
export function UserAccess({
  userId,
  name,
  periods,
  now,
}: {
  userId: string
  name: string
  periods: readonly PeriodView[]
  now: string
}) {
  const [change, setChange] = useState<AccessChange | null>(null)
  const held = [...new Set(periods.map(({ courseId }) => courseId))]
  const give = (course: CourseTitle | null) => setChange({ kind: 'give', key: crypto.randomUUID(), course })
  return (
    <section aria-labelledby="access-heading" className="mt-10">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="access-heading" className="text-xl font-semibold">
          {copy['access.heading']}
        </h2>
        <Button look="secondary" onClick={() => give(null)}>
          {copy['access.give']}
        </Button>
      </div>
      {held.length === 0 ? (
        <p className="mt-3 text-soft">{copy['access.heading.none']}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {held.map((courseId) => (
            <CourseAccess
              key={courseId}
              periods={periods.filter((period) => period.courseId === courseId)}
              now={now}
              onGive={give}
              onChange={setChange}
            />
          ))}
        </ul>
      )}
      <AccessChangeForm change={change} userId={userId} name={name} onClose={() => setChange(null)} />
    </section>
  )
}

/** The access to one course, given by one or several periods. */
function CourseAccess({
  periods,
  now,
  onGive,
  onChange,
}: {
  periods: readonly PeriodView[]
  now: string
  onGive: (course: CourseTitle) => void
  onChange: (change: AccessChange) => void
}) {
  const course = { id: periods[0]?.courseId ?? '', title: periods[0]?.courseTitle ?? '' }
  const isRunning = periods.some((period) => period.revokedAt === null && period.endsAt > now)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-semibold wrap-anywhere">{course.title}</h3>
        <ul className="mt-1 space-y-1">
          {periods.map((period) => (
            <Period key={period.id} period={period} now={now} onBack={() => onChange({ kind: 'back', period })} />
          ))}
        </ul>
      </div>
      <div className="flex gap-2">
        <Button
          look="secondary"
          aria-label={fill(copy['access.extend.of'], { course: course.title })}
          onClick={() => onGive(course)}
        >
          {copy['access.extend']}
        </Button>
        {isRunning ? (
          <Button
            look="secondary"
            aria-label={fill(copy['access.end.of'], { course: course.title })}
            onClick={() => onChange({ kind: 'end', course })}
          >
            {copy['access.end']}
          </Button>
        ) : null}
      </div>
    </li>
  )
}

function Period({ period, now, onBack }: { period: PeriodView; now: string; onBack: () => void }) {
  const words = { from: formatDay(period.startsAt), to: formatInstant(period.endsAt) }
  const isTaken = period.revokedAt !== null
  // A period that had ended before it was revoked has no days left.
  const hasLeft = isTaken && period.revokedAt! < period.endsAt
  const isOver = !isTaken && period.endsAt <= now
  return (
    <li className={`nums flex flex-wrap items-center gap-x-3 text-sm ${isTaken || isOver ? 'text-soft' : ''}`}>
      <span>
        {isTaken
          ? fill(copy['access.period.taken'], { ...words, at: formatDay(period.revokedAt!) })
          : fill(copy['access.period'], words)}
        {', '}
        {period.orderId === null ? (
          copy[`access.source.${period.source}`]
        ) : (
          <Link to={adminPaths.order(period.orderId)} className="text-accent underline underline-offset-2">
            {copy[`access.source.${period.source}`]}
          </Link>
        )}
      </span>
      {hasLeft ? (
        <button
          type="button"
          className="min-h-8 font-semibold text-accent underline underline-offset-2"
          aria-label={fill(copy['access.back.of'], { course: period.courseTitle, at: formatDay(period.revokedAt!) })}
          onClick={onBack}
        >
          {copy['access.back']}
        </button>
      ) : null}
    </li>
  )
}

function AccessChangeForm({
  change,
  userId,
  name,
  onClose,
}: {
  change: AccessChange | null
  userId: string
  name: string
  onClose: () => void
}) {
  const { revalidate } = useRevalidator()
  const run = async (work: () => Promise<readonly [string, string]>): Promise<FormProblem | null> => {
    try {
      toast('success', ...(await work()))
      onClose()
      await revalidate()
      return null
    } catch (error) {
      const field = error instanceof CallFailed ? error.fields[0] : undefined
      return field === undefined ? { field: null, message: messageOf(error) } : field
    }
  }
  if (change === null) return null
  if (change.kind === 'give') return <GiveDialog key={change.key} {...{ change, name, userId, onClose, run }} />
  const course = change.kind === 'end' ? change.course.title : change.period.courseTitle
  const words = { name, course, at: change.kind === 'back' ? formatDay(change.period.revokedAt ?? '') : '' }
  return (
    <ReasonDialog
      title={copy[`access.${change.kind}.title`]}
      text={fill(copy[`access.${change.kind}.text`], words)}
      label={copy['access.reason']}
      action={copy[`access.${change.kind}.do`]}
      look={change.kind === 'end' ? 'danger' : 'primary'}
      isOpen
      onClose={onClose}
      onDo={(reason) =>
        run(async () => {
          if (change.kind === 'end') await endAccess(userId, change.course.id, reason)
          else await giveBackAccess(change.period.id, reason)
          return [copy[`access.${change.kind}.done`], course]
        })
      }
    />
  )
}

function GiveDialog({
  change,
  userId,
  name,
  onClose,
  run,
}: {
  change: Extract<AccessChange, { kind: 'give' }>
  userId: string
  name: string
  onClose: () => void
  run: (work: () => Promise<readonly [string, string]>) => Promise<FormProblem | null>
}) {
  const [course, setCourse] = useState<CourseTitle | null>(change.course)
  const [days, setDays] = useState(String(ACCESS_DAYS))
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const handleDo = async (reason: string) => {
    const found = await run(() => giveDays(userId, course, { days, reason, key: change.key }))
    setProblem(found)
    return found
  }
  return (
    <ReasonDialog
      title={copy['access.give.title']}
      text={fill(copy['access.give.text'], { name })}
      label={copy['access.reason']}
      action={fill(copy['access.give.do'], { days })}
      isOpen
      onClose={onClose}
      onDo={handleDo}
      ownFields={['courseId', 'days']}
    >
      {change.course === null ? (
        <Chooser
          label={copy['access.give.choose']}
          hint={courseHint}
          find={findCourses}
          describe={describeCourse}
          problem={problem?.field === 'courseId' ? problem.message : null}
          onChoose={setCourse}
        />
      ) : (
        <p className="font-semibold wrap-anywhere">{change.course.title}</p>
      )}
      <Field
        label={copy['access.give.count']}
        inputMode="numeric"
        autoComplete="off"
        className="max-w-40"
        value={days}
        problem={problem?.field === 'days' ? problem.message : null}
        onChange={(event) => setDays(event.target.value)}
      />
    </ReasonDialog>
  )
}

/** Returns the title and the text of the toast. */
async function giveDays(
  userId: string,
  course: CourseTitle | null,
  { days, ...given }: { days: string; reason: string; key: string },
): Promise<readonly [string, string]> {
  const count = days.trim() === '' ? Number.NaN : Number(days)
  const { until } = await giveAccess(userId, { ...given, courseId: course?.id ?? '', days: count })
  const words = { course: course?.title ?? '', until: formatInstant(until) }
  return [copy['access.give.done'], fill(copy['access.give.done.text'], words)]
}
