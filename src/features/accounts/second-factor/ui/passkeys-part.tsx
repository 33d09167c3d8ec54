import { useEffect, useRef, useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { messageOf, toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { Field } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation, type Mutation } from '../../../../ui/use-mutation.ts'
import { addPasskey, removePasskey, renamePasskey } from '../second-factor-client.ts'
import { copy } from '../second-factor.copy.ts'
import type { PasskeyEntry } from '../second-factor.schema.ts'
import { PASSKEY_NAME_MAX } from '../second-factor.ts'

type Open = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; readonly passkey: PasskeyEntry }

/** The passkeys of the user: added under a name, renamed, removed. */
export function PasskeysPart({ passkeys }: { passkeys: readonly PasskeyEntry[] }) {
  const [open, setOpen] = useState<Open | null>(null)
  const handleClose = () => setOpen(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  const handleOpen = (next: Open) => {
    setRemoved(null)
    setOpen(next)
  }
  const isGone = removed !== null && passkeys.every(({ id }) => id !== removed)
  useEffect(() => {
    // The row with the button that was pressed is gone.
    if (isGone) heading.current?.focus()
  }, [isGone])
  return (
    <div className="mt-6">
      <h3 ref={heading} id="passkeys-heading" tabIndex={-1} className="text-base font-semibold">
        {copy['passkeys.title']}
      </h3>
      {passkeys.length === 0 ? (
        <p className="mt-1 max-w-read text-soft">{copy['passkeys.none']}</p>
      ) : (
        <ul aria-labelledby="passkeys-heading" className="mt-2 divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onOpen={handleOpen} />
          ))}
        </ul>
      )}
      <Button className="mt-3" look="secondary" onClick={() => handleOpen({ what: 'add' })}>
        {copy['passkeys.add']}
      </Button>
      {open?.what === 'add' ? <AddDialog onClose={handleClose} /> : null}
      {open?.what === 'rename' ? <RenameDialog passkey={open.passkey} onClose={handleClose} /> : null}
      {open?.what === 'remove' ? (
        <RemoveDialog passkey={open.passkey} onRemoved={setRemoved} onClose={handleClose} />
      ) : null}
    </div>
  )
}

function PasskeyRow({ passkey, onOpen }: { passkey: PasskeyEntry; onOpen: (open: Open) => void }) {
  const { name, createdAt, lastUsedAt } = passkey
  const used =
    lastUsedAt === null ? copy['passkeys.unused'] : fill(copy['passkeys.used'], { day: formatDay(lastUsedAt) })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="nums text-sm text-soft">
          {fill(copy['passkeys.created'], { day: formatDay(createdAt) })}, {used}
        </p>
      </div>
      <div className="-ml-4 flex gap-2 sm:ml-0">
        <Button
          look="quiet"
          aria-label={`${copy['passkeys.rename']} ${name}`}
          onClick={() => onOpen({ what: 'rename', passkey })}
        >
          {copy['passkeys.rename']}
        </Button>
        <Button
          look="quiet"
          aria-label={`${copy['passkeys.remove']} ${name}`}
          onClick={() => onOpen({ what: 'remove', passkey })}
        >
          {copy['passkeys.remove']}
        </Button>
      </div>
    </li>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const add = useMutation(addPasskey, {
    onSuccess() {
      onClose()
      toast('success', copy['passkeys.added'], '')
    },
    revalidates: true,
  })
  return (
    <DialogForm
      title={copy['passkeys.add']}
      action={copy['passkeys.add']}
      onSubmit={() => add.run(name)}
      onClose={onClose}
    >
      <NameField name={name} change={add} hint={copy['passkeys.hint']} onType={setName} />
    </DialogForm>
  )
}

function RenameDialog({ passkey, onClose }: { passkey: PasskeyEntry; onClose: () => void }) {
  const [name, setName] = useState(passkey.name)
  const rename = useMutation(renamePasskey, {
    onSuccess() {
      onClose()
      toast('success', copy['passkeys.renamed'], '')
    },
    revalidates: true,
  })
  return (
    <DialogForm
      title={copy['passkeys.rename']}
      action={copy['passkeys.rename']}
      onSubmit={() => rename.run(passkey.id, name)}
      onClose={onClose}
    >
      <NameField name={name} change={rename} onType={setName} />
    </DialogForm>
  )
}

function NameField<Args extends readonly unknown[]>({
  name,
  change,
  hint,
  onType,
}: {
  name: string
  change: Mutation<Args>
  hint?: string
  onType: (name: string) => void
}) {
  return (
    <Field
      label={copy['passkeys.name']}
      value={name}
      maxLength={PASSKEY_NAME_MAX}
      autoComplete="off"
      hint={hint}
      problem={change.failure === null ? null : messageOf(change.failure)}
      onChange={(event) => onType(event.target.value)}
    />
  )
}

function RemoveDialog({
  passkey,
  onRemoved,
  onClose,
}: {
  passkey: PasskeyEntry
  onRemoved: (id: string) => void
  onClose: () => void
}) {
  const remove = useMutation(removePasskey, {
    onSuccess() {
      onRemoved(passkey.id)
      onClose()
      toast('success', copy['passkeys.removed'], '')
    },
    onFailure: (error) => toast(...toastOf(error)),
    revalidates: true,
  })
  return (
    <DialogForm
      title={copy['passkeys.remove']}
      action={copy['passkeys.remove']}
      look="danger"
      onSubmit={() => remove.run(passkey.id)}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{fill(copy['passkeys.remove.text'], { name: passkey.name })}</p>
    </DialogForm>
  )
}
