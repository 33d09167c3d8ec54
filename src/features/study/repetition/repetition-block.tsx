import type { SubmitEvent } from 'react'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { copy } from '../study.copy.ts'
import { DUE_FILTERS } from '../study.ts'
import type { Repetition } from '../study.schema.ts'
import { useDrillStart } from '../use-drill-start.ts'

/** The questions that are due today, and a button that drills them. */
export function RepetitionBlock({
  courseSlug,
  repetition: { dueCount, nextDueAt, examDate, fitted },
  openDrillId,
}: {
  courseSlug: string
  repetition: Repetition
  openDrillId: string | null
}) {
  return (
    <section
      aria-labelledby="due-heading"
      className="mt-6 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-5 tablet:p-6"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="due-heading" className="nums text-lg font-semibold">
          {dueCount === 0 ? copy['due.none'] : fill(copy['due.some'], { n: dueCount })}
        </h2>
        <p className="text-soft">
          {dueCount === 0 && nextDueAt === null ? copy['due.empty'] : copy['due.about']}
          {dueCount === 0 && nextDueAt !== null ? ` ${fill(copy['due.next'], { day: formatDay(nextDueAt) })}` : null}
          {examDate === null ? null : ` ${fill(copy['due.aimed'], { day: formatDay(examDate) })}`}
        </p>
        {fitted === null ? null : (
          <p className="nums mt-1 text-sm text-soft">
            {fill(copy['due.fitted'], { n: fitted.reviews, later: fitted.heldOut })}
          </p>
        )}
      </div>
      {dueCount === 0 ? null : (
        <ReviewDue
          courseSlug={courseSlug}
          openDrillId={openDrillId}
          look={openDrillId === null ? 'primary' : 'secondary'}
        />
      )}
    </section>
  )
}

/** Starts a drill of all due questions, the longest due first. */
export function ReviewDue({
  courseSlug,
  openDrillId,
  look,
}: {
  courseSlug: string
  openDrillId: string | null
  look: 'primary' | 'secondary'
}) {
  const starting = useDrillStart(courseSlug, openDrillId)
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    starting.run(DUE_FILTERS)
  }
  return (
    <form method="post" action={paths.drill(courseSlug)} onSubmit={handleSubmit}>
      {openDrillId === null ? null : <input type="hidden" name="replaces.drill" value={openDrillId} />}
      <Button type="submit" name="do" value="due" look={look} {...starting.button}>
        {copy['due.review']}
      </Button>
      {starting.failure === null ? null : (
        <p role="alert" className="mt-2 text-sm text-bad">
          {messageOf(starting.failure)}
        </p>
      )}
    </form>
  )
}
