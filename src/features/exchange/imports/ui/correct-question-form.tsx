import { useDeferredValue, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import type { QuestionEdit } from '../../../authoring/drafts/drafts.schema.ts'
import { LETTERS, MAX_OPTIONS, type Question } from '../../../questions/questions.schema.ts'
import { correctQuestion } from '../imports-client.ts'
import { copy } from '../imports.copy.ts'
import { editOf, toEdit } from '../imports.ts'
import { ReadQuestion } from './read-question.tsx'

const EMPTY = { id: null, text: '', isRight: false }

type Edited = { readonly edit: QuestionEdit; readonly onChange: (changed: Partial<QuestionEdit>) => void }
type Problems = { readonly problemOf: (field: string) => string | undefined }

/** A form to correct what was read of a question. Empty options at the end are left out. */
export function CorrectQuestionForm({
  importId,
  target,
  read,
  next,
}: {
  importId: string
  /** The title of the exam that the rest of the import was stored in; the question follows it there. */
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
  const isFilled = ({ text }: QuestionEdit['options'][number]) => text.trim() !== ''
  const shown = useDeferredValue(edit)
  const saving = useMutation(
    (_isGoingOn: boolean) => {
      const options = edit.options.slice(0, edit.options.findLastIndex(isFilled) + 1)
      return correctQuestion(importId, read.place, { ...edit, options })
    },
    {
      onSuccess: async ({ outcome }, isGoingOn) => {
        toast('success', copy['mend.saved'], copy[outcome === 'stored' ? 'mend.saved.stored' : 'mend.saved.ready'])
        const list = `${paths.adminImport(importId)}?verdict=refused`
        await navigate(isGoingOn && next !== null ? paths.adminCorrectKey(importId, next) : list)
      },
      onFailure: (error) =>
        error instanceof CallFailed ? undefined : toast('error', copy['mend.title'], messageOf(error)),
    },
  )
  const failure = saving.failure instanceof CallFailed ? saving.failure : null
  const problemOf = (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`question.${field}`)
  const onChange = (changed: Partial<QuestionEdit>) => setEdit({ ...edit, ...changed })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    saving.run(true)
  }
  return (
    <div className="grid gap-x-12 gap-y-10 desktop:grid-cols-2">
      <form onSubmit={handleSubmit} noValidate className="min-w-0 space-y-5">
        <QuestionFields edit={edit} onChange={onChange} problemOf={problemOf} />
        {failure === null ? null : (
          <p role="alert" className="text-sm text-bad">
            {problemOf('options') ?? failure.message}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" {...saving.button}>
            {next === null ? saveLabel(target) : copy['mend.next']}
          </Button>
          {next === null ? null : (
            <Button look="secondary" {...saving.button} onClick={() => saving.run(false)}>
              {saveLabel(target)}
            </Button>
          )}
        </div>
      </form>
      <section aria-label={copy['mend.preview']} className="min-w-0">
        <h2 className="mb-3 text-sm font-semibold text-soft">{copy['mend.preview']}</h2>
        <ReadQuestion {...shown} options={shown.options.filter(isFilled)} />
      </section>
    </div>
  )
}

function QuestionFields({ edit, onChange, problemOf }: Edited & Problems) {
  return (
    <>
      <TextArea
        label={copy['mapping.question']}
        value={edit.stem}
        problem={problemOf('stem')}
        onChange={(event) => onChange({ stem: event.target.value })}
      />
      <OptionFields edit={edit} onChange={onChange} problemOf={problemOf} />
      <TextArea
        label={copy['mapping.explanation']}
        value={edit.explanation}
        problem={problemOf('explanation')}
        onChange={(event) => onChange({ explanation: event.target.value })}
      />
      <div className="grid gap-4 tablet:grid-cols-2">
        <Field
          label={copy['mapping.domain']}
          value={edit.domain}
          problem={problemOf('domain')}
          onChange={(event) => onChange({ domain: event.target.value })}
        />
        <Field
          label={copy['mapping.url']}
          value={edit.url}
          problem={problemOf('url')}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      </div>
    </>
  )
}

function OptionFields({ edit: { options }, onChange, problemOf }: Edited & Problems) {
  const changeOption = (at: number, changed: Partial<QuestionEdit['options'][number]>) =>
    onChange({ options: options.map((option, place) => (place === at ? { ...option, ...changed } : option)) })
  return (
    <fieldset>
      <legend className="text-sm font-medium">{copy['mend.answers']}</legend>
      <p className="mt-1 text-sm text-soft">{copy['mend.answers.hint']}</p>
      <ul className="mt-3 space-y-3">
        {options.map(({ text, isRight }, place) => {
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
  )
}

function saveLabel(target: string | null): string {
  return target === null ? copy['mend.save'] : fill(copy['mend.save.into'], { exam: target })
}
