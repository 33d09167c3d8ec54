import { useState, type ReactNode } from 'react'
import { Link, useRevalidator } from 'react-router'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { PlusIcon, TrashIcon } from '../../../../ui/icons.tsx'
import { EmptyState } from '../../../../ui/page-parts.tsx'
import { Sortable } from '../../../../ui/sortable.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useReordered } from '../../../../ui/use-reordered.ts'
import { addExam, deleteExam, switchFreeTrial } from '../../../catalogue/data-calls/data-calls-client.ts'
import { orderExams } from '../admin-courses-client.ts'
import { readExamForm } from '../../../catalogue/data-calls/course-sync.ts'
import ConfirmDialog from './confirm-dialog.tsx'
import { ExamFields } from './exam-fields.tsx'
import { counted } from '../../../../lib/text.ts'

type ListedExam = {
  readonly id: string
  readonly title: string
  readonly questionCount: number
  readonly minutes: number
  readonly passingScore: number
  readonly isFreeTrial: boolean
  /** Further facts: its version, draft and attempts. */
  readonly facts: readonly string[]
}

type NewExamFields = { id: string; test_name: string; time_limit: number; passing_score: number }

/** The exams of a course, in an order that the admin can change; new ones come at the end. */
export function CourseExams({ courseId, exams }: { courseId: string; exams: readonly ListedExam[] }) {
  const { shown, change, add, move } = useExamChanges(courseId, exams)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<ListedExam | null>(null)
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
          onMove={move}
          className="mt-3 divide-y divide-line border-y border-line"
        >
          {(exam, handle) => (
            <ExamRow
              exam={exam}
              handle={handle}
              onSwitch={(isOn) => void change(() => switchFreeTrial(exam.id, isOn))}
              onRemove={() => setRemoved(exam)}
            />
          )}
        </Sortable>
      )}
      {isAdding ? (
        <NewExam
          number={exams.filter(({ isFreeTrial }) => !isFreeTrial).length + 1}
          onClose={() => setAdding(false)}
          onAdd={async (typed) => {
            if (await add(typed)) setAdding(false)
          }}
        />
      ) : null}
      {removed === null ? null : (
        <ConfirmDialog
          heading="Remove exam"
          text={`${removed.title} leaves the course with its draft. Learners who have taken it keep their results.`}
          button="Remove exam"
          onClose={() => setRemoved(null)}
          onConfirm={() => {
            setRemoved(null)
            void change(() => deleteExam(removed.id))
          }}
        />
      )}
    </section>
  )
}

/** The exams in their order on the screen, and changes of them that are sent to the server. */
function useExamChanges(courseId: string, exams: readonly ListedExam[]) {
  const { revalidate } = useRevalidator()
  const { shown, reorder, restore } = useReordered(exams)

  /** Sends a change and loads the list again; false after a failure. */
  const change = async (send: () => Promise<unknown>) => {
    try {
      await send()
      await revalidate()
      return true
    } catch (error) {
      toast(...toastOf(error))
      restore()
      return false
    }
  }
  const add = (exam: NewExamFields) => change(() => addExam({ course_id: courseId, ...exam }))
  const move = (from: number, to: number) => {
    const ids = reorder(from, to)
    void change(() => orderExams(courseId, ids))
  }
  return { shown, change, add, move }
}

function ExamRow({
  exam,
  handle,
  onSwitch,
  onRemove,
}: {
  exam: ListedExam
  handle: ReactNode
  onSwitch: (isOn: boolean) => void
  onRemove: () => void
}) {
  return (
    <div className="flex items-start gap-2 py-3">
      <span className="-ml-3">{handle}</span>
      <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-6 gap-y-1 pt-2">
        <div className="min-w-0 flex-1 basis-52">
          <Link to={adminPaths.exam(exam.id)} className="font-semibold wrap-anywhere hover:underline">
            {exam.title}
          </Link>
          <p className="nums mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
            <span>{counted(exam.questionCount, 'question')}</span>
            <span>{counted(exam.minutes, 'minute')}</span>
            <span>{exam.passingScore}% to pass</span>
            {exam.facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
        </div>
        <span className="-ml-1 text-sm">
          <Switch label="Free trial" name={`Free trial: ${exam.title}`} isOn={exam.isFreeTrial} onChange={onSwitch} />
        </span>
      </div>
      <IconButton label={`Remove ${exam.title}`} onClick={onRemove}>
        <TrashIcon />
      </IconButton>
    </div>
  )
}

function NewExam({
  number,
  onAdd,
  onClose,
}: {
  number: number
  onAdd: (exam: NewExamFields) => Promise<void>
  onClose: () => void
}) {
  const [typed, setTyped] = useState({ title: `Practice Exam ${number}`, minutes: '60', passing: '70', questions: '' })
  const [isTried, setTried] = useState(false)
  // Chosen once, so that a second press or a lost reply adds no second exam.
  const [id] = useState(() => crypto.randomUUID())
  const handleSubmit = () => {
    setTried(true)
    const { fields } = readExamForm(typed)
    if (fields?.test_name === undefined) return
    void onAdd({
      id,
      test_name: fields.test_name,
      time_limit: fields.time_limit ?? 60,
      passing_score: fields.passing_score ?? 70,
    })
  }
  return (
    <DialogForm title="Add an exam" action="Add exam" onSubmit={handleSubmit} onClose={onClose}>
      <ExamFields form={typed} isTried={isTried} onChange={setTyped} />
    </DialogForm>
  )
}
