import { useState, type FormEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { cents, formatDollars, toDollars, type Cents } from '../../../../lib/money.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../../platform/unsaved-text-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { judgePrice } from '../../../catalogue/course-rules.ts'
import type { AdminCourseView, AdminExamSummary } from '../../../catalogue/catalogue.schema.ts'
import { Badge, CategoryBadge } from '../../../catalogue/ui/course-badge.tsx'
import { toFields } from '../../../catalogue/data-calls/course-sync.ts'
import type { NewEdit } from '../../../catalogue/data-calls/course-sync.schema.ts'
import { counted } from '../../../../lib/text.ts'

/** An action of a row: an immediate change, a form, or a confirmation first. */
export type RowAction =
  | { readonly kind: 'change'; readonly edit: NewEdit }
  | { readonly kind: 'edit-course' | 'duplicate'; readonly course: AdminCourseView }
  | { readonly kind: 'new-exam'; readonly course: AdminCourseView }
  | { readonly kind: 'edit-exam'; readonly course: AdminCourseView; readonly exam: AdminExamSummary }
  | {
      readonly kind: 'confirm'
      readonly heading: string
      readonly text: string
      readonly button: string
      readonly edit: NewEdit
    }

export function CourseRow({
  course,
  waits,
  isOnlyHere,
  adminId,
  priceControl,
  onAct,
}: {
  course: AdminCourseView
  waits: boolean
  isOnlyHere: boolean
  adminId: string
  priceControl: ReactNode
  onAct: (action: RowAction) => void
}) {
  // On a phone the exams, price and actions of a row are folded.
  const [isOpen, setOpen] = useState(isOnlyHere)
  const whenOpen = isOpen ? '' : 'max-tablet:hidden'
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-4 py-4 tablet:gap-x-5 tablet:py-6 desktop:grid-cols-[auto_1fr_220px]">
      <Badge category={course.category} code={course.code} title={course.title} className="size-12 tablet:size-14" />
      <div className="min-w-0">
        <CourseSummary course={course} waits={waits} isOnlyHere={isOnlyHere} />
        <Button
          look="quiet"
          className="-ml-4 tablet:hidden"
          aria-expanded={isOpen}
          aria-label={`Change: ${course.title}`}
          onClick={() => setOpen(!isOpen)}
        >
          Change
        </Button>
        <ul className={`mt-3 space-y-1 ${whenOpen}`}>
          {course.exams.map((exam) => (
            <ExamRow key={exam.id} exam={exam} course={course} onAct={onAct} />
          ))}
        </ul>
        <div className={`-ml-4 flex flex-wrap items-center ${whenOpen}`}>
          <RowButtons course={course} waits={waits} isOnlyHere={isOnlyHere} onAct={onAct} />
        </div>
      </div>
      <div className={`col-span-2 max-w-80 desktop:col-span-1 ${whenOpen}`}>
        <PriceForm course={course} adminId={adminId} onChange={(edit) => onAct({ kind: 'change', edit })} />
        {isOnlyHere || waits ? null : <div className="-ml-4">{priceControl}</div>}
      </div>
    </li>
  )
}

type CourseState = { course: AdminCourseView; waits: boolean; isOnlyHere: boolean }

function CourseSummary({ course, waits, isOnlyHere }: CourseState) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold wrap-anywhere">
          {isOnlyHere ? (
            course.title
          ) : (
            <Link to={adminPaths.course(course.id)} className="hover:underline">
              {course.title}
            </Link>
          )}
        </h2>
        <CategoryBadge category={course.category} />
        {course.status === 'published' ? null : (
          <span className="text-sm font-semibold text-flag">{statusNames[course.status]}</span>
        )}
      </div>
      <p className="nums text-sm text-soft">
        {waits ? 'Changed here, not saved on the server yet' : `Changed ${formatInstant(course.updatedAt)}`}
      </p>
      <p className="nums text-sm text-soft tablet:hidden">
        {formatDollars(cents(course.priceCents))}, {counted(course.exams.length, 'exam')}
      </p>
    </>
  )
}

function RowButtons({ course, waits, isOnlyHere, onAct }: CourseState & { onAct: (action: RowAction) => void }) {
  const row = { rowId: course.id, courseId: course.id, title: course.title, base: course.rowVersion }
  const handleDelete = () =>
    onAct({
      kind: 'confirm',
      heading: 'Delete course',
      text: `${course.title} and its exams are deleted. If anybody has bought or taken it, it is withdrawn from sale instead, and they keep it.`,
      button: 'Delete course',
      edit: { ...row, kind: 'course.delete' },
    })
  return (
    <>
      <RowButton name="Edit course" of={course.title} onClick={() => onAct({ kind: 'edit-course', course })} />
      <RowButton name="Add exam" of={course.title} onClick={() => onAct({ kind: 'new-exam', course })} />
      {isOnlyHere ? null : <RowLink name="Edit exams" of={course.title} to={adminPaths.course(course.id)} />}
      {isOnlyHere || waits ? null : (
        <RowButton name="Duplicate" of={course.title} onClick={() => onAct({ kind: 'duplicate', course })} />
      )}
      {isOnlyHere || course.status === 'draft' ? null : (
        <RowLink name="View in the shop" of={course.title} to={paths.course(course.slug)} />
      )}
      <RowButton name="Delete" of={course.title} onClick={handleDelete} />
    </>
  )
}

