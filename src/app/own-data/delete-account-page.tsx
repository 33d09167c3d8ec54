import { useState, type FormEvent } from 'react'
import { Link, useLoaderData, useNavigate, useRevalidator, useSearchParams, type MetaFunction } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import { deleteAccount, mailDeletionLink } from './own-data-client.ts'
import type { deleteAccountLoader } from '../page-loaders.server.ts'

export { deleteAccountLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['delete.heading'])

/** Says what is lost, and asks for a proof that it is you. */
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
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<{ field?: string | undefined; form?: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (token === null && password === '') return setProblem({ field: copy['delete.password.missing'] })
    setProblem(null)
    setBusy(true)
    try {
      await deleteAccount(token === null ? { password } : { token })
      await navigate(paths.home, { replace: true })
      await revalidate()
      toast('success', copy['delete.done.title'], copy['delete.done.text'])
    } catch (error) {
      setBusy(false)
      const field = error instanceof CallFailed ? error.problemOf('password') : undefined
      setProblem(field === undefined ? { form: messageOf(error) } : { field })
    }
  }
  return (
    <form method="post" onSubmit={(event) => void handleSubmit(event)} noValidate className="space-y-4">
      {token === null ? (
        <Field
          label={copy['delete.password']}
          type="password"
          autoComplete="current-password"
          value={password}
          problem={problem?.field}
          onChange={(event) => setPassword(event.target.value)}
        />
      ) : (
        <p>{copy['delete.token']}</p>
      )}
      {problem?.form === undefined ? null : <Notice tone="bad">{problem.form}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="danger" disabled={isBusy}>
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
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle')
  const [problem, setProblem] = useState<string | null>(null)
  const handleClick = async () => {
    setState('busy')
    setProblem(null)
    try {
      await mailDeletionLink()
      setState('sent')
    } catch (error) {
      setState('idle')
      setProblem(messageOf(error))
    }
  }
  if (state === 'sent') return <Notice tone="good">{copy['delete.letter.sent']}</Notice>
  return (
    <div className="space-y-4">
      <p>{copy['delete.letter']}</p>
      {problem === null ? null : <Notice tone="bad">{problem}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button disabled={state === 'busy'} onClick={() => void handleClick()}>
          {copy['delete.letter.submit']}
        </Button>
        <ButtonLink to={paths.myCourses} look="secondary">
          {copy['delete.back']}
        </ButtonLink>
      </div>
    </div>
  )
}
