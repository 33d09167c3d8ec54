import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Choice } from '../../../ui/choice.tsx'
import { Button } from '../../../ui/button.tsx'
import { Chooser } from '../../../ui/chooser.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioList } from '../../../ui/radio-list.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { findCourses, findExamsOf } from '../../catalogue/course-choices-client.ts'
import { courseHint, describeCourse, describeExam } from '../../catalogue/course-choices.ts'
import { MAX_QUESTIONS } from '../../authoring/drafts/drafts.ts'
import { CATEGORIES, categoryLabel } from '../../catalogue/catalogue.ts'
import { storeImport } from '../imports/imports-client.ts'
import { copy } from '../imports/imports.copy.ts'
import { countStorable } from '../imports/imports.ts'
import type { ImportDestination, ImportView } from '../imports/imports.schema.ts'
import { firstDestination, proposedTitle, type DestinationKind } from './first-destination.ts'
import { counted, pluralOf } from '../../../lib/text.ts'

type Place = { readonly id: string }

/** The form as it is filled in; numbers and prices are texts until they are sent. */
type Filled = {
  readonly kind: DestinationKind
  readonly intoCourse: Place | null
  readonly intoExam: Place | null
  readonly course: { title: string; description: string; category: string; price: string; isPublished: boolean }
  readonly exam: { title: string; minutes: string; passing: string }
  readonly withReview: boolean
}
type Part = {
  readonly filled: Filled
  readonly onChange: (changed: Partial<Filled>) => void
  readonly problemOf: (field: string) => string | undefined
}

type FormProps = { view: ImportView; begun: ImportDestination; isAnyCourse: boolean }

/** Chooses where the questions of an import go, and stores them there. */
export function StoreForm({ view, ...where }: FormProps) {
  const { good, 'needs-review': review, changed } = view.counts
  const hasOpen = good.open + review.open + changed.open > 0
  return (
    <>
      <LastTarget view={view} />
      {hasOpen ? <TargetForm key={view.storedAt} view={view} {...where} /> : null}
    </>
  )
}

const link = 'inline-flex min-h-8 items-center font-semibold text-accent underline underline-offset-2'

function LastTarget({ view }: { view: ImportView }) {
  const { storedAt, target } = view
  if (storedAt === null) return null
  return (
    <Notice tone="good" className="mt-8" title={fill(copy['store.went'], { at: formatInstant(storedAt) })}>
      {target === null ? null : (
        <p className="flex flex-wrap gap-x-5">
          <Link
            to={target.kind === 'exam' ? adminPaths.exam(target.id) : adminPaths.course(target.id)}
            className={link}
          >
            {copy[`store.look.${target.kind}`]}: {target.title}
          </Link>
          {target.course.status === 'draft' ? (
            <Link to={adminPaths.builderAt(target.course.id, 'look')} className={link}>
              {copy['store.publish']}
            </Link>
          ) : target.course.status === 'published' ? (
            <Link to={paths.course(target.course.slug)} className={link}>
              {copy['store.see']}
            </Link>
          ) : null}
        </p>
      )}
    </Notice>
  )
}

function TargetForm({ view, begun, isAnyCourse }: FormProps) {
  const [filled, setFilled] = useState(() => firstFilled(view, begun, isAnyCourse))
  const { storing, failure } = useStoring(view, filled)
  const { kind, withReview } = filled
  const isNew = kind === 'new-exam' || kind === 'new-course'
  const count = countStorable(view.counts, withReview) + (isNew ? 0 : view.counts.changed.open)
  const isPlaceMissing =
    (kind === 'exam' && filled.intoExam === null) || (kind === 'new-exam' && filled.intoCourse === null)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    storing.run()
  }
  const part: Part = {
    filled,
    onChange: (changed) => setFilled({ ...filled, ...changed }),
    problemOf: (field) => failure?.problemOf(`target.${field}`),
  }
  return (
    <section aria-labelledby="store-heading" className="mt-10 rounded-lg border border-line bg-surface p-4 tablet:p-6">
      <h2 id="store-heading" className="text-lg font-semibold">
        {copy['store.title']}
      </h2>
      <form onSubmit={handleSubmit} noValidate className="mt-4 space-y-5">
        <RadioList
          legend={copy['store.where']}
          choices={kindsOf(view, isAnyCourse).map((value) => ({
            value,
            label: copy[`store.${value}`],
            about: copy[`store.${value}.about`],
          }))}
          chosen={kind}
          onChoose={(chosen) => part.onChange({ kind: chosen })}
        />
        {kind === 'own-courses' ? <DescribedCourses view={view} /> : null}
        {kind === 'exam' || kind === 'new-exam' ? <ExistingPlace {...part} begun={begun} /> : null}
        {kind === 'new-course' ? <NewCourse {...part} /> : null}
        {isNew ? <NewExams {...part} view={view} count={count} /> : null}
        <StoreOptions {...part} view={view} />
        {failure === null ? null : (
          <p role="alert" className="text-sm text-bad">
            {sentenceOf(failure)}
          </p>
        )}
        <Button type="submit" disabled={count === 0 || isPlaceMissing} {...storing.button}>
          {fill(copy['store.now'], { n: count })}
        </Button>
      </form>
    </section>
  )
}

