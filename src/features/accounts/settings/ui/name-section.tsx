import { useState } from 'react'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { copy as accountsCopy } from '../../accounts.copy.ts'
import { nameProblem } from '../../credentials.ts'
import { changeName } from '../settings-client.ts'
import { copy } from '../settings.copy.ts'
import { EditableSection, EditForm, usePostedEdit } from './editable-section.tsx'

export function NameSection({ name }: { name: string }) {
  return (
    <EditableSection
      id="account-name"
      title={copy['account.name']}
      action={copy['account.name.change']}
      renderForm={(close, hasFocus) => <NameForm name={name} hasFocus={hasFocus} onClose={close} />}
    >
      <p className="wrap-anywhere">{name}</p>
    </EditableSection>
  )
}

function NameForm({ name, hasFocus, onClose }: { name: string; hasFocus: boolean; onClose: () => void }) {
  const posted = usePostedEdit('name')
  const [typed, setTyped] = useState(posted.typed['name'] ?? name)
  const [problem, setProblem] = useState<string | null>(null)
  const change = useMutation(changeName, {
    revalidates: true,
    onSuccess() {
      toast('success', copy['account.saved'], copy['account.name.done'])
      onClose()
    },
  })
  const failure = change.failure ?? posted.failure
  const refused = failure instanceof CallFailed ? failure.problemOf('name') : undefined
  const handleSubmit = () => {
    const found = nameProblem(typed)
    setProblem(found)
    if (found === null) change.run(typed.trim())
  }
  return (
    <EditForm
      name="name"
      submit={copy['account.name.change']}
      change={change}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {failure === null || refused !== undefined ? null : <Notice tone="bad">{messageOf(failure)}</Notice>}
      <Field
        label={accountsCopy['register.name']}
        name="name"
        autoComplete="name"
        required
        autoFocus={hasFocus}
        value={typed}
        problem={problem ?? refused}
        onChange={(event) => setTyped(event.target.value)}
      />
    </EditForm>
  )
}
