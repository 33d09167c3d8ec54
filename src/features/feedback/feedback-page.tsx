import { useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { messageOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Heading } from '../../ui/page-parts.tsx'
import { Paging } from '../../ui/pagination.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { withQuery } from '../../ui/query-string.ts'
import type { feedbackLoader } from './feedback-endpoints.server.ts'
import { settleFeedback } from './feedback-client.ts'
import { copy } from './feedback.copy.ts'
import { FEEDBACK_STATES, type FeedbackView } from './feedback.schema.ts'

export { feedbackLoader as loader } from './feedback-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['desk.feedback'] }, { name: 'robots', content: 'noindex' }]

/** The feedback of users and guests: waiting or done. */
export default function FeedbackPage() {
  const { feedback, next, state, waitingCount } = useLoaderData<typeof feedbackLoader>()
  return (
    <>
      <Heading>{copy['desk.feedback']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['desk.feedback.about']}</p>
      <Tabs
        label={copy['desk.feedback.state']}
        chosen={state}
        tabs={FEEDBACK_STATES.map((id) => ({
          id,
          label: `${copy[`desk.feedback.${id}`]}${id === 'waiting' ? ` ${waitingCount}` : ''}`,
          to: pageAt(id, null),
        }))}
      />
      <div className="mt-6">
        {feedback.length === 0 ? (
          <EmptyState title={copy['desk.feedback.empty']} hint={copy[`desk.feedback.none.${state}`]} />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {feedback.map((item) => (
              <FeedbackItem key={item.id} feedback={item} />
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

function FeedbackItem({ feedback }: { feedback: FeedbackView }) {
  const settle = useMutation(() => settleFeedback(feedback.id), {
    revalidates: true,
    onFailure: (error) => toast('error', copy['desk.feedback.settle'], messageOf(error)),
  })
  const who = feedback.who ?? copy['desk.feedback.guest']
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 py-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-baseline gap-3 text-sm text-soft">
          <span className={`rounded px-2 py-0.5 text-xs font-semibold ${tones[feedback.type]}`}>
            {copy[`feedback.${feedback.type}`]}
          </span>
          <span className="nums wrap-anywhere">
            {fill(copy['desk.feedback.line'], { who, at: formatInstant(feedback.saidAt), context: feedback.context })}
          </span>
        </p>
        <p className="mt-2 max-w-read wrap-anywhere whitespace-pre-wrap">{feedback.message}</p>
      </div>
      {feedback.isSettled ? null : (
        <Button look="secondary" {...settle.button} onClick={settle.run}>
          {copy['desk.feedback.settle']}
        </Button>
      )}
    </li>
  )
}

function pageAt(state: string, after: string | null): string {
  return withQuery(adminPaths.feedback, { state, after })
}
