import { useState, type FormEvent } from 'react'
import { Link, useLoaderData, useNavigate, useRevalidator, useSearchParams, type MetaFunction } from 'react-router'
import { usePostedForm } from '../../features/accounts/ui/use-posted-form.ts'
import { paths } from '../../lib/paths.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { answerPress } from '../../ui/answer-press.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { copy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import { deleteAccount, mailDeletionLink } from './own-data-client.ts'
import type { deleteAccountLoader } from '../page-loaders.server.ts'

export { deleteAccountAction as action, deleteAccountLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['delete.heading'])

/** Lists what a deletion removes, and asks for the password or for the emailed link. */
export default function DeleteAccountPage() {
  const { hasPassword } = useLoaderData<typeof deleteAccountLoader>()
  const token = useSearchParams()[0].get('token')
  return (
    <Page width="form">
      <Heading className="text-2xl font-semibold">{copy['delete.heading']}</Heading>
      <p className="mt-4">{copy['delete.intro']}</p>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        <li>{copy['delete.lost.access']}</li>
        <li>{copy['delete.lost.results']}</li>
        <li>{copy['delete.lost.profile']}</li>
      </ul>
      <p className="mt-4 text-soft">{copy['delete.kept']}</p>
      <p className="mt-4">
        <Link to={`${paths.myCourses}#your-data`} className="text-accent underline underline-offset-2">
          {copy['delete.first']}
        </Link>
      </p>
      <div className="mt-8 border-t border-line pt-6">
        {hasPassword || token !== null ? <DeletionForm token={hasPassword ? null : token} /> : <EmailForm />}
      </div>
    </Page>
  )
}

function DeletionForm({ token }: { token: string | null }) {
  const posted = usePostedForm()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const deletion = useMutation(deleteAccount, {
    async onSuccess() {
      await navigate(paths.home, { replace: true })
      await revalidate()
      toast('success', copy['delete.done.title'], copy['delete.done.text'])
    },
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const isIncomplete = token === null && password === ''
    setMissing(isIncomplete)
    if (isIncomplete) deletion.reset()
    else deletion.run(token === null ? { password } : { token })
  }
  const failure = deletion.failure ?? posted.failure
  const refused = failure instanceof CallFailed ? failure.problemOf('password') : undefined
  const problem = isMissing ? copy['delete.password.missing'] : refused
  return (
    <form method="post" onSubmit={handleSubmit} noValidate className="space-y-4">
      {token === null ? (
        <Field
          label={copy['delete.password']}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          problem={problem}
          onChange={(event) => setPassword(event.target.value)}
        />
      ) : (
        <>
          <p>{copy['delete.token']}</p>
          <input type="hidden" name="by" value="token" />
        </>
      )}
      {failure === null || refused !== undefined ? null : <Notice tone="bad">{messageOf(failure)}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="danger" {...deletion.button}>
          {copy['delete.submit']}
        </Button>
        <ButtonLink to={paths.myCourses} look="secondary">
          {copy['delete.back']}
        </ButtonLink>
      </div>
    </form>
  )
}

function EmailForm() {
  const posted = usePostedForm()
  const [isSent, setSent] = useState(posted.done !== null)
  const email = useMutation(mailDeletionLink, { onSuccess: () => setSent(true) })
  const failure = email.failure ?? posted.failure
  if (isSent) return <Notice tone="good">{copy['delete.email.sent']}</Notice>
  return (
    <div className="space-y-4">
      <p>{copy['delete.email']}</p>
      {failure === null ? null : <Notice tone="bad">{messageOf(failure)}</Notice>}
      <form method="post" className="flex flex-wrap gap-3">
        <Button type="submit" name="do" value="email" {...email.button} onClick={answerPress(() => email.run())}>
          {copy['delete.email.submit']}
        </Button>
        <ButtonLink to={paths.myCourses} look="secondary">
          {copy['delete.back']}
        </ButtonLink>
      </form>
    </div>
  )
}
