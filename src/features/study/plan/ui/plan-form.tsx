import { useId, useState } from 'react'
import { useActionData } from 'react-router'
import { weekdayName } from '../../../../lib/calendar-day.ts'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import type { FormFailure } from '../../../../platform/http/page-action.server.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import type { OpenPlan } from '../plan-page.tsx'
import { copy } from '../plan.copy.ts'
import { MINUTES_MAX, MINUTES_MIN } from '../plan.schema.ts'

const FIELDS = ['examDate', 'minutesADay', 'restDays', 'timeZone', 'wishedPercent'] as const
const USUAL_MINUTES = 45

/** The date and the wishes. The browser posts it itself, with and without scripts. */
export function PlanForm({ form: { wish, today, lastDay } }: { form: OpenPlan['form'] }) {
  const posted = useActionData<FormFailure>()
  const typed = posted?.typed['do'] === 'save' ? posted.typed : null
  const failure = posted === undefined ? null : new CallFailed(400, posted.failure)
  const problemOf = (field: (typeof FIELDS)[number]) => failure?.problemOf(field) ?? null
  const isNamed = FIELDS.some((field) => problemOf(field) !== null)
  const isRest = (day: number) =>
    typed === null ? (wish?.restDays.includes(day) ?? false) : typed[`rest-${day}`] !== ''
  return (
    <section aria-labelledby="plan-form" className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6">
      <h2 id="plan-form" className="text-lg font-semibold">
        {copy[wish === null ? 'plan.form.set' : 'plan.form.change']}
      </h2>
      <form method="post" noValidate className="mt-4 space-y-5">
        {failure === null || isNamed ? null : <Notice tone="bad">{messageOf(failure)}</Notice>}
        <div className="grid gap-5 tablet:grid-cols-2">
          <Field
            label={copy['plan.form.date']}
            name="examDate"
            type="date"
            min={today}
            max={lastDay}
            defaultValue={typed?.['examDate'] ?? wish?.examDate ?? ''}
            problem={problemOf('examDate')}
          />
          <Field
            label={copy['plan.form.minutes']}
            name="minutesADay"
            type="number"
            inputMode="numeric"
            min={MINUTES_MIN}
            max={MINUTES_MAX}
            defaultValue={typed?.['minutesADay'] ?? wish?.minutesADay ?? USUAL_MINUTES}
            hint={copy['plan.form.minutes.hint']}
            problem={problemOf('minutesADay')}
          />
        </div>
        <RestDays isRest={isRest} problem={problemOf('restDays')} />
        <div className="grid gap-5 tablet:grid-cols-2">
          <Field
            label={copy['plan.form.score']}
            name="wishedPercent"
            type="number"
            inputMode="numeric"
            min={1}
            max={100}
            defaultValue={typed?.['wishedPercent'] ?? wish?.wishedPercent ?? ''}
            problem={problemOf('wishedPercent')}
          />
          <ZoneField
            typed={typed?.['timeZone'] ?? null}
            stored={wish?.timeZone ?? null}
            problem={problemOf('timeZone')}
          />
        </div>
        <FormButtons isNew={wish === null} />
      </form>
    </section>
  )
}

function FormButtons({ isNew }: { isNew: boolean }) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" name="do" value="save" look={isNew ? 'primary' : 'secondary'}>
        {copy['plan.form.save']}
      </Button>
      {isNew ? null : (
        <Button type="submit" name="do" value="remove" look="quiet">
          {copy['plan.form.remove']}
        </Button>
      )}
    </div>
  )
}

function RestDays({ isRest, problem }: { isRest: (day: number) => boolean; problem: string | null }) {
  const problemId = useId()
  return (
    <fieldset aria-describedby={problem === null ? undefined : problemId}>
      <legend className="text-sm font-medium">{copy['plan.form.rest']}</legend>
      <div className="mt-1 grid grid-cols-3 gap-x-5 gap-y-1 tablet:grid-cols-7">
        {[1, 2, 3, 4, 5, 6, 7].map((day) => (
          <label key={day} className="flex min-h-11 cursor-pointer items-center gap-2">
            <input
              type="checkbox"
              name={`rest-${day}`}
              value="yes"
              defaultChecked={isRest(day)}
              aria-invalid={problem === null ? undefined : true}
              className="size-[18px] shrink-0"
            />
            {weekdayName(day)}
          </label>
        ))}
      </div>
      {problem === null ? null : (
        <p id={problemId} className="text-sm text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

/** The zone of the plan; for the first plan that of the device, which only a script knows. */
function ZoneField({
  typed,
  stored,
  problem,
}: {
  typed: string | null
  stored: string | null
  problem: string | null
}) {
  const here = useHydrated() ? new Intl.DateTimeFormat().resolvedOptions().timeZone : null
  const [changed, setChanged] = useState<string | null>(null)
  const value = changed ?? typed ?? stored ?? here ?? 'UTC'
  return (
    <div>
      <Field
        label={copy['plan.form.zone']}
        name="timeZone"
        value={value}
        onChange={(event) => setChanged(event.target.value)}
        autoComplete="off"
        hint={copy['plan.form.zone.hint']}
        problem={problem}
      />
      {here === null || here === value || stored === null ? null : (
        <p className="mt-1 text-sm">
          {fill(copy['plan.zone.moved'], { here, zone: stored })}{' '}
          <button
            type="button"
            onClick={() => setChanged(here)}
            className="min-h-8 font-semibold text-accent underline underline-offset-2"
          >
            {fill(copy['plan.zone.take'], { here })}
          </button>
        </p>
      )}
    </div>
  )
}