/** Failures of the call are shown in the form, all others as a toast. */
function useStoring(view: ImportView, filled: Filled) {
  const storing = useMutation(() => storeImport(view.id, { target: toTarget(filled), withReview: filled.withReview }), {
    revalidates: true,
    onSuccess: ({ added, changed }) =>
      toast('success', copy['store.done'], fill(copy['store.done.text'], { added, changed })),
    onFailure: (error) =>
      error instanceof CallFailed ? undefined : toast('error', copy['store.title'], messageOf(error)),
  })
  return { storing, failure: storing.failure instanceof CallFailed ? storing.failure : null }
}

function sentenceOf({ fields, message }: CallFailed): string {
  const hasFieldProblem = fields.some(({ field }) => field.startsWith('target.'))
  return hasFieldProblem ? fields.map((problem) => problem.message).join(' ') : message
}

/** Wide first column, two narrow ones. */
const threeColumns = 'grid gap-4 tablet:grid-cols-[2fr_1fr_1fr]'

function DescribedCourses({ view }: { view: ImportView }) {
  return (
    <ul className="space-y-1">
      {view.courses.map(({ slug, facts }) => (
        <li key={slug} className="nums wrap-anywhere">
          <span className="font-semibold">{facts.title}</span>{' '}
          <span className="text-sm text-soft">
            {counted(view.exams.filter(({ course }) => course === slug).length, 'exam')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function ExistingPlace({ filled, onChange, begun }: Part & { begun: ImportDestination }) {
  const { kind, intoCourse } = filled
  const examBegunIn = (course: Place | null) => (course !== null && course.id === begun.course?.id ? begun.exam : null)
  return (
    <div className="grid gap-4 tablet:grid-cols-2">
      <Chooser
        label={copy['store.course']}
        hint={courseHint}
        chosen={begun.course}
        find={findCourses}
        describe={describeCourse}
        onChoose={(course) => onChange({ intoCourse: course, intoExam: examBegunIn(course) })}
      />
      {kind === 'exam' && intoCourse !== null ? (
        <Chooser
          key={intoCourse.id}
          label={copy['store.exam.choose']}
          chosen={examBegunIn(intoCourse)}
          find={findExamsOf(intoCourse.id)}
          describe={describeExam}
          onChoose={(exam) => onChange({ intoExam: exam })}
        />
      ) : null}
    </div>
  )
}

function NewCourse({ filled: { course }, onChange, problemOf }: Part) {
  const change = (changed: Partial<Filled['course']>) => onChange({ course: { ...course, ...changed } })
  return (
    <>
      <div className={threeColumns}>
        <Field
          label={copy['store.course.title']}
          value={course.title}
          problem={problemOf('course.title')}
          onChange={(event) => change({ title: event.target.value })}
        />
        <SelectField
          label={copy['store.course.level']}
          value={course.category}
          onChange={(event) => change({ category: event.target.value })}
        >
          <option value="">{copy['store.course.level.none']}</option>
          {CATEGORIES.map((category) => (
            <option key={category} value={category}>
              {categoryLabel[category]}
            </option>
          ))}
        </SelectField>
        <Field
          label={copy['store.course.price']}
          inputMode="decimal"
          value={course.price}
          problem={problemOf('course.price')}
          onChange={(event) => change({ price: event.target.value })}
        />
      </div>
      <TextArea
        label={copy['store.course.description']}
        value={course.description}
        problem={problemOf('course.description')}
        onChange={(event) => change({ description: event.target.value })}
      />
    </>
  )
}

function NewExams({ filled: { exam }, onChange, problemOf, view, count }: Part & { view: ImportView; count: number }) {
  const change = (changed: Partial<Filled['exam']>) => onChange({ exam: { ...exam, ...changed } })
  const examsInFile = view.exams.filter(({ questions }) => questions > 0).length
  if (examsInFile > 1)
    return <p className="nums text-sm text-soft">{fill(copy['store.exams.named'], { n: examsInFile })}</p>
  return (
    <>
      <div className={threeColumns}>
        <Field
          label={copy['store.exam.title']}
          value={exam.title}
          problem={problemOf('exam.title')}
          onChange={(event) => change({ title: event.target.value })}
        />
        <Field
          label={copy['store.exam.minutes']}
          inputMode="numeric"
          value={exam.minutes}
          problem={problemOf('exam.timeLimitMinutes')}
          onChange={(event) => change({ minutes: event.target.value })}
        />
        <Field
          label={copy['store.exam.passing']}
          inputMode="numeric"
          value={exam.passing}
          problem={problemOf('exam.passingScore')}
          onChange={(event) => change({ passing: event.target.value })}
        />
      </div>
      {count > MAX_QUESTIONS ? (
        <p className="nums text-sm text-soft">
          {fill(copy['store.split'], { max: MAX_QUESTIONS, n: Math.ceil(count / MAX_QUESTIONS) })}
        </p>
      ) : null}
    </>
  )
}

function StoreOptions({ filled, onChange, view }: Part & { view: ImportView }) {
  const { kind, course, withReview } = filled
  const reviewCount = view.counts['needs-review'].open
  return (
    <>
      {kind === 'new-course' || kind === 'own-courses' ? (
        <Choice
          type="checkbox"
          checked={course.isPublished}
          onChange={(event) => onChange({ course: { ...course, isPublished: event.target.checked } })}
        >
          {copy[kind === 'own-courses' ? 'store.courses.publish' : 'store.course.publish']}
        </Choice>
      ) : null}
      {reviewCount === 0 ? null : (
        <Choice
          type="checkbox"
          className="nums"
          checked={withReview}
          onChange={(event) => onChange({ withReview: event.target.checked })}
        >
          {fill(copy[pluralOf(reviewCount, 'store.review.one', 'store.review')], { n: reviewCount })}
        </Choice>
      )}
    </>
  )
}

/** The destination as it is sent; the server reads the price. */
function toTarget({ kind, intoCourse, intoExam, course, exam }: Filled): Record<string, unknown> {
  const status = course.isPublished ? 'published' : 'draft'
  const newExam = {
    title: exam.title,
    timeLimitMinutes: Number(exam.minutes),
    passingScore: Number(exam.passing),
  }
  const { title, description, category, price } = course
  return {
    exam: { kind, examId: intoExam?.id },
    'own-places': { kind },
    'own-courses': { kind, status },
    'new-exam': { kind, courseId: intoCourse?.id, exam: newExam },
    'new-course': {
      kind,
      course: { title, description, category: category === '' ? null : category, price, status },
      exam: newExam,
    },
  }[kind]
}

function kindsOf(view: ImportView, isAnyCourse: boolean): DestinationKind[] {
  return [
    ...(view.courses.length > 0 ? (['own-courses'] as const) : []),
    ...(view.counts.changed.open > 0 ? (['own-places'] as const) : []),
    ...(isAnyCourse ? (['exam', 'new-exam'] as const) : []),
    'new-course',
  ]
}

function firstFilled(view: ImportView, begun: ImportDestination, isAnyCourse: boolean): Filled {
  const title = proposedTitle(view)
  const facts = view.exams[0]?.facts
  return {
    kind: firstDestination(view, begun, isAnyCourse),
    intoCourse: begun.course,
    intoExam: begun.exam,
    course: { title, description: '', category: '', price: '0.00', isPublished: false },
    exam: {
      title: facts?.title ?? title,
      minutes: String(facts?.timeLimitMinutes ?? 60),
      passing: String(facts?.passingScore ?? 70),
    },
    withReview: true,
  }
}
