import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentProps,
} from 'react'
import type { Choosable, ChoicePage, ChoiceReply } from './chooser-list.tsx'
import { ChevronIcon } from './icons.tsx'
import { inputLook, Labelled } from './labelled.tsx'

const importList = () => import('./chooser-list.tsx')
const ChooserList = lazy(importList)
// Only pages of admins import this file. The list has loaded before a user reaches a field; a failure to load is reported when it renders.
if (!import.meta.env.SSR) importList().catch(() => undefined)

const placeholder = 'None chosen'
/** Fetches after a pause in typing, because searches are limited. */
const TYPING_PAUSE_MS = 150

/** Picked: an item was chosen. Typed: the text chooses nothing yet. Restored: the earlier choice is back. */
type ChoiceSource = 'picked' | 'typed' | 'restored'

type ChooserProps<Item extends Choosable> = {
  label: string
  hint?: string | undefined
  problem?: string | null | undefined
  className?: string | undefined
  /** The initial choice. */
  chosen?: Item | null
  /** The initial text, when it chose nothing. */
  typed?: string | null
  /** The key of a visit. A new visit, or a new initial choice, discards what was typed. */
  visit?: string
  /** The first item of the list, for choosing nothing, such as 'All courses'. */
  none?: string
  /** In a form: the names of the fields for the chosen id and for text that chose nothing. */
  names?: { readonly chosen: string; readonly typed: string }
  /** The field is cleared after each pick, for the next one. */
  isEmptied?: boolean
  /** Finds the first matching items; without a search text, the items that changed last. */
  find: (search: string, signal: AbortSignal) => Promise<ChoicePage<Item>>
  /** Secondary text for items with equal titles. */
  describe: (item: Item) => string
  onChoose?: (item: Item | null, how: ChoiceSource) => void
}

const neverChanges = () => () => undefined

/**
 * A text field that searches the server and offers the matches. In a form without a script, or when the text chose nothing, the text
 * is sent under its own name and the server resolves it.
 */
export function Chooser<Item extends Choosable>(props: ChooserProps<Item>) {
  const { label, hint, problem, className, none, names } = props
  const hasScript = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  const chooser = useChooser(props)
  const { chosen, typed } = chooser
  return (
    <Labelled label={label} problem={problem} hint={hint} className={className}>
      {(labelled) => {
        const field: ComponentProps<'input'> & { id: string } = {
          ...labelled,
          type: 'text',
          autoComplete: 'off',
          spellCheck: false,
          placeholder: none ?? placeholder,
          name: hasScript && typed === null ? undefined : names?.typed,
          className: `${inputLook} min-h-11 truncate pr-10`,
        }
        const text = typed ?? chosen?.title ?? ''
        const plain = <input {...field} value={text} onChange={(event) => chooser.handleType(event.target.value)} />
        return (
          <div
            className="relative"
            onBlur={(event) => {
              if (!event.currentTarget.contains(event.relatedTarget)) chooser.close()
            }}
          >
            {names === undefined || (hasScript && typed !== null) ? null : (
              <input type="hidden" name={names.chosen} value={chosen?.id ?? ''} />
            )}
            {hasScript ? (
              <Suspense fallback={plain}>
                <ChooserList
                  field={field}
                  text={text}
                  label={label}
                  none={none}
                  chooser={chooser}
                  submitsText={names !== undefined}
                  describe={(id) => {
                    const item = chooser.found.find((one) => one.id === id)
                    return item === undefined ? '' : props.describe(item)
                  }}
                />
              </Suspense>
            ) : (
              plain
            )}
            <span className="pointer-events-none absolute top-3 right-3 text-soft">
              <ChevronIcon />
            </span>
          </div>
        )
      }}
    </Labelled>
  )
}

export type ChooserState = ReturnType<typeof useChooser>

/** The state of a chooser: what is typed and chosen, whether the list is open, and what it holds. */
function useChooser<Item extends Choosable>(props: ChooserProps<Item>) {
  const { isEmptied = false, find, onChoose } = props
  const input = useRef<HTMLInputElement>(null)
  const { chosen, setChosen, typed, setTyped } = useChoice(props)
  /** Null while closed, then the number of retries: a change searches again. */
  const [attempt, setAttempt] = useState<number | null>(null)
  const isOpen = attempt !== null
  const search = (typed ?? '').trim()
  const [reply, forgetReply] = useSuggestions(find, search, attempt)
  const found = reply?.kind === 'found' ? reply.page.choices : []

  const open = () => {
    if (isOpen) return
    forgetReply()
    setAttempt(0)
  }
  const close = () => setAttempt(null)
  const pick = (id: string) => {
    const item = found.find((one) => one.id === id) ?? null
    close()
    setTyped(null)
    setChosen(isEmptied ? null : item)
    onChoose?.(item, 'picked')
  }
  const restore = () => {
    close()
    setTyped(null)
    if (typed !== null) onChoose?.(chosen, 'restored')
  }
  const handleType = (text: string) => {
    open()
    setTyped(text)
    onChoose?.(null, 'typed')
  }
  const handleClick = () => {
    if (!isOpen && typed === null) input.current?.select()
    open()
  }
  const tryAgain = () => {
    forgetReply()
    setAttempt((attempt ?? 0) + 1)
    input.current?.focus()
  }
  const state = { input, chosen, typed, search, isOpen, reply, found }
  return { ...state, open, close, pick, restore, handleType, handleClick, tryAgain }
}

/** What is chosen and typed. Both start from the page's values, and start again when these or the visit change. */
function useChoice<Item extends Choosable>(props: ChooserProps<Item>) {
  const { chosen: initial = null, typed: initialText = null, visit } = props
  const [last, setLast] = useState({ initial, initialText, visit })
  const [chosen, setChosen] = useState(initial)
  const [typed, setTyped] = useState(initialText)
  if (last.initial?.id !== initial?.id || last.initialText !== initialText || last.visit !== visit) {
    setLast({ initial, initialText, visit })
    setChosen(initial)
    setTyped(initialText)
  }
  return { chosen, setChosen, typed, setTyped }
}

/** The reply for the current search text, null until it arrives; and a function that discards it. */
function useSuggestions<Item>(
  find: (search: string, signal: AbortSignal) => Promise<ChoicePage<Item>>,
  search: string,
  attempt: number | null,
) {
  const [reply, setReply] = useState<ChoiceReply<Item> | null>(null)
  const request = useEffectEvent((signal: AbortSignal) => find(search, signal))
  useEffect(() => {
    // Fetches suggestions; aborts the previous request so that only the latest reply is shown.
    if (attempt === null) return
    const aborter = new AbortController()
    const receive = (next: ChoiceReply<Item>) => (aborter.signal.aborted ? undefined : setReply(next))
    const send = () =>
      request(aborter.signal).then(
        (page) => receive({ kind: 'found', search, page }),
        (error: unknown) => receive({ kind: 'failed', search, why: error instanceof Error ? error.message : '' }),
      )
    const timer = setTimeout(() => void send(), search === '' ? 0 : TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [attempt, search])
  return [reply?.search === search ? reply : null, () => setReply(null)] as const
}
