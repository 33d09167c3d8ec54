import { formatDollars, cents } from '../../../../lib/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { categoryLabel } from '../../../catalogue/catalogue.ts'
import { copy } from '../../../catalogue/data-calls/course-sync.copy.ts'
import { failureToastOf, isDeletion, isPending } from '../../../catalogue/data-calls/course-sync.ts'
import type { Edit, Outbox } from '../../../catalogue/data-calls/course-sync.schema.ts'
import { counted } from '../../../../lib/text.ts'

/** Whether all edits are on the server, and the conflicts that the admin must resolve. */
export function SyncState({
  outbox,
  isSending,
  onChoose,
  onSendNow,
}: {
  outbox: Outbox
  isSending: boolean
  onChoose: (id: string, choice: 'mine' | 'theirs') => void
  onSendNow: () => void
}) {
  const waiting = outbox.filter((edit) => isPending(edit) && edit.syncProblem === null)
  const withProblem = outbox.filter((edit) => edit.syncProblem !== null)
  return (
    <div className="space-y-3">
      <div role="status" className="nums flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
        {sentenceOf(waiting.length, withProblem.length, isSending)}
        {waiting.length > 0 && !isSending ? (
          <Button look="quiet" onClick={onSendNow}>
            Send now
          </Button>
        ) : null}
      </div>
      {withProblem.map((edit) => (
        <SyncProblemNote key={edit.id} edit={edit} onChoose={(choice) => onChoose(edit.id, choice)} />
      ))}
    </div>
  )
}

function sentenceOf(waiting: number, withProblem: number, isSending: boolean): string {
  if (waiting === 0 && withProblem === 0) return 'All changes are saved.'
  if (waiting === 0) return `${counted(withProblem, 'change is', 'changes are')} for you to decide.`
  const changes = counted(waiting, 'change')
  return isSending ? `Saving ${changes}...` : `${changes} on this device, not sent yet.`
}

function SyncProblemNote({ edit, onChoose }: { edit: Edit; onChoose: (choice: 'mine' | 'theirs') => void }) {
  const { syncProblem } = edit
  if (syncProblem === null) return null
  if (syncProblem.kind === 'refused')
    return (
      <Notice tone="bad" title={failureToastOf(edit, syncProblem.sentence)[0]}>
        <p>
          {edit.title}: {syncProblem.sentence}
        </p>
        <Choices mine="Try again" theirs="Discard my change" onChoose={onChoose} />
      </Notice>
    )
  const { stored } = syncProblem
  const mayKeep = stored !== null || edit.kind === 'course.update'
  return (
    <Notice
      tone="flag"
      title={`${edit.title}: ${stored === null ? 'deleted elsewhere meanwhile' : 'changed elsewhere meanwhile'}`}
    >
      <p>{copy['sync.conflict']}</p>
      <dl className="mt-3 grid gap-x-8 gap-y-3 tablet:grid-cols-2">
        <Version
          name="Mine"
          facts={isDeletion(edit) ? [['', 'Deleted']] : factsOf('fields' in edit ? edit.fields : {})}
        />
        <Version name="Theirs" facts={stored === null ? [['', 'Deleted']] : factsOf(theirsFor(edit))} />
      </dl>
      <Choices mine={mayKeep ? 'Keep mine' : null} theirs="Keep theirs" onChoose={onChoose} />
    </Notice>
  )
}

function Choices({
  mine,
  theirs,
  onChoose,
}: {
  mine: string | null
  theirs: string
  onChoose: (choice: 'mine' | 'theirs') => void
}) {
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {mine === null ? null : (
        <Button look="secondary" onClick={() => onChoose('mine')}>
          {mine}
        </Button>
      )}
      <Button look="secondary" onClick={() => onChoose('theirs')}>
        {theirs}
      </Button>
    </div>
  )
}

function Version({ name, facts }: { name: string; facts: [string, string][] }) {
  return (
    <div>
      <dt className="font-semibold">{name}</dt>
      {facts.map(([label, text]) => (
        <dd key={label} className="nums wrap-anywhere">
          {label === '' ? text : `${label}: ${text}`}
        </dd>
      ))}
    </div>
  )
}

/** The stored fields that this edit would change; for a deletion, the row that would be deleted. */
function theirsFor(edit: Edit): Readonly<Record<string, unknown>> {
  const stored = edit.syncProblem?.kind === 'conflict' ? edit.syncProblem.stored : null
  const there: Readonly<Record<string, unknown>> = { ...stored?.course, ...stored?.exam }
  if (!('fields' in edit)) return there
  return Object.fromEntries(Object.entries(there).filter(([name]) => name in edit.fields))
}

const labels: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  price: 'Price',
  category: 'Level',
  status: 'State',
  image_url: 'Picture',
  test_name: 'Title',
  passing_score: 'Passing score',
  time_limit: 'Minutes',
  is_free_trial: 'Free trial',
  questions: 'Questions',
}

function factsOf(fields: Readonly<Record<string, unknown>>): [string, string][] {
  const facts = Object.entries(fields).map(([name, value]): [string, string] => [
    labels[name] ?? name,
    textOf(name, value),
  ])
  return facts.length === 0 ? [['', 'Another draft']] : facts
}

function textOf(name: string, value: unknown): string {
  if (name === 'price') return formatDollars(cents(Math.round(Number(value) * 100)))
  if (name === 'category') return value === null ? 'None' : categoryLabel[value as keyof typeof categoryLabel]
  if (Array.isArray(value)) return counted(value.length, 'question')
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return String(value)
}
