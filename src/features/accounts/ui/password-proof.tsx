import { fill } from '../../../lib/failure.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Field } from '../../../ui/field.tsx'
import { copy } from '../accounts.copy.ts'

/** What a call says about the present password that was sent with it; null when it says nothing about it. */
export function passwordRefusal(failure: unknown): string | null {
  if (!(failure instanceof CallFailed)) return null
  if (failure.code === 'account.locked' || failure.code === 'account.locked-now') return messageOf(failure)
  if (failure.code !== 'account.invalid-credentials') return null
  const { remaining } = failure.facts
  return typeof remaining === 'number' && remaining > 0
    ? `${copy['password.wrong']} ${fill(copy['login.remaining'], { n: remaining })}`
    : copy['password.wrong']
}

/** The present password, as proof of who acts. The refusal of the last attempt stands under it. */
export function PasswordProofField({
  label = copy['register.password'],
  value,
  problem,
  onType,
  hasFocus = false,
}: {
  label?: string
  value: string
  problem: string | null
  onType: (text: string) => void
  /** Whether the field takes the focus when it appears. */
  hasFocus?: boolean
}) {
  return (
    <Field
      label={label}
      name="current-password"
      type="password"
      autoComplete="current-password"
      required
      autoFocus={hasFocus}
      value={value}
      problem={problem}
      onChange={(event) => onType(event.target.value)}
    />
  )
}
