import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { copy } from './study-calendar.copy.ts'

const linkLook = 'inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2'

/** The secret address of the plan's calendar, and the plan as a file. The browser posts the forms itself. */
export function PlanCalendar({ slug, address }: { slug: string; address: string | null }) {
  return (
    <section aria-labelledby="plan-calendar" className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6">
      <h2 id="plan-calendar" className="text-lg font-semibold">
        {copy['calendar.box']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['calendar.box.about']}</p>
      <form method="post" className="mt-4">
        {address === null ? (
          <Button type="submit" name="do" value="calendar-new" look="secondary">
            {copy['calendar.box.make']}
          </Button>
        ) : (
          <Address address={address} />
        )}
      </form>
      <div className="mt-4 border-t border-line pt-2">
        <a href={paths.calendarFile(slug)} download className={linkLook}>
          {copy['calendar.box.file']}
        </a>
        <p className="text-sm text-soft">{copy['calendar.box.file.hint']}</p>
      </div>
    </section>
  )
}

function Address({ address }: { address: string }) {
  return (
    <>
      <Field
        label={copy['calendar.box.address']}
        name="calendarAddress"
        value={address}
        readOnly
        spellCheck={false}
        autoComplete="off"
        hint={copy['calendar.box.secret']}
      />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <a href={address.replace(/^https?:/, 'webcal:')} className={`${linkLook} mr-1`}>
          {copy['calendar.box.open']}
        </a>
        <Button type="submit" name="do" value="calendar-new" look="secondary">
          {copy['calendar.box.new']}
        </Button>
        <Button type="submit" name="do" value="calendar-remove" look="quiet">
          {copy['calendar.box.remove']}
        </Button>
      </div>
    </>
  )
}
