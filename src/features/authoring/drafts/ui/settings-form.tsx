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
import { changeSettings } from '../drafts-client.ts'
import { copy } from '../drafts.copy.ts'
import { DraftView } from '../drafts.schema.ts'
import { type ExamSettings } from '../../../catalogue/exam-settings.schema.ts'

/** Title, time, passing score, scoring and free trial, in the draft. */
export function SettingsForm({ examId, draft }: { examId: string; draft: DraftView }) {
  const { revalidate } = useRevalidator()
  const { settings } = draft
  const [typed, setTyped] = useState({
    ...settings,
    timeLimitMinutes: String(settings.timeLimitMinutes),
    passingScore: String(settings.passingScore),
  })
  const [failure, setFailure] = useState<CallFailed | null>(null)
  const [isBusy, setBusy] = useState(false)
  const stored = DraftView.safeParse(failure?.facts['stored'])
  const problemOf = (name: keyof ExamSettings) => failure?.problemOf(`settings.${name}`)
  const hasField = failure !== null && failure.fields.length > 0

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      const next = {
        ...typed,
        timeLimitMinutes: numberOf(typed.timeLimitMinutes),
        passingScore: numberOf(typed.passingScore),
      }
      await changeSettings(examId, next, draft.settingsVersion)
      toast('success', copy['exam.settings.saved'])
      await revalidate()
    } catch (error) {
      if (error instanceof CallFailed) setFailure(error)
      else toast('error', copy['exam.settings'], messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)} noValidate className="mt-3 grid gap-4 tablet:grid-cols-2">
      <Field
        label={copy['exam.settings.title']}
        value={typed.title}
        problem={problemOf('title')}
        onChange={(event) => setTyped({ ...typed, title: event.target.value })}
        className="tablet:col-span-2"
      />
      <Field
        label={copy['exam.settings.minutes']}
        inputMode="numeric"
        value={typed.timeLimitMinutes}
        problem={problemOf('timeLimitMinutes')}
        onChange={(event) => setTyped({ ...typed, timeLimitMinutes: event.target.value })}
      />
      <Field
        label={copy['exam.settings.passing']}
        inputMode="numeric"
        value={typed.passingScore}
        problem={problemOf('passingScore')}
        onChange={(event) => setTyped({ ...typed, passingScore: event.target.value })}
      />
      <SelectField
        label={copy['exam.settings.policy']}
        value={typed.scoringPolicy}
        onChange={(event) =>
          setTyped({ ...typed, scoringPolicy: event.target.value === 'partial' ? 'partial' : 'all-or-nothing' })
        }
      >
        <option value="all-or-nothing">{copy['policy.all-or-nothing']}</option>
        <option value="partial">{copy['policy.partial']}</option>
      </SelectField>
      <Choice
        type="checkbox"
        className="self-end"
        checked={typed.isFreeTrial}
        onChange={(event) => setTyped({ ...typed, isFreeTrial: event.target.checked })}
      >
        {copy['exam.settings.free']}
      </Choice>
      <div className="tablet:col-span-2">
        {failure === null || hasField ? null : (
          <Notice tone="bad" className="mb-4">
            <p>{failure.message}</p>
            {stored.success ? (
              <p className="nums mt-1">
                {fill(copy['editor.conflict'], {
                  name: stored.data.updatedBy ?? copy['editor.conflict.somebody'],
                  at: formatInstant(stored.data.updatedAt),
                })}{' '}
                {storedSaid(stored.data.settings)}
              </p>
            ) : null}
            {stored.success ? (
              <Button look="secondary" className="mt-3" onClick={() => void revalidate()}>
                {copy['editor.conflict.take']}
              </Button>
            ) : null}
          </Notice>
        )}
        <Button type="submit" disabled={isBusy}>
          {copy['exam.settings.save']}
        </Button>
      </div>
    </form>
  )
}

/** What is no whole number is sent as it is not, and refused with its sentence. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}

function storedSaid({ title, timeLimitMinutes, passingScore, scoringPolicy, isFreeTrial }: ExamSettings): string {
  const trial = isFreeTrial ? `, ${copy['exam.settings.free']}` : ''
  return `${title}: ${timeLimitMinutes} minutes, ${passingScore} % to pass, ${copy[`policy.${scoringPolicy}`]}${trial}`
}
