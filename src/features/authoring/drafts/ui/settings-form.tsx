import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { Choice } from '../../../../ui/choice.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { changeSettings } from '../drafts-client.ts'
import { copy } from '../drafts.copy.ts'
import { DraftView } from '../drafts.schema.ts'
import { type ExamSettings } from '../../../catalogue/exam-settings.schema.ts'
import { counted } from '../../../../lib/text.ts'

type Typed = Omit<ExamSettings, 'timeLimitMinutes' | 'passingScore'> & {
  readonly timeLimitMinutes: string
  readonly passingScore: string
}

/** Title, time, passing score, scoring and free trial, in the draft. */
export function SettingsForm({ examId, draft }: { examId: string; draft: DraftView }) {
  const { settings, settingsVersion } = draft
  const [typed, setTyped] = useState<Typed>({
    ...settings,
    timeLimitMinutes: String(settings.timeLimitMinutes),
    passingScore: String(settings.passingScore),
  })
  const saving = useMutation((next: ExamSettings) => changeSettings(examId, next, settingsVersion), {
    revalidates: true,
    onSuccess: () => toast('success', copy['exam.settings.saved']),
    onFailure: (error) =>
      error instanceof CallFailed ? undefined : toast('error', copy['exam.settings'], messageOf(error)),
  })
  const failure = saving.failure instanceof CallFailed ? saving.failure : null
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    saving.run({
      ...typed,
      timeLimitMinutes: numberOf(typed.timeLimitMinutes),
      passingScore: numberOf(typed.passingScore),
    })
  }
  return (
    <form onSubmit={handleSubmit} noValidate className="mt-3 grid gap-4 tablet:grid-cols-2">
      <SettingsFields
        typed={typed}
        problemOf={(name) => failure?.problemOf(`settings.${name}`)}
        onChange={(changed) => setTyped({ ...typed, ...changed })}
      />
      <div className="tablet:col-span-2">
        {failure === null || failure.fields.length > 0 ? null : <SaveFailure failure={failure} />}
        <Button type="submit" {...saving.button}>
          {copy['exam.settings.save']}
        </Button>
      </div>
    </form>
  )
}

function SettingsFields({
  typed,
  problemOf,
  onChange,
}: {
  typed: Typed
  problemOf: (name: keyof ExamSettings) => string | undefined
  onChange: (changed: Partial<Typed>) => void
}) {
  return (
    <>
      <Field
        label={copy['exam.settings.title']}
        value={typed.title}
        problem={problemOf('title')}
        onChange={(event) => onChange({ title: event.target.value })}
        className="tablet:col-span-2"
      />
      <Field
        label={copy['exam.settings.minutes']}
        inputMode="numeric"
        value={typed.timeLimitMinutes}
        problem={problemOf('timeLimitMinutes')}
        onChange={(event) => onChange({ timeLimitMinutes: event.target.value })}
      />
      <Field
        label={copy['exam.settings.passing']}
        inputMode="numeric"
        value={typed.passingScore}
        problem={problemOf('passingScore')}
        onChange={(event) => onChange({ passingScore: event.target.value })}
      />
      <SelectField
        label={copy['exam.settings.policy']}
        value={typed.scoringPolicy}
        onChange={(event) =>
          onChange({ scoringPolicy: event.target.value === 'partial' ? 'partial' : 'all-or-nothing' })
        }
      >
        <option value="all-or-nothing">{copy['policy.all-or-nothing']}</option>
        <option value="partial">{copy['policy.partial']}</option>
      </SelectField>
      <Choice
        type="checkbox"
        className="self-end"
        checked={typed.isFreeTrial}
        onChange={(event) => onChange({ isFreeTrial: event.target.checked })}
      >
        {copy['exam.settings.free']}
      </Choice>
    </>
  )
}

/** A failure that belongs to no field; after a conflict with the settings that are stored now. */
function SaveFailure({ failure }: { failure: CallFailed }) {
  const { revalidate } = useRevalidator()
  const stored = DraftView.safeParse(failure.facts['stored'])
  return (
    <Notice tone="bad" className="mb-4">
      <p>{failure.message}</p>
      {stored.success ? (
        <>
          <p className="nums mt-1">
            {fill(copy['editor.conflict'], {
              name: stored.data.updatedBy ?? copy['editor.conflict.somebody'],
              at: formatInstant(stored.data.updatedAt),
            })}{' '}
            {describeSettings(stored.data.settings)}
          </p>
          <Button look="secondary" className="mt-3" onClick={() => void revalidate()}>
            {copy['editor.conflict.take']}
          </Button>
        </>
      ) : null}
    </Notice>
  )
}

/** An empty field is sent as NaN, so that the server refuses it with its sentence. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}

function describeSettings({ title, timeLimitMinutes, passingScore, scoringPolicy, isFreeTrial }: ExamSettings): string {
  const trial = isFreeTrial ? `, ${copy['exam.settings.free']}` : ''
  return `${title}: ${counted(timeLimitMinutes, 'minute')}, ${passingScore}% to pass, ${copy[`policy.${scoringPolicy}`]}${trial}`
}
