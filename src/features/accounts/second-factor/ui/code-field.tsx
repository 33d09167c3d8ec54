import { Field } from '../../../../ui/field.tsx'
import { copy } from '../second-factor.copy.ts'

/** A code of the authenticator app, or a recovery code. */
export function CodeField({
  isRecovery = false,
  value,
  problem,
  onType,
  hasFocus = false,
}: {
  isRecovery?: boolean
  value: string
  problem?: string | null
  onType: (text: string) => void
  /** Whether the field takes the focus when it appears, also after the kind of code was switched. */
  hasFocus?: boolean
}) {
  return (
    <Field
      key={isRecovery ? 'recovery' : 'code'}
      label={copy[isRecovery ? 'step.recovery' : 'step.code']}
      name={isRecovery ? 'recovery-code' : 'code'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      required
      autoFocus={hasFocus}
      value={value}
      problem={problem}
      onChange={(event) => onType(event.target.value)}
    />
  )
}
