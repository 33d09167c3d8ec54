import { useActionData, type MetaFunction } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Heading, Page } from '../../../ui/page-parts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { stopRemindersAction } from './reminders-endpoints.server.ts'
import { copy } from './reminders.copy.ts'

export { stopRemindersAction as action } from './reminders-endpoints.server.ts'

export const meta: MetaFunction = () => [
  { title: copy['reminders.stop.title'] },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

/** Turns reminders off by a button: programs that look at the links of an email open this page, too, and must change nothing. */
export default function StopRemindersPage() {
  const done = useActionData<typeof stopRemindersAction>()
  return (
    <Page width="exam">
      <Heading className="text-2xl font-semibold tablet:text-3xl">{copy['reminders.stop.title']}</Heading>
      {done === undefined ? (
        <>
          <p className="mt-3 max-w-read text-soft">{copy['reminders.stop.about']}</p>
          <form method="post" className="mt-5">
            <Button type="submit">{copy['reminders.stop.press']}</Button>
          </form>
        </>
      ) : (
        <Notice tone="good" title={copy['reminders.stop.done']} className="mt-5">
          {copy['reminders.stop.again']}
        </Notice>
      )}
    </Page>
  )
}
