import { useRef, useState, type FormEvent } from 'react'
import { fill, type FieldProblem } from '../../lib/failure.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { Field } from '../../ui/field.tsx'
import { useFirstProblem } from '../../ui/use-first-problem.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioList } from '../../ui/radio-list.tsx'
import { findCourses } from '../catalogue/course-choices-client.ts'
import { courseHint, describeCourse } from '../catalogue/course-choices.ts'
import type { CourseChoice } from '../catalogue/course-choices.schema.ts'
import { addCoupon } from './coupons-client.ts'
import { copy } from './pricing.copy.ts'
import { CreateCoupon, type CouponForm } from './pricing.schema.ts'

type Written = {
  readonly code: string
  readonly kind: 'percent' | 'amount'
  readonly off: string
  readonly firstDay: string
  readonly lastDay: string
  readonly useLimit: string
  readonly isForAll: boolean
  readonly courses: readonly CourseChoice[]
}

const blank: Written = {
  code: '',
  kind: 'percent',
  off: '',
  firstDay: '',
  lastDay: '',
  useLimit: '',
  isForAll: true,
  courses: [],
}

/** A new coupon. Its terms stay as they are; it can be switched off. */
export function CouponEditor({ onAdded }: { onAdded: (code: string) => void }) {
  const [written, setWritten] = useState(blank)
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useFirstProblem(form, problems)
  const write = (change: Partial<Written>) => setWritten((now) => ({ ...now, ...change }))
  const problemOf = (...names: string[]) => problems.find(({ field }) => names.includes(field))?.message

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const sent = toForm(written)
    const judged = CreateCoupon.safeParse(sent)
    setFailure(null)
    setProblems(
      judged.success ? [] : judged.error.issues.map(({ path, message }) => ({ field: String(path[0]), message })),
    )
    if (!judged.success) return
    setBusy(true)
    try {
      await addCoupon(sent)
      onAdded(judged.data.code)
    } catch (error) {
      const fields = error instanceof CallFailed ? error.fields : []
      setProblems(fields)
      if (fields.length === 0) setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      ref={form}
      onSubmit={(event) => void handleSubmit(event)}
      noValidate
      className="space-y-4 overflow-y-auto p-5"
    >
      <Field
        label={copy['coupon.field.code']}
        hint={copy['coupon.field.code.hint']}
        name="code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={written.code}
        problem={problemOf('code')}
        onChange={(event) => write({ code: event.target.value })}
      />
      <RadioList
        legend={copy['coupon.field.kind']}
        choices={(['percent', 'amount'] as const).map((value) => ({ value, label: copy[`coupon.field.${value}`] }))}
        chosen={written.kind}
        onChoose={(kind) => write({ kind })}
      />
      <Field
        label={copy[written.kind === 'percent' ? 'coupon.field.percent.value' : 'coupon.field.amount.value']}
        className="max-w-60"
        name="off"
        inputMode={written.kind === 'percent' ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={written.off}
        problem={problemOf('percent', 'amount')}
        onChange={(event) => write({ off: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={copy['coupon.field.first']}
          type="date"
          name="firstDay"
          value={written.firstDay}
          problem={problemOf('firstDay')}
          onChange={(event) => write({ firstDay: event.target.value })}
        />
        <Field
          label={copy['coupon.field.last']}
          type="date"
          name="lastDay"
          value={written.lastDay}
          problem={problemOf('lastDay')}
          onChange={(event) => write({ lastDay: event.target.value })}
        />
      </div>
      <p className="-mt-3 text-sm text-soft">{copy['coupon.field.days.hint']}</p>
      <Field
        label={copy['coupon.field.limit']}
        hint={copy['coupon.field.limit.hint']}
        className="max-w-60"
        name="useLimit"
        inputMode="numeric"
        autoComplete="off"
        value={written.useLimit}
        problem={problemOf('useLimit')}
        onChange={(event) => write({ useLimit: event.target.value })}
      />
      <Courses written={written} problem={problemOf('courseIds')} onWrite={write} />
      {failure === null ? null : <Notice tone="bad">{failure}</Notice>}
      <Button type="submit" className="w-full" aria-busy={isBusy}>
        {copy['coupons.save']}
      </Button>
    </form>
  )
}

function Courses({
  written,
  problem,
  onWrite,
}: {
  written: Written
  problem: string | undefined
  onWrite: (change: Partial<Written>) => void
}) {
  const others = (id: string) => written.courses.filter((one) => one.id !== id)
  const handleChoose = (course: CourseChoice | null) =>
    course === null ? undefined : onWrite({ courses: [...others(course.id), course] })
  return (
    <div>
      <RadioList
        legend={copy['coupon.field.courses']}
        choices={[
          { value: 'all', label: copy['coupons.courses.all'] },
          { value: 'some', label: copy['coupon.field.courses.some'] },
        ]}
        chosen={written.isForAll ? 'all' : 'some'}
        problem={problem}
        onChoose={(which) => onWrite({ isForAll: which === 'all' })}
      />
      {written.isForAll ? null : (
        <>
          <Chooser
            label={copy['coupon.field.courses.add']}
            hint={courseHint}
            className="mt-1"
            isEmptied
            find={findCourses}
            describe={describeCourse}
            onChoose={handleChoose}
          />
          <ul aria-label={copy['coupon.field.courses.some']} className="mt-2 divide-y divide-line">
            {written.courses.map((course) => (
              <li key={course.id} className="flex items-center justify-between gap-3 py-1">
                <span className="min-w-0 text-sm wrap-anywhere">
                  {course.title}
                  <span className="nums block text-soft">{describeCourse(course)}</span>
                </span>
                <IconButton
                  label={fill(copy['coupon.field.courses.remove'], { course: course.title })}
                  onClick={() => onWrite({ courses: others(course.id) })}
                >
                  <CloseIcon />
                </IconButton>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** The form as the wire has it: what is empty is null, and a number that is none is caught by the schema. */
function toForm(written: Written): CouponForm {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
  const limit = orNull(written.useLimit)
  return {
    code: written.code,
    percent: written.kind === 'percent' ? Number(written.off.trim() || Number.NaN) : null,
    amount: written.kind === 'amount' ? written.off : null,
    firstDay: orNull(written.firstDay),
    lastDay: orNull(written.lastDay),
    useLimit: limit === null ? null : Number(limit),
    courseIds: written.isForAll ? null : written.courses.map(({ id }) => id),
  }
}
