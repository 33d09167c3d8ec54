import { useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { answerPress } from '../../../../ui/answer-press.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { forgotPassword } from '../../accounts-client.ts'
import { copy as accountsCopy } from '../../accounts.copy.ts'
import { isNewPassword, unmetPasswordRules } from '../../credentials.ts'
import { NewPasswordField } from '../../ui/account-fields.tsx'
import { PasswordProofField, passwordRefusal } from '../../ui/password-proof.tsx'
import { changePassword } from '../settings-client.ts'
import { copy } from '../settings.copy.ts'
import type { AccountView } from '../settings.schema.ts'
import { EditableSection, EditForm, NeedsScripts, usePostedEdit } from './editable-section.tsx'

export function PasswordSection({ account, hasFactor }: { account: AccountView; hasFactor: boolean }) {
  return (
    <EditableSection
      id="account-password"
      title={copy['account.password']}
      action={account.hasPassword ? copy['account.password.change'] : null}
      renderForm={(close, hasFocus) =>
        hasFactor && !hasFocus ? <NeedsScripts /> : <PasswordForm hasFocus={hasFocus} onClose={close} />
      }
    >
      {account.hasPassword ? (
        <p className="text-soft">{copy['account.password.about']}</p>
      ) : (
        <FirstPassword email={account.email} />
      )}
    </EditableSection>
  )
}

function PasswordForm({ hasFocus, onClose }: { hasFocus: boolean; onClose: () => void }) {
  const posted = usePostedEdit('password')
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const change = useMutation(changePassword, {
    revalidates: true,
    onSuccess() {
      toast('success', copy['account.saved'], copy['account.password.done'])
      onClose()
    },
  })
  const failure = change.failure ?? posted.failure
  const refused = failure instanceof CallFailed ? failure.problemOf('password') : undefined
  const wrong = passwordRefusal(failure)
  const write = (text: string) => {
    setPassword(text)
    if (refused !== undefined) change.reset()
  }
  const handleSubmit = () => {
    setMissing(current === '')
    if (current !== '' && isNewPassword(password)) change.run(current, password)
    else change.reset()
  }
  return (
    <EditForm
      name="password"
      submit={copy['account.password.change']}
      change={change}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {failure === null || refused !== undefined || wrong !== null ? null : (
        <Notice tone="bad">{messageOf(failure)}</Notice>
      )}
      <PasswordProofField
        label={copy['account.password.current']}
        value={current}
        problem={isMissing && current === '' ? accountsCopy['password.missing'] : wrong}
        onType={setCurrent}
        hasFocus={hasFocus}
      />
      <NewPasswordField
        label={copy['account.password.new']}
        value={password}
        problem={refused ?? (isMissing && password === '' ? unmetPasswordRules('')[0]?.sentence : null)}
        onType={write}
      />
    </EditForm>
  )
}

/** An account that only ever signed in with Google sets its first password with an emailed link. */
function FirstPassword({ email }: { email: string }) {
  const [isSent, setSent] = useState(false)
  const send = useMutation(forgotPassword, { onSuccess: () => setSent(true) })
  if (isSent) return <Notice tone="good">{fill(copy['account.password.sent'], { email })}</Notice>
  return (
    <div className="space-y-4">
      <p className="max-w-read text-soft">{copy['account.password.none']}</p>
      {send.failure === null ? null : <Notice tone="bad">{messageOf(send.failure)}</Notice>}
      <form method="post">
        <Button
          type="submit"
          name="do"
          value="first-password"
          look="secondary"
          {...send.button}
          onClick={answerPress(() => send.run(email))}
        >
          {copy['account.password.set']}
        </Button>
      </form>
    </div>
  )
}