function RowLink({ name, of, to }: { name: string; of: string; to: string }) {
  return (
    <Link
      to={to}
      aria-label={`${name}: ${of}`}
      className="inline-flex min-h-11 items-center rounded-md px-4 text-sm font-semibold hover:bg-sunken"
    >
      {name}
    </Link>
  )
}

const statusNames = { draft: 'Draft', published: 'Published', withdrawn: 'Withdrawn from sale' } as const

function RowButton({ name, of, onClick }: { name: string; of: string; onClick: () => void }) {
  return (
    <Button look="quiet" aria-label={`${name}: ${of}`} onClick={onClick}>
      {name}
    </Button>
  )
}

function ExamRow({
  exam,
  course,
  onAct,
}: {
  exam: AdminExamSummary
  course: AdminCourseView
  onAct: (action: RowAction) => void
}) {
  const row = { rowId: exam.id, courseId: course.id, title: exam.title, base: exam.rowVersion }
  const handleRemove = () =>
    onAct({
      kind: 'confirm',
      heading: 'Remove exam',
      text: `${exam.title} leaves ${course.title}. Whoever has taken it keeps their results.`,
      button: 'Remove exam',
      edit: { ...row, kind: 'exam.delete' },
    })
  const handleTrial = (isOn: boolean) =>
    onAct({ kind: 'change', edit: { ...row, kind: 'exam.trial', fields: { is_free_trial: isOn } } })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 py-1 text-sm">
      <span className="nums min-w-0 wrap-anywhere">
        {exam.title}: {counted(exam.questionCount, 'question')}, {counted(exam.timeLimitMinutes, 'minute')}
      </span>
      <span className="flex flex-wrap items-center">
        <RowButton
          name="Edit"
          of={`${exam.title}, ${course.title}`}
          onClick={() => onAct({ kind: 'edit-exam', course, exam })}
        />
        <RowButton name="Remove" of={`${exam.title}, ${course.title}`} onClick={handleRemove} />
        <Switch
          label="Free trial"
          name={`Free trial: ${exam.title}, ${course.title}`}
          isOn={exam.isFreeTrial}
          onChange={handleTrial}
        />
      </span>
    </li>
  )
}

/** A typed price, and the stored one that it replaces. */
const TypedPrice = z.object({ text: z.string(), over: z.string() })
type TypedPrice = z.infer<typeof TypedPrice>

function PriceForm({
  course,
  adminId,
  onChange,
}: {
  course: AdminCourseView
  adminId: string
  onChange: (edit: NewEdit) => void
}) {
  const stored = toDollars(course.priceCents as Cents)
  const { typed, setTyped } = useTypedPrice(course, adminId, stored)
  const price = typed?.text ?? stored
  const isTyped = typed !== null && typed.text !== stored
  const [problem, setProblem] = useState<string | null>(null)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const judged = judgePrice(price)
    if (judged.kind === 'refused') return setProblem(judged.sentence)
    setProblem(null)
    setTyped(null)
    const fields = { price: judged.priceCents / 100 }
    const row = { rowId: course.id, courseId: course.id, title: course.title, base: course.rowVersion }
    return onChange({ ...row, kind: 'course.update', fields, whole: { ...toFields(course), ...fields } })
  }
  return (
    <form method="post" onSubmit={handleSubmit} noValidate className="flex items-start gap-2">
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
        hint={isTyped ? (typed.over === stored ? 'Not saved yet.' : `Meanwhile it was set to $${stored}.`) : undefined}
        onChange={(event) => setTyped({ text: event.target.value, over: typed?.over ?? stored })}
      />
      <Button
        type="submit"
        look="secondary"
        disabled={price === stored}
        aria-label={`Save, ${course.title}`}
        className="mt-6"
      >
        Save
      </Button>
    </form>
  )
}

/** Typed text stays when the price changes elsewhere, and on this device until it is saved. */
function useTypedPrice(course: AdminCourseView, adminId: string, stored: string) {
  const key = typedKey(adminId, `price.${course.id}`)
  const [typedHere, setTypedHere] = useState<TypedPrice | null>(null)
  const kept = useTyped(key, TypedPrice)?.value ?? null
  const setTyped = (next: TypedPrice | null) => {
    setTypedHere(next)
    if (next === null || next.text === stored) discardUnsavedText(key)
    else storeUnsavedText(key, next, course.rowVersion)
  }
  return { typed: typedHere ?? kept, setTyped }
}
