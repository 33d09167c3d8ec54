import { useState } from 'react'
import { useLoaderData, useRevalidator, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { messageOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Heading } from '../../ui/page-parts.tsx'
import { Paging } from '../../ui/pagination.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toasts.tsx'
import { withQuery } from '../../ui/query-string.ts'
import type { feedbackLoader } from './feedback-endpoints.server.ts'
import { settleFeedback } from './feedback-client.ts'
import { copy } from './feedback.copy.ts'
import { FEEDBACK_STATES, type FeedbackView } from './feedback.schema.ts'

export { feedbackLoader as loader } from './feedback-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['desk.feedback'] }, { name: 'robots', content: 'noindex' }]

/** What people said: what waits, and what is done. */
export default function FeedbackPage() {
  const { feedback, next, state, waitingCount } = useLoaderData<typeof feedbackLoader>()
  return (
    <>
      <Heading>{copy['desk.feedback']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['desk.feedback.about']}</p>
      <Tabs
        label={copy['desk.feedback.state']}
        chosen={state}
        tabs={FEEDBACK_STATES.map((one) => ({
          id: one,
          label: `${copy[`desk.feedback.${one}`]}${one === 'waiting' ? ` ${waitingCount}` : ''}`,
          to: pageAt(one, null),
        }))}
      />
      <div className="mt-6">
        {feedback.length === 0 ? (
          <EmptyState title={copy['desk.feedback.empty']} hint={copy[`desk.feedback.none.${state}`]} />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {feedback.map((one) => (
              <Said key={one.id} said={one} />
            ))}
          </ul>
        )}
      </div>
      <Paging back={null} on={next === null ? null : { to: pageAt(state, next), label: copy['desk.feedback.more'] }} />
    </>
  )
}

const tones = {
  positive: 'bg-good-soft text-good',
  negative: 'bg-bad-soft text-bad',
  suggestion: 'bg-accent-soft text-accent',
} as const

function Said({ said }: { said: FeedbackView }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const settle = async () => {
    setBusy(true)
    try {
      await settleFeedback(said.id)
      await revalidate()
    } catch (error) {
      toast('error', copy['desk.feedback.settle'], messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const who = said.who ?? copy['desk.feedback.guest']
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 py-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-baseline gap-3 text-sm text-soft">
          <span className={`rounded px-2 py-0.5 text-xs font-semibold ${tones[said.type]}`}>
            {copy[`feedback.${said.type}`]}
          </span>
          <span className="nums wrap-anywhere">
            {fill(copy['desk.feedback.line'], { who, at: formatInstant(said.saidAt), context: said.context })}
          </span>
        </p>
        <p className="mt-2 max-w-read wrap-anywhere whitespace-pre-wrap">{said.message}</p>
      </div>
      {said.isSettled ? null : (
        <Button look="secondary" disabled={isBusy} onClick={() => void settle()}>
          {copy['desk.feedback.settle']}
        </Button>
      )}
    </li>
  )
}

function pageAt(state: string, after: string | null): string {
  return withQuery(paths.adminFeedback, { state, after })
}
