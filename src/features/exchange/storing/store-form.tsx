import { useState, type FormEvent } from 'react'
import { Link, useRevalidator } from 'react-router'
import { fill } from '../../../lib/failure.ts'
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
import { toast } from '../../../ui/toasts.tsx'
import { findCourses, findExamsOf } from '../../catalogue/course-choices-client.ts'
import { courseHint, describeCourse, describeExam } from '../../catalogue/course-choices.ts'
import { MAX_QUESTIONS } from '../../authoring/drafts/drafts.ts'
import { CATEGORIES, categoryLabel } from '../../catalogue/catalogue.ts'
import { storeImport } from '../imports/imports-client.ts'
import { copy } from '../imports/imports.copy.ts'
import { countStorable } from '../imports/imports.ts'
import type { ImportDestination, ImportView } from '../imports/imports.schema.ts'

type Kind = 'exam' | 'new-exam' | 'new-course' | 'own-places' | 'own-courses'

/** Chooses where the questions of an import go, and puts them there. */
export function StoreForm({ view, ...where }: { view: ImportView; begun: ImportDestination; isAnyCourse: boolean }) {
  const { good, 'needs-review': review, changed } = view.counts
  if (good.open + review.open + changed.open === 0) return <Went view={view} />
  return (
    <>
      <Went view={view} />
      <TargetForm key={view.storedAt} view={view} {...where} />
    </>
  )
}

function Went({ view }: { view: ImportView }) {
  const { storedAt, target } = view
  if (storedAt === null) return null
  return (
    <Notice tone="good" className="mt-8" title={fill(copy['store.went'], { at: formatInstant(storedAt) })}>
      {target === null ? null : (
        <Link
          to={target.kind === 'exam' ? paths.adminExam(target.id) : paths.adminCourse(target.id)}
          className="inline-flex min-h-8 items-center font-semibold text-accent underline underline-offset-2"
        >
          {copy[`store.look.${target.kind}`]}: {target.title}
        </Link>
      )}
    </Notice>
  )
}

