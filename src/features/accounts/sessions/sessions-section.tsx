import { useRef } from 'react'
import { useRevalidator } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { formatInstant } from '../../../lib/time.ts'
import { toastOf } from '../../../platform/api-client.ts'
import { answerPress } from '../../../ui/answer-press.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page-parts.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { endOtherSessions, endSession } from './sessions-client.ts'
import { copy } from './sessions.copy.ts'
import type { SessionEntry } from './sessions.schema.ts'

/** The devices on which the user is signed in, this one first. Each other one can be signed out. */
export function SessionsSection({ sessions }: { sessions: readonly SessionEntry[] }) {
  const list = useRef<HTMLUListElement>(null)
  const { revalidate } = useRevalidator()
  const options = (done: string) => ({
    revalidates: true,
    onSuccess() {
      toast('success', copy['sessions.heading'], done)
      // The button that was pressed disappears.
      list.current?.focus()
    },
    onFailure(error: unknown) {
      toast(...toastOf(error))
      // Another device may have signed it out.
      void revalidate()
    },
  })
  const ending = useMutation(endSession, options(copy['sessions.ended.one']))
  const endingAll = useMutation(endOtherSessions, options(copy['sessions.ended.all']))
  const sorted = sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  return (
    <Section id="sessions" title={copy['sessions.heading']}>
      <p className="max-w-read text-soft">{copy[sessions.length > 1 ? 'sessions.about' : 'sessions.none']}</p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-labelledby="sessions"
        className="mt-4 divide-y divide-line border-y border-line"
      >
        {sorted.map((session) => (
          <SessionRow key={session.id} session={session} button={ending.button} onEnd={() => ending.run(session.id)} />
        ))}
      </ul>
      {sessions.length > 1 ? (
        <form method="post" className="mt-4">
          <Button
            type="submit"
            name="do"
            value="end-others"
            look="secondary"
            {...endingAll.button}
            onClick={answerPress(() => endingAll.run())}
          >
            {copy['sessions.end.all']}
          </Button>
        </form>
      ) : null}
    </Section>
  )
}

function SessionRow({
  session,
  button,
  onEnd,
}: {
  session: SessionEntry
  button: { readonly 'aria-busy': boolean; readonly 'aria-disabled': boolean }
  onEnd: () => void
}) {
  const device = session.device ?? copy['sessions.device.unknown']
  const { networkAddress } = session
  const place =
    networkAddress === null
      ? copy['sessions.address.unknown']
      : fill(copy['sessions.address'], { address: networkAddress })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-medium">
          {device}
          {session.isCurrent ? (
            <span className="ml-2 rounded-sm bg-good-soft px-1.5 py-0.5 text-xs font-semibold text-good">
              {copy['sessions.current']}
            </span>
          ) : null}
        </p>
        <p className="nums text-sm wrap-anywhere text-soft">{place}</p>
        <p className="nums text-sm text-soft">
          {fill(copy['sessions.used'], { at: formatInstant(session.lastUsedAt) })}
        </p>
      </div>
      {session.isCurrent ? null : (
        <form method="post">
          <input type="hidden" name="session" value={session.id} />
          <Button
            type="submit"
            name="do"
            value="end-session"
            look="secondary"
            aria-label={`${copy['sessions.end']}: ${device}, ${place}`}
            {...button}
            onClick={answerPress(onEnd)}
          >
            {copy['sessions.end']}
          </Button>
        </form>
      )}
    </li>
  )
}
