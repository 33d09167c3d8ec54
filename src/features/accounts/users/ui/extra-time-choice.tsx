import { useState, type FormEvent } from 'react'
import { EXTRA_TIMES, ExtraTime } from '../../../../lib/extra-time.ts'
import { fill } from '../../../../lib/failure.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Select } from '../../../../ui/select-field.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { setExtraTime } from '../users-client.ts'
import { copy } from '../users.copy.ts'

/** A button applies the choice, because arrow keys in a select change its value at every step. */
export function ExtraTimeChoice({ userId, name, extraTime }: { userId: string; name: string; extraTime: ExtraTime }) {
  const [chosen, setChosen] = useState(extraTime)
  const change = useMutation(() => setExtraTime(userId, chosen), {
    revalidates: true,
    onSuccess() {
      const words = { name, extraTime: copy[`people.extra-time.${chosen}`] }
      toast('success', copy['people.extra-time.done'], fill(copy['people.extra-time.done.text'], words))
    },
    onFailure: (error) => toast(...toastOf(error)),
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    change.run()
  }
  return (
    <form onSubmit={handleSubmit} className="flex items-center gap-3 text-sm">
      <label className="flex items-center gap-3">
        <span aria-hidden="true" className="text-soft">
          {copy['people.extra-time']}
        </span>
        <Select
          aria-label={fill(copy['people.extra-time.of'], { name })}
          value={chosen}
          onChange={(event) => setChosen(ExtraTime.parse(event.target.value))}
        >
          {EXTRA_TIMES.map((value) => (
            <option key={value} value={value}>
              {copy[`people.extra-time.${value}`]}
            </option>
          ))}
        </Select>
      </label>
      <Button
        type="submit"
        look="secondary"
        disabled={chosen === extraTime}
        {...change.button}
        aria-label={fill(copy['people.extra-time.set.of'], { name })}
      >
        {copy['people.extra-time.set']}
      </Button>
    </form>
  )
}
