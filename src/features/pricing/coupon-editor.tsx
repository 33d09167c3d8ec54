import { useRef, type FormEvent } from 'react'
import { fill } from '../../lib/failure.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { DialogBody, DialogFooter } from '../../ui/dialog-parts.tsx'
import { Field } from '../../ui/field.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { RadioList } from '../../ui/radio-list.tsx'
import { findCourses } from '../catalogue/course-choices-client.ts'
import { courseHint, describeCourse } from '../catalogue/course-choices.ts'
import type { CourseChoice } from '../catalogue/course-choices.schema.ts'
import { addCoupon } from './coupons-client.ts'
import { copy } from './pricing.copy.ts'
import { CreateCoupon, type CouponForm } from './pricing.schema.ts'
import { useFieldForm, type FieldForm } from './use-field-form.ts'

type CouponValues = {
  readonly code: string
  readonly kind: 'percent' | 'amount'
  readonly off: string
  readonly firstDay: string
  readonly lastDay: string
  readonly useLimit: string
  readonly isForAll: boolean
  readonly courses: readonly CourseChoice[]
}

const blank: CouponValues = {
  code: '',
  kind: 'percent',
  off: '',
  firstDay: '',
  lastDay: '',
  useLimit: '',
  isForAll: true,
  courses: [],
}

/** Creates a coupon. Its terms cannot change afterwards; it can be switched off. */
export function CouponEditor({ onAdded, onCancel }: { onAdded: (code: string) => void; onCancel: () => void }) {
  const ref = useRef<HTMLFormElement>(null)
  const form = useFieldForm(ref, blank)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const coupon = toForm(form.values)
    const parsed = CreateCoupon.safeParse(coupon)
    if (!parsed.success)
      return form.refuse(parsed.error.issues.map(({ path, message }) => ({ field: String(path[0]), message })))
    form.submit(async () => {
      await addCoupon(coupon)
      onAdded(parsed.data.code)
    })
  }
  return (
    <form ref={ref} onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
      <DialogBody className="space-y-4">
        <Terms form={form} />
        <Period form={form} />
        <Field
          label={copy['coupon.field.limit']}
          hint={copy['coupon.field.limit.hint']}
          className="max-w-60"
          inputMode="numeric"
          autoComplete="off"
          {...form.bind('useLimit')}
        />
        <Courses form={form} />
      </DialogBody>
      <DialogFooter problem={form.failure} onCancel={onCancel}>
        <Button type="submit" {...form.button}>
          {copy['coupons.save']}
        </Button>
      </DialogFooter>
    </form>
  )
}

function Terms({ form: { values, bind, write } }: { form: FieldForm<CouponValues> }) {
  return (
    <>
      <Field
        label={copy['coupon.field.code']}
        hint={copy['coupon.field.code.hint']}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...bind('code')}
      />
      <RadioList
        legend={copy['coupon.field.kind']}
        choices={(['percent', 'amount'] as const).map((value) => ({ value, label: copy[`coupon.field.${value}`] }))}
        chosen={values.kind}
        onChoose={(kind) => write({ kind })}
      />
      <Field
        label={copy[values.kind === 'percent' ? 'coupon.field.percent.value' : 'coupon.field.amount.value']}
        hint={values.kind === 'percent' ? copy['coupon.field.percent.hint'] : undefined}
        className="max-w-60"
        inputMode={values.kind === 'percent' ? 'numeric' : 'decimal'}
        autoComplete="off"
        {...bind('off', 'percent', 'amount')}
      />
    </>
  )
}

function Period({ form: { bind } }: { form: FieldForm<CouponValues> }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={copy['coupon.field.first']} type="date" {...bind('firstDay')} />
        <Field label={copy['coupon.field.last']} type="date" {...bind('lastDay')} />
      </div>
      <p className="-mt-3 text-sm text-soft">{copy['coupon.field.days.hint']}</p>
    </>
  )
}

function Courses({ form: { values, problemOf, write } }: { form: FieldForm<CouponValues> }) {
  const without = (id: string) => values.courses.filter((course) => course.id !== id)
  const handleChoose = (course: CourseChoice | null) =>
    course === null ? undefined : write({ courses: [...without(course.id), course] })
  return (
    <div>
      <RadioList
        legend={copy['coupon.field.courses']}
        choices={[
          { value: 'all', label: copy['coupons.courses.all'] },
          { value: 'some', label: copy['coupon.field.courses.some'] },
        ]}
        chosen={values.isForAll ? 'all' : 'some'}
        problem={problemOf('courseIds')}
        onChoose={(courses) => write({ isForAll: courses === 'all' })}
      />
      {values.isForAll ? null : (
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
            {values.courses.map((course) => (
              <li key={course.id} className="flex items-center justify-between gap-3 py-1">
                <span className="min-w-0 text-sm wrap-anywhere">
                  {course.title}
                  <span className="nums block text-soft">{describeCourse(course)}</span>
                </span>
                <IconButton
                  label={fill(copy['coupon.field.courses.remove'], { course: course.title })}
                  onClick={() => write({ courses: without(course.id) })}
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

/** The form as it is sent: empty text is null, and text that is not a number is NaN, which the schema refuses. */
function toForm(values: CouponValues): CouponForm {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
  const limit = orNull(values.useLimit)
  return {
    code: values.code,
    percent: values.kind === 'percent' ? Number(values.off.trim() || Number.NaN) : null,
    amount: values.kind === 'amount' ? values.off : null,
    firstDay: orNull(values.firstDay),
    lastDay: orNull(values.lastDay),
    useLimit: limit === null ? null : Number(limit),
    courseIds: values.isForAll ? null : values.courses.map(({ id }) => id),
  }
}
