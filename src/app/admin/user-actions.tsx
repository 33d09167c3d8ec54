import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { ConfirmedDownload } from '../../features/accounts/second-factor/ui/confirmed-download.tsx'
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
import { adminPaths } from '../../lib/admin-paths.ts'
import { CallFailed, messageOf, toastOf } from '../../platform/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../ui/dialog-parts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { ReasonDialog, type FormProblem } from '../../ui/reason-dialog.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation, type Mutation } from '../../ui/use-mutation.ts'
import { deleteUser } from '../own-data/own-data-client.ts'

type Toast = readonly [title: string, text: string]
type UserAction = () => Promise<Toast>
type OpenDialog = 'role' | 'lock' | 'delete' | null
/** `words` fill the sentences of the copy. */
type Target = { readonly user: UserRecord; readonly words: { readonly name: string; readonly email: string } }

/** An admin's actions on a user. Admins can't change their own role, lock or delete themselves, or end their own sessions here. */
export function UserActions({ user, name, isSelf }: { user: UserRecord; name: string; isSelf: boolean }) {
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<OpenDialog>(null)
  const action = useMutation((send: UserAction) => send(), {
    onSuccess: (sentences) => {
      toast('success', ...sentences)
      setOpen(null)
    },
    onFailure: (error) => {
      toast(...toastOf(error))
      void revalidate()
    },
    revalidates: true,
  })
  const target = { user, words: { name, email: user.email } }
  const handleClose = () => setOpen(null)
  return (
    <section aria-labelledby="actions-heading" className="mt-8">
      <h2 id="actions-heading" className="sr-only">
        {copy['person.actions']}
      </h2>
      <ActionButtons {...target} isSelf={isSelf} action={action} onOpen={setOpen} />
      <div className="mt-6 flex flex-wrap items-start gap-x-12 gap-y-4">
        <div className="max-w-form">
          <ExtraTimeChoice key={user.extraTime} userId={user.id} name={name} extraTime={user.extraTime} />
          <p className="mt-1 text-sm text-soft">{copy['people.extra-time.about']}</p>
        </div>
        <DataLinks userId={user.id} />
      </div>
      <RoleDialog {...target} action={action} isOpen={open === 'role'} onClose={handleClose} />
      <LockDialog {...target} isOpen={open === 'lock'} onClose={handleClose} />
      <DeleteDialog user={user} isOpen={open === 'delete'} onClose={handleClose} />
    </section>
  )
}

function ActionButtons({
  user,
  words,
  isSelf,
  action,
  onOpen,
}: Target & { isSelf: boolean; action: Mutation<[UserAction]>; onOpen: (dialog: OpenDialog) => void }) {
  const buttonFor = (label: string, onClick: () => void) => (
    <Button look="secondary" {...action.button} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <div className="flex flex-wrap gap-2 tablet:gap-3">
      {isSelf ? null : buttonFor(copy[`person.role.${otherRole(user)}`], () => onOpen('role'))}
      {user.isVerified ? null : buttonFor(copy['person.verify'], () => action.run(() => verify(user, words)))}
      {buttonFor(copy['person.reset'], () => action.run(() => mailReset(user, words)))}
      {user.sessions.length === 0 || isSelf
        ? null
        : buttonFor(copy['person.sign-out'], () => action.run(() => signOutEverywhere(user)))}
      {isSelf
        ? null
        : user.isLocked
          ? buttonFor(copy['person.unlock'], () => action.run(() => unlock(user, words)))
          : buttonFor(copy['person.lock'], () => onOpen('lock'))}
      {isSelf ? null : (
        <Button look="quiet" {...action.button} className="text-bad" onClick={() => onOpen('delete')}>
          {copy['person.delete']}
        </Button>
      )}
    </div>
  )
}

async function verify(user: UserRecord, words: Target['words']): Promise<Toast> {
  await verifyUser(user.id)
  return [copy['person.verify.done'], fill(copy['person.verify.done.text'], words)]
}

async function mailReset(user: UserRecord, words: Target['words']): Promise<Toast> {
  await sendReset(user.id)
  return [copy['person.reset.done'], fill(copy['person.reset.done.text'], words)]
}

async function signOutEverywhere(user: UserRecord): Promise<Toast> {
  const { ended } = await endSessions(user.id)
  const text = copy['person.sign-out.done.text']
  return [copy['person.sign-out.done'], fill(text, { n: ended })]
}

async function unlock(user: UserRecord, words: Target['words']): Promise<Toast> {
  await unlockUser(user.id)
  return [copy['person.unlock.done'], fill(copy['person.unlock.done.text'], words)]
}

async function switchRole(user: UserRecord, words: Target['words']): Promise<Toast> {
  const role = otherRole(user)
  await setRole(user.id, role)
  return [copy['person.role.done'], fill(copy[`person.role.done.${role}`], words)]
}

function otherRole({ role }: UserRecord): UserRecord['role'] {
  return role === 'admin' ? 'student' : 'admin'
}

function DataLinks({ userId }: { userId: string }) {
  const addressOf = (format: 'json' | 'csv') => `/api/profiles/${userId}/data?format=${format}`
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="text-sm text-soft max-tablet:w-full">{copy['person.data']}</span>
      <ConfirmedDownload address={addressOf('json')}>{copy['person.data.json']}</ConfirmedDownload>
      <ConfirmedDownload address={addressOf('csv')}>{copy['person.data.csv']}</ConfirmedDownload>
    </div>
  )
}

type DialogState = { readonly isOpen: boolean; readonly onClose: () => void }

function RoleDialog({
  user,
  words,
  action,
  isOpen,
  onClose,
}: Target & DialogState & { action: Mutation<[UserAction]> }) {
  const role = otherRole(user)
  return (
    <Dialog title={copy[`person.role.title.${role}`]} isOpen={isOpen} onClose={onClose}>
      <DialogBody>
        <p className="wrap-anywhere">{fill(copy[`person.role.text.${role}`], words)}</p>
      </DialogBody>
      <DialogFooter onCancel={onClose}>
        <Button
          look={role === 'student' ? 'danger' : 'primary'}
          {...action.button}
          onClick={() => action.run(() => switchRole(user, words))}
        >
          {copy[`person.role.${role}`]}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function LockDialog({ user, words, isOpen, onClose }: Target & DialogState) {
  const { revalidate } = useRevalidator()
  return (
    <ReasonDialog
      title={copy['person.lock.title']}
      text={fill(copy['person.lock.text'], words)}
      label={copy['person.lock.reason']}
      action={copy['person.lock.do']}
      look="danger"
      isOpen={isOpen}
      onClose={onClose}
      onDo={(reason) =>
        problemOf(async () => {
          await lockUser(user.id, reason)
          toast('success', copy['person.lock.done'], fill(copy['person.lock.done.text'], words))
          onClose()
          await revalidate()
        })
      }
    />
  )
}

function DeleteDialog({ user, isOpen, onClose }: DialogState & { user: UserRecord }) {
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const handleDo = async (reason: string) => {
    const failure = await problemOf(async () => {
      await deleteUser(user.id, { email, reason })
      await navigate(adminPaths.users, { replace: true })
      toast('success', copy['person.delete.done'], fill(copy['person.delete.done.text'], { email: user.email }))
    })
    setProblem(failure)
    return failure
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

/** The problem to show; null after success. */
async function problemOf(submit: () => Promise<void>): Promise<FormProblem | null> {
  try {
    await submit()
    return null
  } catch (error) {
    const field = error instanceof CallFailed ? error.fields[0] : undefined
    return field ?? { field: null, message: messageOf(error) }
  }
}
