import { fill } from '../../../lib/failure.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { PushDeviceChoice } from '../push/push-device.tsx'
import { copy } from './reminders.copy.ts'
import type { ReminderWish } from './reminders.schema.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** When to be reminded. The browser posts the form itself, to the page that it is on. */
export function PlanReminders({
  reminder,
  isPlain = false,
}: {
  reminder: ReminderWish | null
  /** Without a frame, as the sections of the account page are. */
  isPlain?: boolean
}) {
  return (
    <section
      aria-labelledby="plan-reminders"
      className={isPlain ? 'mt-12' : 'mt-10 rounded-lg border border-line bg-surface p-5 tablet:p-6'}
    >
      <h2 id="plan-reminders" className="scroll-mt-20 text-lg font-semibold">
        {copy['reminders.box']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['reminders.box.about']}</p>
      <form method="post" className="mt-4 flex flex-wrap items-end gap-3">
        <SelectField
          label={copy['reminders.box.hour']}
          name="remindHour"
          defaultValue={reminder === null ? '' : String(reminder.hour)}
          className="w-full tablet:w-72"
        >
          <option value="">{copy['reminders.box.off']}</option>
          {HOURS.map((hour) => (
            <option key={hour} value={hour}>
              {fill(copy['reminders.box.at'], { hour: String(hour).padStart(2, '0') })}
            </option>
          ))}
        </SelectField>
        <Button type="submit" name="do" value="remind" look="secondary">
          {copy['reminders.box.save']}
        </Button>
      </form>
      {reminder === null ? null : <PushDeviceChoice />}
    </section>
  )
}
