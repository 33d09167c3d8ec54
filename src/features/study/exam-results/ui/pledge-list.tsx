import { useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { formatDay, formatInstant } from '../../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { ReasonDialog } from '../../../../ui/reason-dialog.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { useRevalidator } from 'react-router'
import { acceptPledge, askForReport, declinePledge } from '../exam-results-client.ts'
import { copy } from '../exam-results.copy.ts'
import type { PledgeView } from '../pledge-queries.server.ts'

/** The pledges, with what an admin can do about each. */
export function PledgeList({ pledges }: { pledges: readonly PledgeView[] }) {
  if (pledges.length === 0) return null
  return (
    <ul className="mt-4 divide-y divide-line border-y border-line">
      {pledges.map((pledge) => (
        <Pledge key={pledge.id} pledge={pledge} />
      ))}
    </ul>
  )
}

function Pledge({ pledge }: { pledge: PledgeView }) {
  const { state, name, reason } = pledge
  const words = { name, email: pledge.email, day: formatDay(pledge.examDate), at: formatInstant(pledge.givenAt) }
  return (
    <li className="nums flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-semibold wrap-anywhere">{pledge.courseTitle}</p>
        <p className="text-sm wrap-anywhere text-soft">{fill(copy['pledges.line'], words)}</p>
        <p className="mt-1 text-sm wrap-anywhere">{fill(copy[`pledges.state.${state}`], { reason: reason ?? '' })}</p>
      </div>
      {state === 'given' || state === 'asked' ? <Actions pledge={pledge} /> : null}
    </li>
  )
}

function Actions({ pledge: { id, name, state } }: { pledge: PledgeView }) {
  const [isDeclining, setDeclining] = useState(false)
  const { revalidate } = useRevalidator()
  const decision = useMutation((send: typeof acceptPledge, _done: string) => send(id), {
    revalidates: true,
    onSuccess: (_reply, _send, done) => toast('success', done, name),
    onFailure: (error) => toast('error', copy['pledges.title'], messageOf(error)),
  })
  const decline = async (reason: string) => {
    try {
      await declinePledge(id, reason)
    } catch (error) {
      const inReason = error instanceof CallFailed ? error.problemOf('reason') : undefined
      return { field: inReason === undefined ? null : 'reason', message: inReason ?? messageOf(error) }
    }
    setDeclining(false)
    toast('success', copy['pledges.declined'], name)
    await revalidate()
    return null
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="secondary"
        {...decision.button}
        aria-label={fill(copy['pledges.accept.of'], { name })}
        onClick={() => decision.run(acceptPledge, copy['pledges.accepted'])}
      >
        {copy['pledges.accept']}
      </Button>
      {state === 'asked' ? null : (
        <Button
          look="secondary"
          {...decision.button}
          aria-label={fill(copy['pledges.ask.of'], { name })}
          onClick={() => decision.run(askForReport, copy['pledges.asked'])}
        >
          {copy['pledges.ask']}
        </Button>
      )}
      <Button look="quiet" aria-label={fill(copy['pledges.decline.of'], { name })} onClick={() => setDeclining(true)}>
        {copy['pledges.decline']}
      </Button>
      <ReasonDialog
        title={copy['pledges.decline.title']}
        text={fill(copy['pledges.decline.about'], { name })}
        label={copy['pledge.reason']}
        action={copy['pledges.decline']}
        look="danger"
        isOpen={isDeclining}
        onClose={() => setDeclining(false)}
        onDo={decline}
      />
    </div>
  )
}
