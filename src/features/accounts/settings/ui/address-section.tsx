import { useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { copy as accountsCopy } from '../../accounts.copy.ts'
import { isEmail, normaliseEmail } from '../../credentials.ts'
import { PasswordProofField, passwordRefusal } from '../../ui/password-proof.tsx'
import { requestAddress } from '../settings-client.ts'
import { copy } from '../settings.copy.ts'
import type { AccountView } from '../settings.schema.ts'
import { EditableSection, EditForm, NeedsScripts, usePostedEdit } from './editable-section.tsx'

/** The address, and one that waits for its link to be opened. */
export function AddressSection({ account, hasFactor }: { account: AccountView; hasFactor: boolean }) {
  const { email, hasPassword, newAddress } = account
  return (
    <EditableSection
      id="account-address"
      title={copy['account.address']}
      action={hasPassword ? copy['account.address.change'] : null}
      renderForm={(close, hasFocus) =>
        hasFactor && !hasFocus ? <NeedsScripts /> : <AddressForm hasFocus={hasFocus} onClose={close} />
      }
    >
      <p className="wrap-anywhere">{email}</p>
      {newAddress === null ? null : (
        <Notice tone="info" className="mt-3">
          <span className="wrap-anywhere">
            {fill(copy['account.address.waiting'], {
              email: newAddress.email,
              until: formatInstant(newAddress.until),
            })}
          </span>
        </Notice>
      )}
      {hasPassword ? null : <p className="mt-2 max-w-read text-soft">{copy['account.address.google']}</p>}
    </EditableSection>
  )
}

function AddressForm({ hasFocus, onClose }: { hasFocus: boolean; onClose: () => void }) {
  const posted = usePostedEdit('address')
  const [email, setEmail] = useState(posted.typed['email'] ?? '')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<{ email: string | null; password: string | null } | null>(null)
  const request = useMutation(requestAddress, { revalidates: true, onSuccess: onClose })
  const failure = request.failure ?? posted.failure
  const refused = failure instanceof CallFailed ? failure.problemOf('email') : undefined
  const wrong = passwordRefusal(failure)
  const handleSubmit = () => {
    const address = normaliseEmail(email)
    const problems = {
      email: isEmail(address) ? null : accountsCopy['validate.email'],
      password: password === '' ? accountsCopy['password.missing'] : null,
    }
    setMissing(problems)
    if (problems.email === null && problems.password === null) request.run(address, password)
    else request.reset()
  }
  return (
    <EditForm
      name="address"
      submit={copy['account.address.submit']}
      change={request}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <p className="text-soft">{copy['account.address.about']}</p>
      {failure === null || refused !== undefined || wrong !== null ? null : (
        <Notice tone="bad">{messageOf(failure)}</Notice>
      )}
      <Field
        label={copy['account.address.new']}
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        required
        autoFocus={hasFocus}
        value={email}
        problem={missing?.email ?? refused}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordProofField
        label={copy['account.password.current']}
        value={password}
        problem={missing?.password ?? wrong}
        onType={setPassword}
      />
    </EditForm>
  )
}
