import type { FormEvent } from 'react'
import { fill } from '../../../lib/failure.ts'
import { counted } from '../../../lib/text.ts'
import { formatInstant } from '../../../lib/time.ts'
import { CallFailed } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { Field } from '../../../ui/field.tsx'
import { LeaveGuard } from '../../../ui/leave-guard.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { ExamSettings } from '../../catalogue/exam-settings.schema.ts'
import { copy } from '../drafts/drafts.copy.ts'
import { DraftView } from '../drafts/drafts.schema.ts'
import { KeptFormNotice } from '../drafts/ui/kept-form-notice.tsx'
import { useSettingsForm, type FormProps, type Typed } from './use-settings-form.ts'

/** Title, time, passing score, scoring and free trial, in the draft. */
export function SettingsForm(props: FormProps) {
  const { typed, kept, change, takeUp, discard, saving, save, hasUnsaved, take } = useSettingsForm(props)
  const failure = saving.failure instanceof CallFailed ? saving.failure : null
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form onSubmit={handleSubmit} noValidate className="mt-3 grid gap-4 tablet:grid-cols-2">
      <div className="empty:hidden tablet:col-span-2">
        <KeptFormNotice
          kept={kept}
          isOlder={kept !== null && kept.base !== props.draft.settingsVersion}
          older={copy['exam.settings.kept.older']}
          takeUp={takeUp}
          discard={discard}
        />
      </div>
      <SettingsFields
        typed={typed}
        problemOf={(name) => failure?.problemOf(`settings.${name}`)}
        onChange={(changed) => change({ ...typed, ...changed })}
      />
      <div className="tablet:col-span-2">
        {failure === null || failure.fields.length > 0 ? null : (
          <SaveFailure failure={failure} onTake={take} onOverwrite={(version) => void save(version)} />
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" {...saving.button}>
            {copy['exam.settings.save']}
          </Button>
          <p role="status" className="text-sm text-soft">
            {hasUnsaved ? copy['editor.state.typed'] : ''}
          </p>
        </div>
      </div>
      <LeaveGuard isUnsaved={hasUnsaved} onSave={() => (saving.isBusy ? Promise.resolve(false) : save())} />
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

/** A failure that belongs to no field; after a conflict with the settings that are stored now, and the two ways on. */
function SaveFailure({
  failure,
  onTake,
  onOverwrite,
}: {
  failure: CallFailed
  onTake: (stored: DraftView) => void
  onOverwrite: (version: number) => void
}) {
  const stored = DraftView.safeParse(failure.facts['stored'])
  return (
    <Notice tone="bad" className="mb-4">
      <p>{failure.message}</p>
      {failure.status === 0 || failure.status === 401 ? <p>{copy['form.kept']}</p> : null}
      {stored.success ? (
        <>
          <p className="nums mt-1">
            {fill(copy['editor.conflict'], {
              name: stored.data.updatedBy ?? copy['editor.conflict.somebody'],
              at: formatInstant(stored.data.updatedAt),
            })}{' '}
            {describeSettings(stored.data.settings)}
          </p>
          <div className="mt-3 flex flex-wrap gap-3">
            <Button look="secondary" onClick={() => onOverwrite(stored.data.settingsVersion)}>
              {copy['editor.conflict.mine']}
            </Button>
            <Button look="secondary" onClick={() => onTake(stored.data)}>
              {copy['editor.conflict.take']}
            </Button>
          </div>
        </>
      ) : null}
    </Notice>
  )
}

function describeSettings({ title, timeLimitMinutes, passingScore, scoringPolicy, isFreeTrial }: ExamSettings): string {
  const trial = isFreeTrial ? `, ${copy['exam.settings.free']}` : ''
  return `${title}: ${counted(timeLimitMinutes, 'minute')}, ${passingScore}% to pass, ${copy[`policy.${scoringPolicy}`]}${trial}`
}
