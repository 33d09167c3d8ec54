import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { formatInstant } from '../../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../../platform/unsaved-text-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { LeaveGuard } from '../../../../ui/leave-guard.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { changeCourse } from '../../../catalogue/data-calls/data-calls-client.ts'
import { getCourse } from '../admin-courses-client.ts'
import { readFacts, toFactsTyped, type FactsTyped } from '../../../catalogue/data-calls/data-calls.ts'
import { FactsTypedSchema } from '../../../catalogue/data-calls/data-calls.schema.ts'
import type { CourseFactsView } from '../../../catalogue/catalogue.schema.ts'
import { FactsForm } from './facts-form.tsx'

/** Typing is sent so long after it stopped, where it is sent by itself. */
const AUTOSAVE_MS = 1500

type State = 'same' | 'typed' | 'saving' | 'failed'

/**
 * The facts of a course, typed on this device at once and saved with a button, or by themselves while the course is built.
 * Somebody else's change in between is told, and both are seen.
 */
export function FactsEditor({
  course,
  adminId,
  now,
  savesItself,
  onSaved,
  children,
}: {
  course: CourseFactsView
  adminId: string
  now: string
  savesItself: boolean
  onSaved?: () => void
  /** What stands beside the button. */
  children?: ReactNode
}) {
  const key = typedKey(adminId, `course.${course.id}`)
  const [stored, setStored] = useState(course)
  const [typedHere, setTyped] = useState<FactsTyped | null>(null)
  const typed = typedHere ?? toFactsTyped(course)
  // Before the first key what lies on the device is from a visit before.
  const onDevice = useTyped(key, FactsTypedSchema)
  const isOther = JSON.stringify(onDevice?.value) !== JSON.stringify(toFactsTyped(course))
  const kept = typedHere === null && isOther ? onDevice : null
  const [state, setState] = useState<State>('same')
  const [failure, setFailure] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<CourseFactsView | null>(null)
  const [isTried, setTried] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const read = readFacts(typed)
  const isWhole = Object.keys(read.problems).length === 0

  const save = useCallback(
    async (value: FactsTyped, over: CourseFactsView): Promise<boolean> => {
      const { fields, problems } = readFacts(value)
      const { blueprint, ...rest } = fields
      const hasBlueprint = !['code', 'minutes', 'questions', 'passingScore', 'source', 'domains'].some(
        (name) => name in problems,
      )
      // What is not right yet stays on the device; the rest is sent.
      const right = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in problems)))
      const sent = { ...right, ...(hasBlueprint ? { blueprint } : {}) }
      setState('saving')
      setFailure(null)
      try {
        const { row_version: rowVersion } = await changeCourse(over.id, sent, over.rowVersion)
        setStored({ ...over, rowVersion })
        if (Object.keys(problems).length === 0) discardUnsavedText(key)
        // What is not right yet was not sent.
        const after = Object.keys(problems).length === 0 ? 'same' : 'typed'
        setState((now) => (now === 'saving' ? after : now))
        onSaved?.()
        return Object.keys(problems).length === 0
      } catch (error) {
        setState('failed')
        setFailure(messageOf(error))
        if (error instanceof CallFailed && error.code === 'row.changed-elsewhere')
          setTheirs(await getCourse(over.id).catch(() => null))
        return false
      }
    },
    [key, onSaved],
  )
  const pending = useRef<(() => void) | null>(null)
  const stop = () => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
    pending.current = null
  }
  useEffect(
    // Outside: the timer. Whoever goes to the next step has what was typed sent now.
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      pending.current?.()
    },
    [],
  )

  const handleChange = (value: FactsTyped, over = stored) => {
    setTyped(value)
    setState('typed')
    storeUnsavedText(key, value, over.rowVersion)
    if (!savesItself) return
    stop()
    const send = () => {
      stop()
      void save(value, over)
    }
    pending.current = send
    timer.current = setTimeout(send, AUTOSAVE_MS)
  }
  const handleSave = async () => {
    stop()
    setTried(true)
    return isWhole ? save(typed, stored) : false
  }
  const take = (view: CourseFactsView, value: FactsTyped) => {
    setTheirs(null)
    setFailure(null)
    setStored(view)
    if (value === typed) handleChange(value, view)
    else {
      setTyped(value)
      setState('same')
      discardUnsavedText(key)
    }
  }
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void handleSave()
      }}
    >
      {kept === null ? null : (
        <Notice
          tone="flag"
          title={`On ${formatInstant(new Date(kept.at))} you typed something here that was not saved.`}
        >
          <div className="mt-3 flex flex-wrap gap-2">
            <Button look="secondary" onClick={() => handleChange(kept.value)}>
              Take it up again
            </Button>
            <Button look="secondary" onClick={() => discardUnsavedText(key)}>
              Discard it
            </Button>
          </div>
        </Notice>
      )}
      {theirs === null ? (
        failure === null ? null : (
          <Notice tone="bad" className="mb-6" title={failure}>
            <p>What you typed is kept on this device.</p>
            <Button look="secondary" className="mt-3" onClick={() => void save(typed, stored)}>
              Try again
            </Button>
          </Notice>
        )
      ) : (
        <Notice tone="flag" className="mb-6" title="Somebody else changed this course since you opened it.">
          <p>Nothing of yours is lost or saved yet. This is what is stored now:</p>
          <dl className="mt-3 grid gap-x-6 gap-y-1 tablet:grid-cols-[auto_1fr]">
            {differences(typed, toFactsTyped(theirs)).map(({ name, text }) => (
              <div key={name} className="contents">
                <dt className="font-semibold">{name}</dt>
                <dd className="wrap-anywhere">{text === '' ? '(empty)' : text}</dd>
              </div>
            ))}
          </dl>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button look="secondary" onClick={() => take(theirs, typed)}>
              Keep mine
            </Button>
            <Button look="secondary" onClick={() => take(theirs, toFactsTyped(theirs))}>
              Take what is stored
            </Button>
          </div>
        </Notice>
      )}
      <div className="mt-6">
        <FactsForm
          typed={typed}
          problems={isTried || savesItself ? shownProblems(read.problems, typed, isTried) : {}}
          isSlugFree={course.status === 'draft'}
          now={now}
          onChange={(value) => handleChange(value)}
        />
      </div>
      <div className="mt-8 flex flex-wrap items-center gap-4 border-t border-line pt-5">
        {savesItself ? null : (
          <Button type="submit" disabled={state === 'saving'}>
            Save course
          </Button>
        )}
        {children}
        <p role="status" className="text-sm text-soft">
          {said[state]}
        </p>
      </div>
      <LeaveGuard isUnsaved={state === 'typed' || state === 'failed'} onSave={handleSave} />
    </form>
  )
}

