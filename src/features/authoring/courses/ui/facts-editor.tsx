import { useCallback, useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import {
  discardUnsavedText,
  settleUnsavedText,
  storeUnsavedText,
  typedKey,
  useTyped,
} from '../../../../platform/unsaved-text-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { LeaveGuard } from '../../../../ui/leave-guard.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { changeCourse } from '../../../catalogue/data-calls/data-calls-client.ts'
import { getCourse } from '../admin-courses-client.ts'
import { readFacts, toFactsTyped, type FactsTyped } from '../../../catalogue/course-facts-form.ts'
import { FactsTypedSchema } from '../../../catalogue/data-calls/data-calls.schema.ts'
import type { CourseFactsView } from '../../../catalogue/catalogue.schema.ts'
import { KeptFormNotice } from '../../drafts/ui/kept-form-notice.tsx'
import { FactsForm } from './facts-form.tsx'

/** The pause after the last change before it is saved. */
const AUTOSAVE_MS = 1500

type State = 'same' | 'typed' | 'saving' | 'failed'

/**
 * The facts of a course. Text is stored on this device at once, and saved with a button, or automatically while the course is
 * built. After a conflict both versions are shown.
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
  onSaved?: (() => void) | undefined
  /** Shown beside the button. */
  children?: ReactNode
}) {
  const editor = useFactsEditor({ course, adminId, savesItself, onSaved })
  const { typed, state, problems, isTried, unsavedText } = editor
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void editor.submit()
      }}
    >
      <KeptFormNotice
        kept={unsavedText}
        isOlder={unsavedText !== null && unsavedText.base !== course.rowVersion}
        older="The course has been changed since. Saving asks you before anything is lost."
        takeUp={editor.takeUp}
        discard={editor.discard}
      />
      {editor.stored === null ? <SaveFailure editor={editor} /> : <Conflict editor={editor} stored={editor.stored} />}
      <div className="mt-6">
        <FactsForm
          typed={typed}
          problems={isTried || savesItself ? shownProblems(problems, typed, isTried) : {}}
          isSlugFree={course.status === 'draft'}
          now={now}
          onChange={(value) => editor.change(value)}
        />
      </div>
      <div className="mt-8 flex flex-wrap items-center gap-4 border-t border-line pt-5">
        {savesItself ? null : (
          <Button type="submit" aria-busy={state === 'saving'} aria-disabled={state === 'saving'}>
            Save course
          </Button>
        )}
        {children}
        <p role="status" className="text-sm text-soft">
          {stateTexts[state]}
        </p>
      </div>
      <LeaveGuard isUnsaved={state === 'typed' || state === 'failed'} onSave={editor.submit} />
    </form>
  )
}

type EditorOptions = Omit<ComponentProps<typeof FactsEditor>, 'now' | 'children'>

function useFactsEditor({ course, adminId, savesItself, onSaved }: EditorOptions) {
  const key = typedKey(adminId, `course.${course.id}`)
  const [typedHere, setTyped] = useState<FactsTyped | null>(null)
  const typed = typedHere ?? toFactsTyped(course)
  // Before the first change, text on the device is from an earlier visit.
  const onDevice = useTyped(key, FactsTypedSchema)
  const isOther = JSON.stringify(onDevice?.value) !== JSON.stringify(toFactsTyped(course))
  const unsavedText = typedHere === null && isOther ? onDevice : null
  const [isTried, setTried] = useState(false)
  const { problems } = readFacts(typed)
  const { save, markTyped, continueFrom, rowVersion, ...saving } = useSaving(course, key, onSaved)
  const autosave = useAutosave()
  const change = (value: FactsTyped) => {
    // The page may have loaded a newer course before the first change.
    if (typedHere === null) continueFrom(course.rowVersion)
    keep(value)
  }
  const keep = (value: FactsTyped) => {
    setTyped(value)
    markTyped()
    storeUnsavedText(key, value, rowVersion())
    if (savesItself) autosave.schedule(() => void save(value))
  }
  return {
    ...saving,
    typed,
    problems,
    isTried,
    unsavedText,
    change,
    /** Goes on with text of an earlier visit: if the course has changed since, saving asks. */
    takeUp: () => {
      continueFrom(unsavedText?.base ?? course.rowVersion)
      if (unsavedText !== null) keep(unsavedText.value)
    },
    discard: () => discardUnsavedText(key),
    retry: () => void save(typed),
    submit: async () => {
      autosave.cancel()
      setTried(true)
      return Object.keys(problems).length === 0 ? save(typed) : false
    },
    /** After a conflict: goes on from the stored course, with `value` in the form. */
    resolve: (view: CourseFactsView, value: FactsTyped) => {
      continueFrom(view.rowVersion)
      if (value === typed) return keep(value)
      setTyped(value)
      discardUnsavedText(key)
    },
  }
}

