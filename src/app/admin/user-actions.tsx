import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import {
  endSessions,
  lockUser,
  sendReset,
  setRole,
  unlockUser,
  verifyUser,
} from '../../features/accounts/users/users-client.ts'
import { copy } from '../../features/accounts/users/users.copy.ts'
import type { UserRecord } from '../../features/accounts/users/users.schema.ts'
import { ExtraTimeChoice } from '../../features/accounts/users/ui/extra-time-choice.tsx'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { CallFailed, messageOf, toastOf } from '../../platform/api-client.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { ReasonDialog, type FormProblem } from '../../ui/reason-dialog.tsx'
import { toast } from '../../ui/toasts.tsx'
import { deleteUser } from '../own-data/own-data-client.ts'

type Sentence = readonly [title: string, text: string]

/** What an admin may do with a person, and with themselves: nobody changes their own role or locks themselves out. */
export function UserActions({ user, name, isSelf }: { user: UserRecord; name: string; isSelf: boolean }) {
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<'role' | 'lock' | 'delete' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<Sentence>) => {
    setBusy(true)
    try {
      toast('success', ...(await work()))
      setOpen(null)
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
      await revalidate()
    }
  }
  const otherRole = user.role === 'admin' ? 'student' : 'admin'
  const words = { name, email: user.email }
  const data = (format: 'json' | 'csv') => `/api/profiles/${user.id}/data?format=${format}`
  return (
    <section aria-labelledby="actions-heading" className="mt-8">
      <h2 id="actions-heading" className="sr-only">
        {copy['person.actions']}
      </h2>
      <div className="flex flex-wrap gap-3">
        {isSelf ? null : (
          <Button look="secondary" disabled={isBusy} onClick={() => setOpen('role')}>
            {copy[`person.role.${otherRole}`]}
          </Button>
        )}
        {user.isVerified ? null : (
          <Button
            look="secondary"
            disabled={isBusy}
            onClick={() =>
              void run(async () => {
                await verifyUser(user.id)
                return [copy['person.verify.done'], fill(copy['person.verify.done.text'], words)]
              })
            }
          >
            {copy['person.verify']}
          </Button>
        )}
        <Button
          look="secondary"
          disabled={isBusy}
          onClick={() =>
            void run(async () => {
              await sendReset(user.id)
              return [copy['person.reset.done'], fill(copy['person.reset.done.text'], words)]
            })
          }
        >
          {copy['person.reset']}
        </Button>
        {user.sessions.length === 0 || isSelf ? null : (
          <Button
            look="secondary"
            disabled={isBusy}
            onClick={() =>
              void run(async () => {
                const { ended } = await endSessions(user.id)
                const said = copy[ended === 1 ? 'person.sign-out.done.one' : 'person.sign-out.done.text']
                return [copy['person.sign-out.done'], fill(said, { n: ended })]
              })
            }
          >
            {copy['person.sign-out']}
          </Button>
        )}
        {isSelf ? null : user.isLocked ? (
          <Button
            look="secondary"
            disabled={isBusy}
            onClick={() =>
              void run(async () => {
                await unlockUser(user.id)
                return [copy['person.unlock.done'], fill(copy['person.unlock.done.text'], words)]
              })
            }
          >
            {copy['person.unlock']}
          </Button>
        ) : (
          <Button look="secondary" disabled={isBusy} onClick={() => setOpen('lock')}>
            {copy['person.lock']}
          </Button>
        )}
        {isSelf ? null : (
          <Button look="quiet" disabled={isBusy} className="text-bad" onClick={() => setOpen('delete')}>
            {copy['person.delete']}
          </Button>
        )}
      </div>
      <div className="mt-6 flex flex-wrap items-start gap-x-12 gap-y-4">
        <div className="max-w-form">
          <ExtraTimeChoice key={user.extraTime} userId={user.id} name={name} extraTime={user.extraTime} />
          <p className="mt-1 text-sm text-soft">{copy['people.extra-time.about']}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-sm text-soft">{copy['person.data']}</span>
          <ButtonLink to={data('json')} look="secondary" reloadDocument download>
            {copy['person.data.json']}
          </ButtonLink>
          <ButtonLink to={data('csv')} look="secondary" reloadDocument download>
            {copy['person.data.csv']}
          </ButtonLink>
        </div>
      </div>
      <Dialog title={copy[`person.role.title.${otherRole}`]} isOpen={open === 'role'} onClose={() => setOpen(null)}>
        <div className="space-y-6 p-5">
          <p className="wrap-anywhere">{fill(copy[`person.role.text.${otherRole}`], words)}</p>
          <Button
            className="w-full"
            look={otherRole === 'student' ? 'danger' : 'primary'}
            disabled={isBusy}
            onClick={() =>
              void run(async () => {
                await setRole(user.id, otherRole)
                return [copy['person.role.done'], fill(copy[`person.role.done.${otherRole}`], words)]
              })
            }
          >
            {copy[`person.role.${otherRole}`]}
          </Button>
        </div>
      </Dialog>
      <ReasonDialog
        title={copy['person.lock.title']}
        text={fill(copy['person.lock.text'], words)}
        label={copy['person.lock.reason']}
        action={copy['person.lock.do']}
        look="danger"
        isOpen={open === 'lock'}
        onClose={() => setOpen(null)}
        onDo={(reason) =>
          orProblem(async () => {
            await lockUser(user.id, reason)
            toast('success', copy['person.lock.done'], fill(copy['person.lock.done.text'], words))
            setOpen(null)
            await revalidate()
          })
        }
      />
      <DeleteDialog user={user} isOpen={open === 'delete'} onClose={() => setOpen(null)} />
    </section>
  )
}

function DeleteDialog({ user, isOpen, onClose }: { user: UserRecord; isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const handleDo = async (reason: string) => {
    const found = await orProblem(async () => {
      await deleteUser(user.id, { email, reason })
      await navigate(paths.adminUsers, { replace: true })
      toast('success', copy['person.delete.done'], fill(copy['person.delete.done.text'], { email: user.email }))
    })
    setProblem(found)
    return found
  }
  return (
    <ReasonDialog
      title={copy['person.delete.title']}
      text={copy['person.delete.text']}
      label={copy['person.reason']}
      action={copy['person.delete.do']}
      look="danger"
      isOpen={isOpen}
      onClose={onClose}
      onDo={handleDo}
      ownFields={['email']}
    >
      <Field
        label={fill(copy['person.delete.email'], { email: user.email })}
        autoComplete="off"
        spellCheck={false}
        value={email}
        problem={problem?.field === 'email' ? problem.message : null}
        onChange={(event) => setEmail(event.target.value)}
      />
    </ReasonDialog>
  )
}

/** Null: it worked. */
async function orProblem(work: () => Promise<void>): Promise<FormProblem | null> {
  try {
    await work()
    return null
  } catch (error) {
    const field = error instanceof CallFailed ? error.fields[0] : undefined
    return field ?? { field: null, message: messageOf(error) }
  }
}
