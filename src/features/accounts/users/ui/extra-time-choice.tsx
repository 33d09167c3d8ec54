import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { EXTRA_TIMES, ExtraTime } from '../../../../lib/extra-time.ts'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { setExtraTime } from '../users-client.ts'
import { copy } from '../users.copy.ts'

/** Chosen first and set by the button: a list that is walked through with the arrow keys sets nothing on the way. */
export function ExtraTimeChoice({ userId, name, extraTime }: { userId: string; name: string; extraTime: ExtraTime }) {
  const { revalidate } = useRevalidator()
  const [chosen, setChosen] = useState(extraTime)
  const [isBusy, setBusy] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await setExtraTime(userId, chosen)
      const words = { name, extraTime: copy[`people.extra-time.${chosen}`] }
      toast('success', copy['people.extra-time.done'], fill(copy['people.extra-time.done.text'], words))
      await revalidate()
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)} className="flex items-center gap-3 text-sm">
      <label className="flex items-center gap-3">
        <span aria-hidden="true" className="text-soft">
          {copy['people.extra-time']}
        </span>
        <select
          aria-label={fill(copy['people.extra-time.of'], { name })}
          value={chosen}
          onChange={(event) => setChosen(ExtraTime.parse(event.target.value))}
          className="nums min-h-11 rounded-md border border-line-strong bg-surface px-3 text-base text-ink"
        >
          {EXTRA_TIMES.map((one) => (
            <option key={one} value={one}>
              {copy[`people.extra-time.${one}`]}
            </option>
          ))}
        </select>
      </label>
      <Button
        type="submit"
        look="secondary"
        disabled={chosen === extraTime}
        aria-busy={isBusy}
        aria-label={fill(copy['people.extra-time.set.of'], { name })}
      >
        {copy['people.extra-time.set']}
      </Button>
    </form>
  )
}
