import { useState, type FormEvent } from 'react'
import { Link, type MetaFunction } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { messageOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { forgotPassword } from './accounts-client.ts'
import { copy } from './accounts.copy.ts'
import { isEmail, normaliseEmail } from './credentials.ts'
import { EmailField } from './ui/account-fields.tsx'
import { AccountForm, formLink } from './ui/account-form.tsx'

export const meta: MetaFunction = () => [{ title: copy['forgot.heading'] }, { name: 'robots', content: 'noindex' }]

export default function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const send = useMutation(forgotPassword, {
    onSuccess: () => setSent(true),
    onFailure: (error) => setProblem(messageOf(error)),
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmail(email.trim())) return setProblem(copy['validate.email'])
    setProblem(null)
    send.run(normaliseEmail(email))
  }
  return (
    <AccountForm
      heading={copy['forgot.heading']}
      intro="Enter the address of your account, and we mail you a link."
      footer={
        <Link to={paths.login} className={formLink}>
          {copy['login.submit']}
        </Link>
      }
    >
      {isSent ? (
        <Notice tone="good">{copy['forgot.sent']}</Notice>
      ) : (
        <form method="post" onSubmit={handleSubmit} noValidate className="space-y-4">
          <EmailField value={email} problem={problem} onType={setEmail} />
          <Button type="submit" {...send.button} className="w-full">
            {copy['forgot.submit']}
          </Button>
        </form>
      )}
    </AccountForm>
  )
}