const said: Record<State, string> = {
  same: 'All changes are saved.',
  typed: 'Typed here, not saved on the server yet.',
  saving: 'Saving...',
  failed: 'Not saved. It is kept on this device.',
}

/** While it is typed for the first time nothing empty is called wrong. */
function shownProblems(problems: ReturnType<typeof readFacts>['problems'], typed: FactsTyped, isTried: boolean) {
  if (isTried) return problems
  const { blueprint, ...facts } = typed
  const domains = blueprint.domains.map(({ name, weight }) => (name === '' ? '' : weight)).join('')
  const texts: Readonly<Record<string, string>> = { ...facts, ...blueprint, domains }
  return Object.fromEntries(Object.entries(problems).filter(([name]) => (texts[name] ?? '').trim() !== ''))
}

/** The fields in which what is stored is other than what was typed. */
function differences(mine: FactsTyped, theirs: FactsTyped): { name: string; text: string }[] {
  const rows: [string, string, string][] = [
    ['Title', mine.title, theirs.title],
    ['Description', mine.description, theirs.description],
    ['Price', mine.price, theirs.price],
    ['Level', mine.category, theirs.category],
    ['Address', mine.slug, theirs.slug],
    ['The real exam', JSON.stringify(mine.blueprint), JSON.stringify(theirs.blueprint)],
  ]
  return rows.flatMap(([name, one, other]) => (one === other ? [] : [{ name, text: other }]))
}