/** The save and its state. After a conflict `stored` is the course that somebody else saved. */
function useSaving(course: CourseFactsView, key: string, onSaved: (() => void) | undefined) {
  /** The version that the next save replaces. A save waits for the one before, which makes that version. */
  const base = useRef(course.rowVersion)
  const underWay = useRef<Promise<boolean>>(Promise.resolve(true))
  const [state, setState] = useState<State>('same')
  const [failure, setFailure] = useState<string | null>(null)
  const [stored, setStored] = useState<CourseFactsView | null>(null)

  /** Sends the fields that are valid; true when all were. */
  const send = useCallback(
    async (value: FactsTyped): Promise<boolean> => {
      const { fields, isComplete } = validFields(value)
      setState('saving')
      setFailure(null)
      try {
        const { row_version: rowVersion } = await changeCourse(course.id, fields, base.current)
        base.current = rowVersion
        if (isComplete) settleUnsavedText(key, { saved: value, base: rowVersion })
        setState((now) => (now === 'saving' ? (isComplete ? 'same' : 'typed') : now))
        onSaved?.()
        return isComplete
      } catch (error) {
        setState('failed')
        setFailure(messageOf(error))
        if (error instanceof CallFailed && error.code === 'row.changed-elsewhere')
          setStored(await getCourse(course.id).catch(() => null))
        return false
      }
    },
    [course.id, key, onSaved],
  )
  const save = (value: FactsTyped): Promise<boolean> => (underWay.current = underWay.current.then(() => send(value)))
  return {
    rowVersion: () => base.current,
    state,
    failure,
    stored,
    save,
    markTyped: () => setState('typed'),
    continueFrom: (rowVersion: number) => {
      setStored(null)
      setFailure(null)
      base.current = rowVersion
      setState('same')
    },
  }
}
type FactsEditorState = ReturnType<typeof useFactsEditor>

/** Runs the last scheduled save after a pause, or at once when the editor closes. */
function useAutosave() {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const pending = useRef<(() => void) | null>(null)
  useEffect(
    // Leaving the page stops the timer and saves at once.
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      pending.current?.()
    },
    [],
  )
  const cancel = () => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
    pending.current = null
  }
  const schedule = (save: () => void) => {
    cancel()
    const send = () => {
      cancel()
      save()
    }
    pending.current = send
    timer.current = setTimeout(send, AUTOSAVE_MS)
  }
  return { schedule, cancel }
}

const BLUEPRINT_FIELDS = ['code', 'minutes', 'questions', 'passingScore', 'source', 'domains']

/** The fields without a problem. The blueprint is sent whole or not at all. */
function validFields(value: FactsTyped) {
  const { fields, problems } = readFacts(value)
  const { blueprint, ...others } = fields
  const hasBlueprint = !BLUEPRINT_FIELDS.some((name) => name in problems)
  const valid = Object.fromEntries(Object.entries(others).filter(([name]) => !(name in problems)))
  return {
    fields: { ...valid, ...(hasBlueprint ? { blueprint } : {}) },
    isComplete: Object.keys(problems).length === 0,
  }
}

function SaveFailure({ editor: { failure, retry } }: { editor: FactsEditorState }) {
  if (failure === null) return null
  return (
    <Notice tone="bad" className="mb-6" title={failure}>
      <p>What you typed is kept on this device.</p>
      <Button look="secondary" className="mt-3" onClick={retry}>
        Try again
      </Button>
    </Notice>
  )
}

function Conflict({ editor: { typed, resolve }, stored }: { editor: FactsEditorState; stored: CourseFactsView }) {
  return (
    <Notice tone="flag" className="mb-6" title="Somebody else changed this course since you opened it.">
      <p>Nothing of yours is lost or saved yet. This is what is stored now:</p>
      <dl className="mt-3 grid gap-x-6 gap-y-1 tablet:grid-cols-[auto_1fr]">
        {differences(typed, toFactsTyped(stored)).map(({ name, text }) => (
          <div key={name} className="contents">
            <dt className="font-semibold">{name}</dt>
            <dd className="wrap-anywhere">{text === '' ? '(empty)' : text}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="secondary" onClick={() => resolve(stored, typed)}>
          Keep mine
        </Button>
        <Button look="secondary" onClick={() => resolve(stored, toFactsTyped(stored))}>
          Take what is stored
        </Button>
      </div>
    </Notice>
  )
}

const stateTexts: Record<State, string> = {
  same: 'All changes are saved.',
  typed: 'Typed here, not saved on the server yet.',
  saving: 'Saving...',
  failed: 'Not saved. It is kept on this device.',
}

/** Until the first try to save, empty fields are no problem. */
function shownProblems(problems: ReturnType<typeof readFacts>['problems'], typed: FactsTyped, isTried: boolean) {
  if (isTried) return problems
  const { blueprint, ...facts } = typed
  const domains = blueprint.domains.map(({ name, weight }) => (name === '' ? '' : weight)).join('')
  const texts: Readonly<Record<string, string>> = { ...facts, ...blueprint, domains, curve: '' }
  return Object.fromEntries(Object.entries(problems).filter(([name]) => (texts[name] ?? '').trim() !== ''))
}

/** The fields whose stored value differs from the typed one, with the stored text. */
function differences(mine: FactsTyped, theirs: FactsTyped): { name: string; text: string }[] {
  const rows: [string, string, string][] = [
    ['Title', mine.title, theirs.title],
    ['Description', mine.description, theirs.description],
    ['Price', mine.price, theirs.price],
    ['Level', mine.category, theirs.category],
    ['Address', mine.slug, theirs.slug],
    ['The real exam', JSON.stringify(mine.blueprint), JSON.stringify(theirs.blueprint)],
  ]
  return rows.flatMap(([name, typed, stored]) => (typed === stored ? [] : [{ name, text: stored }]))
}
