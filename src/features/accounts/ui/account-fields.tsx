import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { copy } from '../accounts.copy.ts'
import { passwordProblem, unmetPasswordRules } from '../credentials.ts'

type TextFieldProps = {
  readonly value: string
  readonly problem?: string | null | undefined
  readonly onType: (text: string) => void
}

/** The email address of an account. With `isNew`, password managers know that the account is being created. */
export function EmailField({
  value,
  problem,
  onType,
  isNew = false,
  onBlur,
}: TextFieldProps & { isNew?: boolean; onBlur?: () => void }) {
  return (
    <Field
      label={copy['register.email']}
      name="email"
      type="email"
      autoComplete={isNew ? 'email' : 'username'}
      inputMode="email"
      required
      value={value}
      problem={problem}
      onChange={(event) => onType(event.target.value)}
      onBlur={onBlur}
    />
  )
}

/** A new password with the live list of its unmet rules. After blur, the first unmet rule is the field's problem. */
export function NewPasswordField({
  label,
  value,
  problem,
  onType,
  isDisabled = false,
}: TextFieldProps & { label: string; isDisabled?: boolean }) {
  const unmet = unmetPasswordRules(value)
  const tooLong = passwordProblem(value)
  const [wasLeft, setLeft] = useState(false)
  const lack = wasLeft && value !== '' ? unmet[0]?.sentence : undefined
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      required
      disabled={isDisabled}
      value={value}
      problem={problem ?? tooLong ?? lack}
      onChange={(event) => onType(event.target.value)}
      onBlur={() => setLeft(true)}
      hint={
        <div aria-live="polite">
          {unmet.length === 0 && tooLong !== null ? null : unmet.length === 0 ? (
            <p className="text-good">{copy['register.met']}</p>
          ) : (
            <ul className="list-disc pl-5">
              {unmet.map((rule) => (
                <li key={rule.item}>{rule.item}</li>
              ))}
            </ul>
          )}
        </div>
      }
    />
  )
}