function TargetForm({
  view,
  begun,
  isAnyCourse,
}: {
  view: ImportView
  begun: ImportDestination
  isAnyCourse: boolean
}) {
  const { revalidate } = useRevalidator()
  const title = titleIn(view)
  const [kind, setKind] = useState<Kind>(() => firstKind(view, begun, isAnyCourse))
  const [into, setInto] = useState<{ readonly id: string } | null>(begun.course)
  const [toExam, setToExam] = useState<{ readonly id: string } | null>(begun.exam)
  const facts = view.exams[0]?.facts
  const [course, setCourse] = useState({ title, category: '', price: '0.00', isPublished: false })
  const [exam, setExam] = useState({
    title: facts?.title ?? title,
    minutes: String(facts?.timeLimitMinutes ?? 60),
    passing: String(facts?.passingScore ?? 70),
  })
  const [withReview, setWithReview] = useState(true)
  const [failure, setFailure] = useState<CallFailed | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isChanging = kind !== 'new-exam' && kind !== 'new-course'
  const count = countStorable(view.counts, withReview) + (isChanging ? view.counts.changed.open : 0)
  const examsInFile = view.exams.filter(({ questions }) => questions > 0).length

  const store = async () => {
    setBusy(true)
    setFailure(null)
    const newExam = {
      title: exam.title,
      timeLimitMinutes: Number(exam.minutes),
      passingScore: Number(exam.passing),
    }
    const { title, category, price, isPublished } = course
    const target = {
      exam: { kind, examId: toExam?.id },
      'own-places': { kind },
      'own-courses': { kind, status: course.isPublished ? 'published' : 'draft' },
      'new-exam': { kind, courseId: into?.id, exam: newExam },
      'new-course': {
        kind,
        course: {
          title,
          category: category === '' ? null : category,
          price,
          status: isPublished ? 'published' : 'draft',
        },
        exam: newExam,
      },
    }[kind]
    try {
      const stored = await storeImport(view.id, { target, withReview })
      const { added, changed } = stored
      toast('success', copy['store.done'], fill(copy['store.done.text'], { added, changed }))
      await revalidate()
    } catch (error) {
      if (error instanceof CallFailed) setFailure(error)
      else toast('error', copy['store.title'], messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void store()
  }
  const problemOf = (field: string) => failure?.problemOf(`target.${field}`)
  const hasFieldProblem = failure?.fields.some(({ field }) => field.startsWith('target.')) === true
  const kinds: Kind[] = [
    ...(view.courses.length > 0 ? (['own-courses'] as const) : []),
    ...(view.counts.changed.open > 0 ? (['own-places'] as const) : []),
    ...(isAnyCourse ? (['exam', 'new-exam'] as const) : []),
    'new-course',
  ]
  return (
    <section aria-labelledby="store-heading" className="mt-10 rounded-lg border border-line bg-surface p-4 tablet:p-6">
      <h2 id="store-heading" className="text-lg font-semibold">
        {copy['store.title']}
      </h2>
      <form onSubmit={handleSubmit} noValidate className="mt-4 space-y-5">
        <RadioList
          legend={copy['store.where']}
          choices={kinds.map((value) => ({
            value,
            label: copy[`store.${value}`],
            about: copy[`store.${value}.about`],
          }))}
          chosen={kind}
          onChoose={setKind}
        />
        {kind === 'own-courses' ? (
          <ul className="space-y-1">
            {view.courses.map(({ slug, facts }) => (
              <li key={slug} className="nums wrap-anywhere">
                <span className="font-semibold">{facts.title}</span>{' '}
                <span className="text-sm text-soft">
                  {fill(copy['store.own-courses.exams'], { n: view.exams.filter((one) => one.course === slug).length })}
                </span>
              </li>
            ))}
          </ul>
        ) : null}
        {kind === 'exam' || kind === 'new-exam' ? (
          <div className="grid gap-4 tablet:grid-cols-2">
            <Chooser
              label={copy['store.course']}
              hint={courseHint}
              chosen={begun.course}
              find={findCourses}
              describe={describeCourse}
              onChoose={(course) => {
                setInto(course)
                setToExam(course !== null && course.id === begun.course?.id ? begun.exam : null)
              }}
            />
            {kind === 'exam' && into !== null ? (
              <Chooser
                key={into.id}
                label={copy['store.exam.choose']}
                chosen={into.id === begun.course?.id ? begun.exam : null}
                find={findExamsOf(into.id)}
                describe={describeExam}
                onChoose={setToExam}
              />
            ) : null}
          </div>
        ) : null}
        {kind === 'new-course' ? (
          <div className="grid gap-4 tablet:grid-cols-[2fr_1fr_1fr]">
            <Field
              label={copy['store.course.title']}
              value={course.title}
              problem={problemOf('course.title')}
              onChange={(event) => setCourse({ ...course, title: event.target.value })}
            />
            <SelectField
              label={copy['store.course.level']}
              value={course.category}
              onChange={(event) => setCourse({ ...course, category: event.target.value })}
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
              onChange={(event) => setCourse({ ...course, price: event.target.value })}
            />
          </div>
        ) : null}
        {kind === 'new-course' || kind === 'new-exam' ? (
          <>
            {examsInFile > 1 ? (
              <p className="nums text-sm text-soft">{fill(copy['store.exams.named'], { n: examsInFile })}</p>
            ) : (
              <div className="grid gap-4 tablet:grid-cols-[2fr_1fr_1fr]">
                <Field
                  label={copy['store.exam.title']}
                  value={exam.title}
                  problem={problemOf('exam.title')}
                  onChange={(event) => setExam({ ...exam, title: event.target.value })}
                />
                <Field
                  label={copy['store.exam.minutes']}
                  inputMode="numeric"
                  value={exam.minutes}
                  problem={problemOf('exam.timeLimitMinutes')}
                  onChange={(event) => setExam({ ...exam, minutes: event.target.value })}
                />
                <Field
                  label={copy['store.exam.passing']}
                  inputMode="numeric"
                  value={exam.passing}
                  problem={problemOf('exam.passingScore')}
                  onChange={(event) => setExam({ ...exam, passing: event.target.value })}
                />
              </div>
            )}
            {examsInFile <= 1 && count > MAX_QUESTIONS ? (
              <p className="nums text-sm text-soft">
                {fill(copy['store.split'], { max: MAX_QUESTIONS, n: Math.ceil(count / MAX_QUESTIONS) })}
              </p>
            ) : null}
          </>
        ) : null}
        {kind === 'new-course' || kind === 'own-courses' ? (
          <Choice
            type="checkbox"
            checked={course.isPublished}
            onChange={(event) => setCourse({ ...course, isPublished: event.target.checked })}
          >
            {copy[kind === 'own-courses' ? 'store.courses.publish' : 'store.course.publish']}
          </Choice>
        ) : null}
        {view.counts['needs-review'].open > 0 ? (
          <Choice
            type="checkbox"
            className="nums"
            checked={withReview}
            onChange={(event) => setWithReview(event.target.checked)}
          >
            {view.counts['needs-review'].open === 1
              ? copy['store.review.one']
              : fill(copy['store.review'], { n: view.counts['needs-review'].open })}
          </Choice>
        ) : null}
        {failure === null ? null : (
          <p role="alert" className="text-sm text-bad">
            {hasFieldProblem ? failure.fields.map(({ message }) => message).join(' ') : failure.message}
          </p>
        )}
        <Button
          type="submit"
          disabled={
            isBusy || count === 0 || (kind === 'exam' && toExam === null) || (kind === 'new-exam' && into === null)
          }
        >
          {count === 1 ? copy['store.now.one'] : fill(copy['store.now'], { n: count })}
        </Button>
      </form>
    </section>
  )
}

function titleIn(view: ImportView): string {
  const title = view.exams[0]?.facts.title ?? view.name.replace(/\.[a-z0-9]+$/i, '')
  return title.replaceAll(/[<>]/g, '').slice(0, 199)
}

/** What is chosen before anybody chooses: where it was begun from, else what fits best. */
function firstKind(view: ImportView, begun: ImportDestination, isAnyCourse: boolean): Kind {
  if (begun.exam !== null) return 'exam'
  if (begun.course !== null) return 'new-exam'
  if (view.courses.length > 0) return 'own-courses'
  if (view.counts.changed.open > 0) return 'own-places'
  return isAnyCourse ? 'exam' : 'new-course'
}
