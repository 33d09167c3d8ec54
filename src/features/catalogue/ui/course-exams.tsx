import { useState, type FormEvent } from 'react'
import { Link, useRevalidator } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { toastOf } from '../../../platform/client.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { PlusIcon, TrashIcon } from '../../../ui/icons.tsx'
import { EmptyState } from '../../../ui/page.tsx'
import { Sortable } from '../../../ui/sortable.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { addExam, deleteExam, orderExams, switchFreeTrial } from '../rows/client.ts'
import { readExamForm } from '../sync/rules.ts'
import ConfirmDialog from '../sync/ui/confirm-dialog.tsx'

export type ListedExam = {
  readonly id: string
  readonly title: string
  readonly questionCount: number
  readonly minutes: number
  readonly passingScore: number
  readonly isFreeTrial: boolean
  /** What else there is to say: its version, draft and attempts. */
  readonly facts: readonly string[]
}

/** The exams of a course in their order, which can be changed; new ones come at the end. */
export function CourseExams({ courseId, exams }: { courseId: string; exams: readonly ListedExam[] }) {
  const { revalidate } = useRevalidator()
  // Shown at once; the server's list follows.
  const [moved, setMoved] = useState<{ readonly over: readonly ListedExam[]; readonly ids: string[] } | null>(null)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<ListedExam | null>(null)
  const shown = moved?.over === exams ? moved.ids.flatMap((id) => exams.find((exam) => exam.id === id) ?? []) : exams

  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act()
      await revalidate()
      return true
    } catch (error) {
      toast(...toastOf(error))
      setMoved(null)
      return false
    }
  }
  const handleMove = (from: number, to: number) => {
    const ids = shown.map(({ id }) => id)
    const [id = ''] = ids.splice(from, 1)
    ids.splice(to, 0, id)
    setMoved({ over: exams, ids })
    void attempt(() => orderExams(courseId, ids))
  }
  return (
    <section aria-labelledby="exams-heading">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="exams-heading" className="text-lg font-semibold">
          Exams
        </h2>
        <Button look="secondary" onClick={() => setAdding(true)}>
          <PlusIcon /> Add an exam
        </Button>
      </div>
      {shown.length === 0 ? (
        <div className="mt-3">
          <EmptyState title="No exams yet" hint="Add the first one; its questions come after." />
        </div>
      ) : (
        <Sortable
          items={shown}
          idOf={({ id }) => id}
          nameOf={({ title }) => title}
          onMove={handleMove}
          className="mt-3 divide-y divide-line border-y border-line"
        >
          {(exam, handle) => (
            <div className="flex items-start gap-2 py-3">
              <span className="-ml-3">{handle}</span>
              <div className="min-w-0 grow pt-2">
                <Link to={paths.adminExam(exam.id)} className="font-semibold wrap-anywhere hover:underline">
                  {exam.title}
                </Link>
                <p className="nums mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
                  <span>
                    {exam.questionCount} {exam.questionCount === 1 ? 'question' : 'questions'}
                  </span>
                  <span>{exam.minutes} minutes</span>
                  <span>{exam.passingScore} % to pass</span>
                  {exam.facts.map((fact) => (
                    <span key={fact}>{fact}</span>
                  ))}
                </p>
              </div>
              <span className="pt-1.5 text-sm">
                <Switch
                  label="Free trial"
                  name={`Free trial: ${exam.title}`}
                  isOn={exam.isFreeTrial}
                  onChange={(isOn) => void attempt(() => switchFreeTrial(exam.id, isOn))}
                />
              </span>
              <IconButton label={`Remove ${exam.title}`} onClick={() => setRemoved(exam)}>
                <TrashIcon />
              </IconButton>
            </div>
          )}
        </Sortable>
      )}
      {isAdding ? (
        <NewExam
          number={exams.length + 1}
          onClose={() => setAdding(false)}
          onAdd={async (typed) => {
            const exam = { id: crypto.randomUUID(), course_id: courseId, ...typed }
            if (await attempt(() => addExam(exam))) setAdding(false)
          }}
        />
      ) : null}
      {removed === null ? null : (
        <ConfirmDialog
          heading="Remove exam"
          text={`${removed.title} leaves the course with its draft. Whoever has taken it keeps their results.`}
          button="Remove exam"
          onClose={() => setRemoved(null)}
          onConfirm={() => {
            setRemoved(null)
            void attempt(() => deleteExam(removed.id))
          }}
        />
      )}
    </section>
  )
}

function NewExam({
  number,
  onAdd,
  onClose,
}: {
  number: number
  onAdd: (exam: { test_name: string; time_limit: number; passing_score: number }) => Promise<void>
  onClose: () => void
}) {
  const [typed, setTyped] = useState({ title: `Practice Exam ${number}`, minutes: '60', passing: '70', questions: '' })
  const [isTried, setTried] = useState(false)
  const { fields, problems } = readExamForm(typed)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (fields?.test_name === undefined) return
    void onAdd({
      test_name: fields.test_name,
      time_limit: fields.time_limit ?? 60,
      passing_score: fields.passing_score ?? 70,
    })
  }
  return (
    <Dialog title="Add an exam" isOpen onClose={onClose}>
      <form onSubmit={handleSubmit} noValidate className="flex min-h-0 flex-col">
        <div className="space-y-4 overflow-y-auto px-5 py-4">
          <Field
            label="Exam title"
            value={typed.title}
            problem={isTried ? problems.title : null}
            onChange={(event) => setTyped({ ...typed, title: event.target.value })}
          />
          <div className="grid gap-4 tablet:grid-cols-2">
            <Field
              label="Minutes"
              inputMode="numeric"
              value={typed.minutes}
              problem={isTried ? problems.minutes : null}
              onChange={(event) => setTyped({ ...typed, minutes: event.target.value })}
            />
            <Field
              label="Passing score in percent"
              inputMode="numeric"
              value={typed.passing}
              problem={isTried ? problems.passing : null}
              onChange={(event) => setTyped({ ...typed, passing: event.target.value })}
            />
          </div>
        </div>
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button look="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Add exam</Button>
        </div>
      </form>
    </Dialog>
  )
}
