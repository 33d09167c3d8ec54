import { useDeferredValue, useId, useRef, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../../platform/client.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { PlusIcon, TrashIcon } from '../../../../ui/icons.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { LETTERS, MAX_ANSWERS, MIN_ANSWERS, type Question } from '../../../questions/schema.ts'
import { addQuestion, changeQuestion, deleteQuestion } from '../client.ts'
import { copy } from '../copy.ts'
import { DraftQuestionView, type QuestionEdit } from '../schema.ts'
import { QuestionPreview } from './question-preview.tsx'

type EditedAnswer = QuestionEdit['answers'][number] & { readonly key: string }
type Edited = Omit<QuestionEdit, 'answers'> & { readonly answers: readonly EditedAnswer[] }

const emptyAnswer = (place: number): EditedAnswer => ({ key: `new-${place}`, id: null, text: '', isRight: false })
const emptyQuestion: Edited = {
  stem: '',
  answers: [0, 1, 2, 3].map(emptyAnswer),
  explanation: '',
  domain: '',
  url: '',
  needsReview: false,
}

function toEdited({ stem, answers, explanation, domain, url, needsReview }: Question): Edited {
  return { stem, explanation, domain, url, needsReview, answers: answers.map((one) => ({ ...one, key: one.id })) }
}

/** One question of the draft: all that can be said of it, and how learners will see it. `stored` null adds one. */
export function QuestionEditor({
  examId,
  stored,
  domains,
  backTo,
}: {
  examId: string
  stored: DraftQuestionView | null
  domains: readonly string[]
  backTo: string
}) {
  const navigate = useNavigate()
  const domainsId = useId()
  const [edited, setEdited] = useState(stored === null ? emptyQuestion : toEdited(stored.question))
  const [version, setVersion] = useState(stored?.version ?? 0)
  const [failure, setFailure] = useState<CallFailed | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const made = useRef(MAX_ANSWERS)
  const shown = useDeferredValue(edited)
  const conflict = DraftQuestionView.safeParse(failure?.facts['stored'])
  const problemOf = (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`question.${field}`)

  const change = (changed: Partial<Edited>) => setEdited({ ...edited, ...changed })
  const changeAnswer = (at: number, changed: Partial<EditedAnswer>) =>
    change({ answers: edited.answers.map((answer, place) => (place === at ? { ...answer, ...changed } : answer)) })

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await act()
    } catch (error) {
      if (error instanceof CallFailed) setFailure(error)
      else toast('error', copy['editor.save'], messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const save = (asOf: number) =>
    attempt(async () => {
      const question = {
        ...edited,
        answers: edited.answers.map(({ id, text, isRight }) => ({ id, text, isRight })),
      }
      const { notes } =
        stored === null
          ? await addQuestion(examId, question)
          : await changeQuestion(examId, stored.question.id, question, asOf)
      if (notes.length === 0) toast('success', copy['editor.saved'])
      else toast('warning', copy['editor.noted'], notes.map(({ sentence }) => sentence).join(' '))
      await navigate(backTo)
    })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void save(version)
  }
  const handleTake = (theirs: DraftQuestionView) => {
    setEdited(toEdited(theirs.question))
    setVersion(theirs.version)
    setFailure(null)
  }
  const handleDelete = () =>
    attempt(async () => {
      setDeleting(false)
      if (stored === null) return
      await deleteQuestion(examId, stored.question.id, version)
      toast('success', copy['editor.deleted'])
      await navigate(backTo)
    })

  return (
    <div className="mt-6 grid gap-x-12 gap-y-10 desktop:grid-cols-2">
      <form onSubmit={handleSubmit} noValidate className="min-w-0 space-y-6">
        {failure === null ? null : (
          <Notice tone="bad">
            <p>{failure.message}</p>
            {conflict.success ? (
              <Conflict
                theirs={conflict.data}
                onTake={() => handleTake(conflict.data)}
                onMine={() => {
                  setVersion(conflict.data.version)
                  void save(conflict.data.version)
                }}
              />
            ) : null}
          </Notice>
        )}
        <TextArea
          label={copy['editor.stem']}
          hint={copy['editor.markdown']}
          value={edited.stem}
          problem={problemOf('stem')}
          onChange={(event) => change({ stem: event.target.value })}
        />
        <fieldset>
          <legend className="text-sm font-medium">{copy['editor.answers']}</legend>
          <p className="mt-1 text-sm text-soft">{copy['editor.answers.hint']}</p>
          {problemOf('answers') === undefined ? null : (
            <p role="alert" className="mt-1 text-sm text-bad">
              {problemOf('answers')}
            </p>
          )}
          <ul className="mt-3 space-y-4">
            {edited.answers.map((answer, place) => {
              const letter = (LETTERS[place] ?? '').toUpperCase()
              return (
                <li key={answer.key} className="grid grid-cols-[2.75rem_1fr_2.75rem] items-start gap-x-1">
                  <label className="mt-6 flex size-11 items-center justify-center">
                    <span className="sr-only">{fill(copy['editor.answer.right'], { letter })}</span>
                    <input
                      type="checkbox"
                      checked={answer.isRight}
                      onChange={(event) => changeAnswer(place, { isRight: event.target.checked })}
                      className="size-5 accent-good"
                    />
                  </label>
                  <TextArea
                    label={fill(copy['editor.answer'], { letter })}
                    isShort
                    value={answer.text}
                    problem={problemOf(`answers.${place}.text`)}
                    onChange={(event) => changeAnswer(place, { text: event.target.value })}
                  />
                  <IconButton
                    label={fill(copy['editor.answer.remove'], { letter })}
                    disabled={edited.answers.length <= MIN_ANSWERS}
                    onClick={() => change({ answers: edited.answers.filter((_, at) => at !== place) })}
                    className="mt-6"
                  >
                    <TrashIcon />
                  </IconButton>
                </li>
              )
            })}
          </ul>
          {edited.answers.length >= MAX_ANSWERS ? null : (
            <Button
              look="secondary"
              className="mt-3"
              onClick={() => change({ answers: [...edited.answers, emptyAnswer(made.current++)] })}
            >
              <PlusIcon />
              {copy['editor.answer.add']}
            </Button>
          )}
        </fieldset>
        <TextArea
          label={copy['editor.explanation']}
          value={edited.explanation}
          problem={problemOf('explanation')}
          onChange={(event) => change({ explanation: event.target.value })}
        />
        <Field
          label={copy['editor.domain']}
          list={domainsId}
          value={edited.domain}
          problem={problemOf('domain')}
          onChange={(event) => change({ domain: event.target.value })}
        />
        <datalist id={domainsId}>
          {domains.map((domain) => (
            <option key={domain} value={domain}>
              {domain}
            </option>
          ))}
        </datalist>
        <Field
          label={copy['editor.url']}
          type="url"
          value={edited.url}
          problem={problemOf('url')}
          onChange={(event) => change({ url: event.target.value })}
        />
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={edited.needsReview}
            onChange={(event) => change({ needsReview: event.target.checked })}
            className="size-5 shrink-0 accent-accent"
          />
          {copy['editor.review']}
        </label>
        <div className="flex flex-wrap justify-between gap-3">
          <Button type="submit" disabled={isBusy}>
            {copy['editor.save']}
          </Button>
          {stored === null ? null : (
            <Button look="secondary" disabled={isBusy} onClick={() => setDeleting(true)}>
              {copy['editor.delete']}
            </Button>
          )}
        </div>
      </form>
      <QuestionPreview title={copy['editor.preview']} question={shown} />
      <Dialog title={copy['editor.delete.title']} isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <div className="p-5">
          <p>{copy['editor.delete.about']}</p>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button look="danger" onClick={() => void handleDelete()}>
              {copy['editor.delete.now']}
            </Button>
            <Button look="secondary" onClick={() => setDeleting(false)}>
              {copy['exam.keep']}
            </Button>
          </div>
        </div>
      </Dialog>
    </div>
  )
}

/** Somebody was quicker: who, when, what is stored now, and the two ways on. */
function Conflict({ theirs, onTake, onMine }: { theirs: DraftQuestionView; onTake: () => void; onMine: () => void }) {
  const by = { name: theirs.updatedBy ?? copy['editor.conflict.somebody'], at: formatInstant(theirs.updatedAt) }
  return (
    <>
      <p className="mt-1">{fill(copy['editor.conflict'], by)}</p>
      <div className="mt-3 rounded-md bg-surface p-4 text-ink">
        <QuestionPreview title={copy['editor.conflict.stored']} question={theirs.question} />
      </div>
      <p className="mt-3">{copy['editor.conflict.kept']}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button look="secondary" onClick={onMine}>
          {copy['editor.conflict.mine']}
        </Button>
        <Button look="secondary" onClick={onTake}>
          {copy['editor.conflict.take']}
        </Button>
      </div>
    </>
  )
}
