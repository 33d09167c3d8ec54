import { useSearchParams, type MetaFunction } from 'react-router'
import { Notice } from '../../../ui/notice.tsx'
import { AccountForm } from '../ui/account-form.tsx'
import { copy } from './second-factor.copy.ts'

export const meta: MetaFunction = () => [{ title: copy['confirm.title'] }, { name: 'robots', content: 'noindex' }]

/** The end of a confirmation with Google, in a tab of its own. The other tab goes on by itself. */
export default function ConfirmedPage() {
  const isDone = useSearchParams()[0].get('result') === 'done'
  return (
    <AccountForm heading={copy[isDone ? 'confirm.google.done.title' : 'confirm.google.failed.title']}>
      <Notice tone={isDone ? 'good' : 'bad'}>{copy[isDone ? 'confirm.google.done' : 'confirm.google.failed']}</Notice>
    </AccountForm>
  )
}
