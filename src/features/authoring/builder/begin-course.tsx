import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { z } from 'zod'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../platform/unsaved-text-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { addCourse } from '../../catalogue/data-calls/data-calls-client.ts'
import { titleProblem } from '../../catalogue/course-rules.ts'
import { counted } from '../../../lib/text.ts'

const TitleTyped = z.string()
type StartedDraft = {
  readonly id: string
  readonly title: string
  readonly updatedAt: string
  readonly examCount: number
}

/** Begins a course with its title, or continues one that is a draft. */
export function BeginCourse({ adminId, drafts }: { adminId: string; drafts: readonly StartedDraft[] }) {
  const navigate = useNavigate()
  const key = typedKey(adminId, 'course.new')
  const [typed, setTyped] = useState<string | null>(null)
  // A title that was typed in an earlier visit and never reached the server.
  const before = useTyped(key, TitleTyped)?.value ?? ''
  const title = typed ?? before
  const [problem, setProblem] = useState<string | null>(null)
  // Chosen once, so that a second request adds no second course.
  const [id] = useState(() => crypto.randomUUID())
  const adding = useMutation(() => addCourse({ id, title: title.trim(), price: '0' }), {
    onSuccess: () => {
      discardUnsavedText(key)
      return navigate(adminPaths.builderAt(id, 'facts'))
    },
    onFailure: (error) => setProblem(error instanceof CallFailed ? (error.problemOf('title') ?? null) : null),
  })

  const setTitle = (text: string) => {
    setTyped(text)
    storeUnsavedText(key, text, null)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const found = titleProblem(title)
    setProblem(found)
    if (found === null) adding.run()
  }
  return (
    <div className="mt-8 grid gap-x-16 gap-y-10 desktop:grid-cols-2">
      <section aria-labelledby="begin-heading">
        <h2 id="begin-heading" className="text-lg font-semibold">
          Begin a new course
        </h2>
        <form onSubmit={handleSubmit} noValidate className="mt-3 space-y-4">
          {adding.failure === null ? null : (
            <Notice tone="bad" title={messageOf(adding.failure)}>
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
          <Button type="submit" {...adding.button}>
            Begin
          </Button>
        </form>
      </section>
      <StartedDrafts drafts={drafts} />
    </div>
  )
}

function StartedDrafts({ drafts }: { drafts: readonly StartedDraft[] }) {
  return (
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
                to={adminPaths.builderAt(draft.id, draft.examCount === 0 ? 'facts' : 'questions')}
                className="font-semibold wrap-anywhere hover:underline"
              >
                {draft.title}
              </Link>
              <p className="nums text-sm text-soft">
                {counted(draft.examCount, 'exam')}, changed {formatInstant(draft.updatedAt)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
