import {
  editedFromFile,
  partsField,
  toCorrection,
  toEdited,
  withAllRows,
} from '../../../questions/types/edit-registry.ts'
import { CorrectionFields } from '../../../questions/types/editor-registry.tsx'
import type { EditedFields } from '../../../questions/types/question-edit-base.schema.ts'
import type { EditedQuestion } from '../../../questions/types/question-edit.schema.ts'
import type { Question } from '../../../questions/types/question-types.schema.ts'
import { useDeferredValue, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { correctQuestion } from '../imports-client.ts'
import { copy } from '../imports.copy.ts'
import { ReadQuestion } from './read-question.tsx'

type Props = {
  readonly importId: string
  /** The title of the exam that the rest of the import was stored in; the question follows it there. */
  readonly target: string | null
  readonly read: {
    readonly place: number
    readonly question: Question | null
    readonly input: Readonly<Record<string, unknown>>
  }
  /** The place of the next refused question. */
  readonly next: number | null
}

/** A form to correct a question as it was read from the file. Empty rows at the end are left out. */
export function CorrectQuestionForm({ importId, target, read, next }: Props) {
  const [edited, setEdited] = useState<EditedQuestion>(() =>
    withAllRows(read.question === null ? editedFromFile(read.input) : toEdited(read.question)),
  )
  const shown = useDeferredValue(edited)
  const saving = useSaving({ importId, place: read.place, next }, edited)
  const failure = saving.failure instanceof CallFailed ? saving.failure : null
  const problemOf = (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`question.${field}`)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    saving.run(true)
  }
  return (
    <div className="grid gap-x-12 gap-y-10 desktop:grid-cols-2">
      <form onSubmit={handleSubmit} noValidate className="min-w-0 space-y-5">
        <QuestionFields edited={edited} onChange={setEdited} problemOf={problemOf} />
        {failure === null ? null : (
          <p role="alert" className="text-sm text-bad">
            {problemOf(partsField(edited.type)) ?? failure.message}
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
        <ReadQuestion question={shown} />
      </section>
    </div>
  )
}

/** Saves, then goes on to the next refused question or back to the list. */
function useSaving(
  { importId, place, next }: { importId: string; place: number; next: number | null },
  edited: EditedQuestion,
) {
  const navigate = useNavigate()
  return useMutation((_isGoingOn: boolean) => correctQuestion(importId, place, toCorrection(edited)), {
    onSuccess: async ({ outcome }, isGoingOn) => {
      toast('success', copy['mend.saved'], copy[outcome === 'stored' ? 'mend.saved.stored' : 'mend.saved.ready'])
      const page = adminPaths.import(importId)
      // After the last one there is no refused question to list.
      if (next === null) await navigate(page)
      else await navigate(isGoingOn ? adminPaths.correctQuestion(importId, next) : `${page}?verdict=refused`)
    },
    onFailure: (error) =>
      error instanceof CallFailed ? undefined : toast('error', copy['mend.title'], messageOf(error)),
  })
}

function QuestionFields({
  edited,
  onChange,
  problemOf,
}: {
  edited: EditedQuestion
  onChange: (edited: EditedQuestion) => void
  problemOf: (field: string) => string | undefined
}) {
  const change = (changed: Partial<EditedFields>) => onChange({ ...edited, ...changed })
  return (
    <>
      <TextArea
        label={copy['mapping.question']}
        value={edited.stem}
        problem={problemOf('stem')}
        onChange={(event) => change({ stem: event.target.value })}
      />
      <CorrectionFields edited={edited} onChange={onChange} problemOf={problemOf} />
      <TextArea
        label={copy['mapping.explanation']}
        value={edited.explanation}
        problem={problemOf('explanation')}
        onChange={(event) => change({ explanation: event.target.value })}
      />
      <div className="grid gap-4 tablet:grid-cols-2">
        <Field
          label={copy['mapping.domain']}
          value={edited.domain}
          problem={problemOf('domain')}
          onChange={(event) => change({ domain: event.target.value })}
        />
        <Field
          label={copy['mapping.url']}
          value={edited.url}
          problem={problemOf('url')}
          onChange={(event) => change({ url: event.target.value })}
        />
      </div>
    </>
  )
}

function saveLabel(target: string | null): string {
  return target === null ? copy['mend.save'] : fill(copy['mend.save.into'], { exam: target })
}
