import { useRef, useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { z } from 'zod'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../platform/unsaved-text-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { addCourse } from '../../catalogue/data-calls/data-calls-client.ts'
import { titleProblem } from '../../catalogue/catalogue.ts'

const TitleTyped = z.string()
type StartedDraft = {
  readonly id: string
  readonly title: string
  readonly updatedAt: string
  readonly examCount: number
}

/** The title of a new course, which makes its draft; and the drafts that were begun before. */
export function BeginCourse({ adminId, drafts }: { adminId: string; drafts: readonly StartedDraft[] }) {
  const navigate = useNavigate()
  const key = typedKey(adminId, 'course.new')
  const [typed, setTyped] = useState<string | null>(null)
  // Or one that was typed here before and never reached the server.
  const before = useTyped(key, TitleTyped)?.value ?? ''
  const title = typed ?? before
  const [problem, setProblem] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // Made once, so that sending it twice makes one course.
  const id = useRef<string | null>(null)

  const setTitle = (text: string) => {
    setTyped(text)
    storeUnsavedText(key, text, null)
  }
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = titleProblem(title)
    setProblem(wrong)
    if (wrong !== null || isBusy) return
    setBusy(true)
    setFailure(null)
    id.current ??= crypto.randomUUID()
    try {
      await addCourse({ id: id.current, title: title.trim(), price: '0' })
      discardUnsavedText(key)
      await navigate(paths.adminBuilderAt(id.current, 'facts'))
    } catch (error) {
      setProblem(error instanceof CallFailed ? (error.problemOf('title') ?? null) : null)
      setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-8 grid gap-x-16 gap-y-10 desktop:grid-cols-2">
      <section aria-labelledby="begin-heading">
        <h2 id="begin-heading" className="text-lg font-semibold">
          Begin a new course
        </h2>
        <form onSubmit={(event) => void handleSubmit(event)} noValidate className="mt-3 space-y-4">
          {failure === null ? null : (
            <Notice tone="bad" title={failure}>
              <p>The title is kept on this device.</p>
            </Notice>
          )}
          <Field
            label="Title"
            value={title}
            problem={problem}
            hint="The name of the certification, as its provider writes it."
            onChange={(event) => setTitle(event.target.value)}
          />
          <Button type="submit" disabled={isBusy}>
            Begin
          </Button>
        </form>
      </section>
      <section aria-labelledby="begun-heading">
        <h2 id="begun-heading" className="text-lg font-semibold">
          Go on with a draft
        </h2>
        {drafts.length === 0 ? (
          <p className="mt-3 text-soft">No course is a draft at the moment.</p>
        ) : (
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {drafts.map((draft) => (
              <li key={draft.id} className="py-3">
                <Link
                  to={paths.adminBuilderAt(draft.id, draft.examCount === 0 ? 'facts' : 'questions')}
                  className="font-semibold wrap-anywhere hover:underline"
                >
                  {draft.title}
                </Link>
                <p className="nums text-sm text-soft">
                  {draft.examCount} {draft.examCount === 1 ? 'exam' : 'exams'}, changed {formatInstant(draft.updatedAt)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
