import { useState, type FormEvent } from 'react'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { copy } from '../accounts.copy.ts'
import { isEmail, normaliseEmail } from '../credentials.ts'
import { usePostedForm } from './use-posted-form.ts'
import { EmailField } from './account-fields.tsx'

/** Asks for the address of an account, and for an email with a link to it. */
export function EmailLinkForm({
  send,
  submit,
  sent,
  look = 'primary',
}: {
  send: (email: string) => Promise<unknown>
  /** The words of the button. */
  submit: string
  /** Replaces the form when the email is on its way. */
  sent: string
  look?: 'primary' | 'secondary'
}) {
  const { failure, typed, done } = usePostedForm()
  const [email, setEmail] = useState(typed['email'] ?? '')
  // The page around this form may have posted another one, which shows its failure itself.
  const refusal = failure?.code === 'request.too-many' ? failure.message : failure?.problemOf('email')
  const [problem, setProblem] = useState<string | null>(refusal ?? null)
  const [isSent, setSent] = useState(done !== null)
  const sending = useMutation(send, {
    onSuccess: () => setSent(true),
    onFailure: (error) => setProblem(messageOf(error)),
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmail(email.trim())) return setProblem(copy['validate.email'])
    setProblem(null)
    sending.run(normaliseEmail(email))
  }
  if (isSent) return <Notice tone="good">{sent}</Notice>
  return (
    <form method="post" onSubmit={handleSubmit} noValidate className="space-y-4">
      <EmailField value={email} problem={problem} onType={setEmail} />
      <Button type="submit" name="do" value="resend" look={look} {...sending.button} className="w-full">
        {submit}
      </Button>
    </form>
  )
}
