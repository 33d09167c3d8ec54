import { useState, type FormEvent } from 'react'
import { Link, useNavigate, type MetaFunction } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { isBlank } from '../../../lib/text.ts'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { useIsLive } from '../../../ui/when-seen.tsx'
import { claimTry, signUp, storeReturnPath } from '../accounts-client.ts'
import { copy } from '../accounts.copy.ts'
import { isEmail, isNewPassword, nameProblem, normaliseEmail } from '../credentials.ts'
import { EmailField, NewPasswordField } from '../ui/account-fields.tsx'
import { AccountForm, formLink } from '../ui/account-form.tsx'
import { Divider, GoogleButton } from '../ui/google-button.tsx'
import { usePostedForm } from '../ui/use-posted-form.ts'
import { useReturnPath } from '../ui/use-return-path.ts'

export { registerAction as action } from '../account-forms-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['register.heading'] }, { name: 'robots', content: 'noindex' }]

export default function RegisterPage() {
  const returnTo = useReturnPath()
  const form = useRegistration(returnTo)
  return (
    <AccountForm
      heading={copy['register.heading']}
      intro="Your trial results are kept, and what you buy is there on every device."
      footer={
        <>
          Already registered?{' '}
          <Link to={paths.loginTo(returnTo)} className={formLink}>
            {copy['login.submit']}
          </Link>
        </>
      }
    >
      <GoogleButton returnTo={returnTo} />
      <Divider />
      {form.sentence === null ? null : (
        <Notice tone="info" className="mb-5 wrap-anywhere">
          {form.sentence}
        </Notice>
      )}
      {form.notice === null ? null : (
        <Notice tone="bad" className="mb-5">
          {form.notice}
        </Notice>
      )}
      <RegistrationFields form={form} />
    </AccountForm>
  )
}

function RegistrationFields({ form }: { form: ReturnType<typeof useRegistration> }) {
  const { values, write, touch, problems } = form
  // Without scripts nothing would enable the button; the server judges.
  const isLive = useIsLive()
  return (
    <form method="post" onSubmit={form.handleSubmit} noValidate className="space-y-4">
      <Field
        label={copy['register.name']}
        name="name"
        autoComplete="name"
        required
        value={values.name}
        problem={problems.name}
        onChange={(event) => write({ name: event.target.value })}
        onBlur={() => touch('name')}
      />
      <EmailField
        isNew
        value={values.email}
        problem={problems.email}
        onType={(email) => write({ email })}
        onBlur={() => touch('email')}
      />
      <NewPasswordField
        label={copy['register.password']}
        value={values.password}
        problem={problems.password}
        onType={(password) => write({ password })}
      />
      <ConfirmationField
        value={values.confirmation}
        problem={problems.confirmation}
        isMatch={form.isMatch}
        onType={(confirmation) => write({ confirmation })}
      />
      <Button type="submit" disabled={isLive && !form.isReady} {...form.button} className="w-full">
        {copy['register.submit']}
      </Button>
    </form>
  )
}

const blank = { name: '', email: '', password: '', confirmation: '' }

/** The fields with their problems, and the failure of the last attempt. A field is judged once it was left. */
function useRegistration(returnTo: string) {
  const navigate = useNavigate()
  const posted = usePostedForm()
  const [values, setValues] = useState({ ...blank, ...posted.typed })
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [failure, setFailure] = useState<CallFailed | string | null>(posted.failure)
  const register = useMutation(signUp, {
    onSuccess(_, { email }) {
      storeReturnPath(returnTo)
      toast('success', copy['register.success.title'], copy['register.success.text'])
      return navigate(paths.login, { state: { from: returnTo, sentTo: email } })
    },
    onFailure: (error) => setFailure(error instanceof CallFailed ? error : messageOf(error)),
  })

  const { name, email, password, confirmation } = values
  const isMatch = password === confirmation
  const isReady = !isBlank(name) && email.trim() !== '' && isNewPassword(password) && isMatch
  const isFieldFailure = failure instanceof CallFailed && failure.fields.length > 0
  const refusal = (field: string) => (failure instanceof CallFailed ? failure.problemOf(field) : undefined)
  const isBadEmail = touched.has('email') && email !== '' && !isEmail(email.trim())
  const touch = (field: string) => setTouched((before) => new Set(before).add(field))
  const write = (typed: Partial<typeof blank>) => {
    setValues((before) => ({ ...before, ...typed }))
    if ((typed.email ?? typed.password ?? typed.confirmation) !== undefined && isFieldFailure) setFailure(null)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || register.isBusy) return
    const address = normaliseEmail(email)
    if (nameProblem(name) !== null) return touch('name')
    if (!isEmail(address)) return touch('email')
    if (!claimTry(address, 'signup')) return setFailure(copy['register.rate'])
    setFailure(null)
    register.run({ name: name.trim(), email: address, password })
  }
  return {
    values,
    write,
    touch,
    problems: {
      name: refusal('name') ?? (touched.has('name') ? nameProblem(name) : undefined),
      email: refusal('email') ?? (isBadEmail ? copy['validate.email'] : undefined),
      password: refusal('password'),
      confirmation: refusal('confirmation'),
    },
    sentence: posted.done,
    notice: failure === null || isFieldFailure ? null : typeof failure === 'string' ? failure : messageOf(failure),
    isMatch,
    isReady,
    button: register.button,
    handleSubmit,
  }
}

function ConfirmationField({
  value,
  problem,
  isMatch,
  onType,
}: {
  value: string
  problem: string | undefined
  isMatch: boolean
  onType: (text: string) => void
}) {
  return (
    <Field
      label={copy['register.confirm']}
      name="confirmation"
      type="password"
      autoComplete="new-password"
      required
      value={value}
      problem={problem}
      onChange={(event) => onType(event.target.value)}
      hint={
        <div aria-live="polite">
          {value === '' ? null : isMatch ? (
            <p className="text-good">{copy['register.match']}</p>
          ) : (
            <p className="text-bad">{copy['register.mismatch']}</p>
          )}
        </div>
      }
    />
  )
}
