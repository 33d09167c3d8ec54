import { useDeferredValue, useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { discardUnsavedText, storeUnsavedText, typedKey, useTyped } from '../../../../platform/unsaved-text-client.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import { PlusIcon, TrashIcon } from '../../../../ui/icons.tsx'
import { LeaveGuard } from '../../../../ui/leave-guard.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { LETTERS, MAX_OPTIONS, MIN_OPTIONS } from '../../../questions/questions.schema.ts'
import { offerUndo, restoreQuestions, removeQuestions } from '../../batch/batch-client.ts'
import { addQuestion, changeQuestion } from '../../drafts/drafts-client.ts'
import { copy } from '../../drafts/drafts.copy.ts'
import {
  beginHistory,
  editorAction,
  emptyOption,
  emptyQuestion,
  isSame,
  moveOption,
  redo,
  toEdited,
  toQuestionEdit,
  undo,
  withChange,
} from '../question-editor.ts'
import { Edited, type EditedOption } from '../question-editor.schema.ts'
import { DraftQuestionView } from '../../drafts/drafts.schema.ts'
import { EditorKeys } from './editor-shortcuts.tsx'
import { QuestionPreview } from './question-preview.tsx'
import { TextWithImages } from './text-with-images.tsx'

/** Where one goes after saving: back to the list, on to the next question, or nowhere. */
type After = 'back' | 'next' | 'stay'

/** One question of the draft: all that can be said of it, and how learners will see it. `stored` null adds one. */
export function QuestionEditor({
  examId,
  adminId,
  stored,
  domains,
  neighbours,
  backTo,
  listState,
}: {
  examId: string
  adminId: string
  stored: DraftQuestionView | null
  domains: readonly string[]
  neighbours: { readonly previous: string | null; readonly next: string | null }
  backTo: string
  /** Goes along to the next question, so that its way back leads to the same list. */
  listState: object | null
}) {
  const navigate = useNavigate()
  const domainsId = useId()
  const key = typedKey(adminId, `question.${examId}.${stored?.question.id ?? 'new'}`)
  const form = useRef<HTMLFormElement>(null)
  const [history, setHistory] = useState(() =>
    beginHistory(stored === null ? emptyQuestion : toEdited(stored.question)),
  )
  const [saved, setSaved] = useState(history.now)
  const [version, setVersion] = useState(stored?.version ?? 0)
  const [failure, setFailure] = useState<CallFailed | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isTouched, setTouched] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [hasPreview, setPreview] = useState(true)
  const [hasHelp, setHelp] = useState(false)
  const made = useRef(MAX_OPTIONS)
  const focusOn = useRef<string | null>(null)
  const edited = history.now
  const shown = useDeferredValue(edited)
  const isUnsaved = !isSame(edited, saved)
  useFirstProblem(form, failure)
  // Before the first change what lies on the device is from a visit before.
  const onDevice = useTyped(key, Edited)
  const kept = !isTouched && onDevice !== null && !isSame(onDevice.value, saved) ? onDevice : null
  const conflict = DraftQuestionView.safeParse(failure?.facts['stored'])
  const problemOf = (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`question.${field}`)

  const show = (next: typeof history) => {
    setTouched(true)
    setHistory(next)
    if (isSame(next.now, saved)) discardUnsavedText(key)
    else storeUnsavedText(key, next.now, version)
  }
  const change = (changed: Partial<Edited>, field: string | null = null) => {
    const newId = stored === null ? (edited.newId ?? `q-${crypto.randomUUID()}`) : undefined
    show(withChange(history, { ...edited, newId, ...changed }, field, Date.now()))
  }
  const changeOption = (at: number, changed: Partial<EditedOption>, field: string | null = null) =>
    change(
      { options: edited.options.map((option, place) => (place === at ? { ...option, ...changed } : option)) },
      field,
    )
  const addOption = () => {
    if (edited.options.length >= MAX_OPTIONS) return
    const option = emptyOption(`new-${made.current++}`)
    focusOn.current = option.key
    change({ options: [...edited.options, option] })
  }

  useEffect(() => {
    // Outside: the focus goes to the answer that is new or was moved.
    if (focusOn.current === null) return
    form.current?.querySelector<HTMLElement>(`[data-option="${CSS.escape(focusOn.current)}"] textarea`)?.focus()
    focusOn.current = null
  })

  const attempt = async (act: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    try {
      await act()
      return true
    } catch (error) {
      if (error instanceof CallFailed) setFailure(error)
      else toast('error', copy['editor.save'], messageOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  const save = (after: After, asOf = version) =>
    attempt(async () => {
      const sent = edited
      const question = toQuestionEdit(sent)
      const done =
        stored === null
          ? await addQuestion(examId, question, sent.newId ?? `q-${crypto.randomUUID()}`)
          : await changeQuestion(examId, stored.question.id, question, asOf)
      discardUnsavedText(key)
      setSaved(sent)
      setVersion(done.version)
      if (done.notes.length === 0) toast('success', copy['editor.saved'])
      else toast('warning', copy['editor.noted'], done.notes.map(({ sentence }) => sentence).join(' '))
      leave(after, done.question.id)
    })
  // The guard looks at the page before this state is shown, so going comes after it.
  const [goTo, setGoTo] = useState<string | null>(null)
  useEffect(() => {
    if (goTo !== null && !isUnsaved) void navigate(goTo, { state: listState })
  }, [goTo, isUnsaved, navigate, listState])
  const leave = (after: After, id: string) => {
    if (after === 'back') setGoTo(backTo)
    else if (after === 'stay') setGoTo(stored === null ? paths.adminQuestion(examId, id) : null)
    else if (stored !== null && neighbours.next !== null) setGoTo(paths.adminQuestion(examId, neighbours.next))
    else if (stored !== null) setGoTo(paths.adminNewQuestion(examId))
    else {
      // The next new one, in the same form: mostly of the same domain.
      const empty = { ...emptyQuestion, domain: edited.domain }
      setHistory(beginHistory(empty))
      setSaved(empty)
      setVersion(0)
      setTouched(false)
      form.current?.querySelector<HTMLElement>('textarea')?.focus()
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void save('back')
  }
  const handleTake = (theirs: DraftQuestionView) => {
    const next = toEdited(theirs.question)
    discardUnsavedText(key)
    setSaved(next)
    setHistory(beginHistory(next))
    setVersion(theirs.version)
    setFailure(null)
  }
  const handleDelete = () =>
    attempt(async () => {
      setDeleting(false)
      if (stored === null) return
      const { taken } = await removeQuestions(examId, [stored.question.id])
      discardUnsavedText(key)
      setSaved(edited)
      offerUndo({ examId, said: copy['editor.deleted'], run: () => restoreQuestions(examId, taken) })
      toast('success', copy['editor.deleted'])
      setGoTo(backTo)
    })

  const optionAt = (target: EventTarget | null) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-option]') : null
    return edited.options.findIndex((option) => option.key === row?.dataset['option'])
  }
  const act = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('dialog') !== null) return
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    const action = editorAction(event, isTyping)
    if (action === null) return
    event.preventDefault()
    if (action.kind === 'save' && !isBusy) void save('stay')
    if (action.kind === 'save-next' && !isBusy) void save('next')
    if (action.kind === 'undo') show(undo(history))
    if (action.kind === 'redo') show(redo(history))
    if (action.kind === 'new-answer') addOption()
    if (action.kind === 'preview') setPreview(!hasPreview)
    if (action.kind === 'help') setHelp(true)
    if (action.kind === 'mark' && edited.options[action.place] !== undefined)
      changeOption(action.place, { isRight: edited.options[action.place]?.isRight !== true })
    if (action.kind === 'move-answer') {
      const place = optionAt(event.target)
      focusOn.current = edited.options[place]?.key ?? null
      if (place !== -1) change({ options: moveOption(edited.options, place, action.by) })
    }
    if (action.kind === 'go') {
      const to = action.by === -1 ? neighbours.previous : neighbours.next
      if (to !== null) void navigate(paths.adminQuestion(examId, to), { state: listState })
    }
  }
  const latest = useRef(act)
  const latestSave = useRef(save)
  useEffect(() => {
    latest.current = act
    latestSave.current = save
  })
  useEffect(() => {
    // Outside: keys, wherever the focus is on the page.
    const handle = (event: KeyboardEvent) => latest.current(event)
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
  const isCutOff = failure?.status === 0 && isUnsaved
  useEffect(() => {
    // Outside: the network. What could not be sent is sent when it is back.
    if (!isCutOff) return
    const handle = () => void latestSave.current('stay')
    window.addEventListener('online', handle)
    return () => window.removeEventListener('online', handle)
  }, [isCutOff])

  return (
    <div className={`mt-6 grid gap-x-12 gap-y-10 ${hasPreview ? 'desktop:grid-cols-2' : 'max-w-exam'}`}>
      <form ref={form} onSubmit={handleSubmit} noValidate className="min-w-0 space-y-6">
        {kept === null ? null : (
          <Notice tone="flag" title={fill(copy['editor.kept'], { at: formatInstant(new Date(kept.at)) })}>
            {kept.base === version ? null : <p>{copy['editor.kept.older']}</p>}
            <div className="mt-3 flex flex-wrap gap-2">
              <Button look="secondary" onClick={() => show(withChange(history, kept.value, null, Date.now()))}>
                {copy['editor.kept.take']}
              </Button>
              <Button look="secondary" onClick={() => discardUnsavedText(key)}>
                {copy['editor.kept.discard']}
              </Button>
            </div>
          </Notice>
        )}
        {failure === null ? null : (
          <Notice tone="bad">
            <p>{failure.message}</p>
            {failure.status === 0 ? <p>{copy['editor.kept.here']}</p> : null}
            {conflict.success ? (
              <Conflict
                theirs={conflict.data}
                onTake={() => handleTake(conflict.data)}
                onMine={() => {
                  setVersion(conflict.data.version)
                  void save('back', conflict.data.version)
                }}
              />
            ) : null}
          </Notice>
        )}
        <TextWithImages
          label={copy['editor.stem']}
          hint={copy['editor.markdown']}
          value={edited.stem}
          problem={problemOf('stem')}
          hasButton
          onText={(stem, isTyped) => change({ stem }, isTyped ? 'stem' : null)}
        />
        <fieldset>
          <legend className="text-sm font-medium">{copy['editor.answers']}</legend>
          <p className="mt-1 text-sm text-soft">{copy['editor.answers.hint']}</p>
          {problemOf('options') === undefined ? null : (
            <p role="alert" className="mt-1 text-sm text-bad">
              {problemOf('options')}
            </p>
          )}
          <ul className="mt-3 space-y-4">
            {edited.options.map((option, place) => {
              const letter = (LETTERS[place] ?? '').toUpperCase()
              return (
                <li
                  key={option.key}
                  data-option={option.key}
                  className="grid grid-cols-[2.75rem_1fr_2.75rem] items-start gap-x-1"
                >
                  <label className="mt-6 flex size-11 items-center justify-center">
                    <span className="sr-only">{fill(copy['editor.answer.right'], { letter })}</span>
                    <input
                      type="checkbox"
                      checked={option.isRight}
                      onChange={(event) => changeOption(place, { isRight: event.target.checked })}
                      className="size-5 accent-good"
                    />
                  </label>
                  <TextWithImages
                    label={fill(copy['editor.answer'], { letter })}
                    isShort
                    value={option.text}
                    problem={problemOf(`options.${place}.text`)}
                    onText={(text, isTyped) => changeOption(place, { text }, isTyped ? option.key : null)}
                  />
                  <IconButton
                    label={fill(copy['editor.answer.remove'], { letter })}
                    disabled={edited.options.length <= MIN_OPTIONS}
                    onClick={() => change({ options: edited.options.filter((_, at) => at !== place) })}
                    className="mt-6"
                  >
                    <TrashIcon />
                  </IconButton>
                </li>
              )
            })}
          </ul>
          {edited.options.length >= MAX_OPTIONS ? null : (
            <Button look="secondary" className="mt-3" onClick={addOption}>
              <PlusIcon />
              {copy['editor.answer.add']}
            </Button>
          )}
        </fieldset>
        <TextWithImages
          label={copy['editor.explanation']}
          value={edited.explanation}
          problem={problemOf('explanation')}
          hasButton
          onText={(explanation, isTyped) => change({ explanation }, isTyped ? 'explanation' : null)}
        />
        <Field
          label={copy['editor.domain']}
          list={domainsId}
          value={edited.domain}
          problem={problemOf('domain')}
          onChange={(event) => change({ domain: event.target.value }, 'domain')}
        />
        <datalist id={domainsId}>
          {domains.map((domain) => (
            <option key={domain} value={domain}>
              {domain}
            </option>
          ))}
        </datalist>
        <Field
          label={copy['editor.url']}
          type="url"
          value={edited.url}
          problem={problemOf('url')}
          onChange={(event) => change({ url: event.target.value }, 'url')}
        />
        <Choice
          type="checkbox"
          checked={edited.needsReview}
          onChange={(event) => change({ needsReview: event.target.checked })}
        >
          {copy['editor.review']}
        </Choice>
        <div className="flex flex-wrap items-center gap-3 border-t border-line bg-paper py-3 desktop:sticky desktop:bottom-0">
          <Button type="submit" aria-busy={isBusy}>
            {copy['editor.save']}
          </Button>
          <Button look="secondary" aria-busy={isBusy} onClick={() => (isBusy ? undefined : void save('next'))}>
            {copy['editor.save.next']}
          </Button>
          <Button look="quiet" disabled={history.past.length === 0} onClick={() => show(undo(history))}>
            {copy['editor.undo']}
          </Button>
          <Button look="quiet" disabled={history.future.length === 0} onClick={() => show(redo(history))}>
            {copy['editor.redo']}
          </Button>
          {stored === null ? null : (
            <Button look="quiet" disabled={isBusy} onClick={() => setDeleting(true)}>
              {copy['editor.delete']}
            </Button>
          )}
          <p role="status" className="text-sm text-soft">
            {isUnsaved ? copy['editor.state.typed'] : ''}
          </p>
        </div>
      </form>
      <div className="min-w-0">
        <div className="mb-4 flex flex-wrap gap-2">
          <Button look="quiet" className="-ml-4" aria-pressed={hasPreview} onClick={() => setPreview(!hasPreview)}>
            {hasPreview ? copy['editor.preview.hide'] : copy['editor.preview.show']}
          </Button>
          <Button look="quiet" onClick={() => setHelp(true)}>
            {copy['editor.keys']}
          </Button>
        </div>
        {hasPreview ? <QuestionPreview title={copy['editor.preview']} question={shown} /> : null}
      </div>
      <EditorKeys isOpen={hasHelp} onClose={() => setHelp(false)} />
      <LeaveGuard isUnsaved={isUnsaved} onSave={() => save('stay')} />
      <Dialog title={copy['editor.delete.title']} isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <div className="p-5">
          <p>{copy['editor.delete.about']}</p>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button look="danger" onClick={() => void handleDelete()}>
              {copy['editor.delete.now']}
            </Button>
            <Button look="secondary" onClick={() => setDeleting(false)}>
              {copy['exam.keep']}
            </Button>
          </div>
        </div>
      </Dialog>
    </div>
  )
}

/** Somebody was quicker: who, when, what is stored now, and the two ways on. */
function Conflict({ theirs, onTake, onMine }: { theirs: DraftQuestionView; onTake: () => void; onMine: () => void }) {
  const by = { name: theirs.updatedBy ?? copy['editor.conflict.somebody'], at: formatInstant(theirs.updatedAt) }
  return (
    <>
      <p className="mt-1">{fill(copy['editor.conflict'], by)}</p>
      <div className="mt-3 rounded-md bg-surface p-4 text-ink">
        <QuestionPreview title={copy['editor.conflict.stored']} question={theirs.question} />
      </div>
      <p className="mt-3">{copy['editor.conflict.kept']}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button look="secondary" onClick={onMine}>
          {copy['editor.conflict.mine']}
        </Button>
        <Button look="secondary" onClick={onTake}>
          {copy['editor.conflict.take']}
        </Button>
      </div>
    </>
  )
}
