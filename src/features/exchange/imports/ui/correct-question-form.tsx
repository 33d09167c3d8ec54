import { useDeferredValue, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import type { QuestionEdit } from '../../../authoring/drafts/drafts.schema.ts'
import { LETTERS, MAX_OPTIONS, type Question } from '../../../questions/questions.schema.ts'
import { correctQuestion } from '../imports-client.ts'
import { copy } from '../imports.copy.ts'
import { editOf, toEdit } from '../imports.ts'
import { ReadQuestion } from './read-question.tsx'

const EMPTY = { id: null, text: '', isRight: false }

/** What was read of a question, to be put right. Empty answers at the end are left out. */
export function CorrectQuestionForm({
  importId,
  target,
  read,
  next,
}: {
  importId: string
  /** The exam that it goes into at once, where the others went. */
  target: string | null
  read: {
    readonly place: number
    readonly question: Question | null
    readonly input: Readonly<Record<string, unknown>>
  }
  next: number | null
}) {
  const navigate = useNavigate()
  const [edit, setEdit] = useState<QuestionEdit>(() => {
    const begun = read.question === null ? toEdit(read.input) : editOf(read.question)
    return { ...begun, options: LETTERS.slice(0, MAX_OPTIONS).map((_, place) => begun.options[place] ?? EMPTY) }
  })
  const [failure, setFailure] = useState<CallFailed | null>(null)
  const [isBusy, setBusy] = useState(false)
  const shown = useDeferredValue(edit)
  const problemOf = (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`question.${field}`)
  const change = (changed: Partial<QuestionEdit>) => setEdit({ ...edit, ...changed })
  const changeOption = (at: number, changed: Partial<QuestionEdit['options'][number]>) =>
    change({ options: edit.options.map((answer, place) => (place === at ? { ...answer, ...changed } : answer)) })

  const save = async (isGoingOn: boolean) => {
    setBusy(true)
    setFailure(null)
    try {
      const last = edit.options.findLastIndex(({ text }) => text.trim() !== '')
      const { outcome } = await correctQuestion(importId, read.place, {
        ...edit,
        options: edit.options.slice(0, last + 1),
      })
      toast('success', copy['mend.saved'], copy[outcome === 'stored' ? 'mend.saved.stored' : 'mend.saved.ready'])
      await navigate(
        isGoingOn && next !== null
          ? paths.adminCorrectKey(importId, next)
          : `${paths.adminImport(importId)}?verdict=refused`,
      )
    } catch (error) {
      if (error instanceof CallFailed) setFailure(error)
      else toast('error', copy['mend.title'], messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void save(true)
  }
  return (
    <div className="grid gap-x-12 gap-y-10 desktop:grid-cols-2">
      <form onSubmit={handleSubmit} noValidate className="min-w-0 space-y-5">
        <TextArea
          label={copy['mapping.question']}
          value={edit.stem}
          problem={problemOf('stem')}
          onChange={(event) => change({ stem: event.target.value })}
        />
        <fieldset>
          <legend className="text-sm font-medium">{copy['mend.answers']}</legend>
          <p className="mt-1 text-sm text-soft">{copy['mend.answers.hint']}</p>
          <ul className="mt-3 space-y-3">
            {edit.options.map(({ text, isRight }, place) => {
              const letter = (LETTERS[place] ?? '').toUpperCase()
              return (
                <li key={letter} className="grid grid-cols-[2.75rem_1fr] items-start gap-x-1">
                  <label className="mt-6 flex size-11 items-center justify-center">
                    <span className="sr-only">{fill(copy['mend.right'], { letter })}</span>
                    <input
                      type="checkbox"
                      checked={isRight}
                      onChange={(event) => changeOption(place, { isRight: event.target.checked })}
                      className="size-5 accent-good"
                    />
                  </label>
                  <TextArea
                    label={fill(copy['mend.answer'], { letter })}
                    isShort
                    value={text}
                    problem={problemOf(`options.${place}.text`)}
                    onChange={(event) => changeOption(place, { text: event.target.value })}
                  />
                </li>
              )
            })}
          </ul>
        </fieldset>
        <TextArea
          label={copy['mapping.explanation']}
          value={edit.explanation}
          problem={problemOf('explanation')}
          onChange={(event) => change({ explanation: event.target.value })}
        />
        <div className="grid gap-4 tablet:grid-cols-2">
          <Field
            label={copy['mapping.domain']}
            value={edit.domain}
            problem={problemOf('domain')}
            onChange={(event) => change({ domain: event.target.value })}
          />
          <Field
            label={copy['mapping.url']}
            value={edit.url}
            problem={problemOf('url')}
            onChange={(event) => change({ url: event.target.value })}
          />
        </div>
        {failure === null ? null : (
          <p role="alert" className="text-sm text-bad">
            {problemOf('options') ?? failure.message}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={isBusy}>
            {next === null ? saveLabel(target) : copy['mend.next']}
          </Button>
          {next === null ? null : (
            <Button look="secondary" disabled={isBusy} onClick={() => void save(false)}>
              {saveLabel(target)}
            </Button>
          )}
        </div>
      </form>
      <section aria-label={copy['mend.preview']} className="min-w-0">
        <h2 className="mb-3 text-sm font-semibold text-soft">{copy['mend.preview']}</h2>
        <ReadQuestion {...shown} options={shown.options.filter(({ text }) => text.trim() !== '')} />
      </section>
    </div>
  )
}

function saveLabel(target: string | null): string {
  return target === null ? copy['mend.save'] : fill(copy['mend.save.into'], { exam: target })
}
