import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Button } from './button.tsx'
import { ChevronIcon } from './icons.tsx'
import { inputLook, Labelled } from './labelled.tsx'

const words = {
  placeholder: 'None chosen',
  busy: 'Looking…',
  none: 'Nothing fits.',
  found: '{n} found.',
  listed: 'The first {n} are listed.',
  more: '{n} more. Type a part of a title to find them.',
  failed: 'The search did not work; what you typed is still there.',
  again: 'Try again',
} as const

type Choosable = { readonly id: string; readonly title: string }
type ChoicePage<Item> = { readonly choices: readonly Item[]; readonly foundCount: number }
type ChoiceReply<Item> =
  | { readonly kind: 'found'; readonly search: string; readonly page: ChoicePage<Item> }
  | { readonly kind: 'failed'; readonly search: string; readonly why: string }
/** Picked: an item was chosen. Typed: the text chooses nothing yet. Restored: the earlier choice is back. */
export type ChoiceSource = 'picked' | 'typed' | 'restored'

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
 * A text field that searches the server and offers the matches: the combobox with a listbox of WAI-ARIA. In a form without a script, or
 * when the text chose nothing, the text is sent under its own name and the server resolves it.
 */
export function Chooser<Item extends Choosable>(props: ChooserProps<Item>) {
  const { label, hint, problem, className, none, names, describe } = props
  const id = useId()
  const hasScript = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  const chooser = useChooser(props)
  const { input, chosen, typed, isOpen, reply, options, activeIndex } = chooser
  const isListed = isOpen && options.length > 0
  const optionId = (index: number) => `${id}-${index}`
  const status = reply === null ? words.busy : reply.kind === 'found' ? reportFound(reply.page) : ''
  return (
    <Labelled label={label} problem={problem} hint={hint} className={className}>
      {(field) => (
        <div
          className="relative"
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) chooser.close()
          }}
        >
          {names === undefined || (hasScript && typed !== null) ? null : (
            <input type="hidden" name={names.chosen} value={chosen?.id ?? ''} />
          )}
          <input
            ref={input}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isListed}
            aria-controls={isListed ? `${id}-list` : undefined}
            aria-activedescendant={activeIndex === null ? undefined : optionId(activeIndex)}
            aria-busy={isOpen && reply === null}
            autoComplete="off"
            spellCheck={false}
            placeholder={none ?? words.placeholder}
            name={hasScript && typed === null ? undefined : names?.typed}
            value={typed ?? chosen?.title ?? ''}
            onChange={(event) => chooser.handleType(event.target.value)}
            onClick={chooser.handleClick}
            onKeyDown={(event) => {
              if (!chooser.handleKey(event)) return
              // A key for the list neither submits the form nor closes the dialog around it.
              event.preventDefault()
              event.stopPropagation()
            }}
            className={`${inputLook} min-h-11 truncate pr-10`}
            {...field}
          />
          <span className="pointer-events-none absolute top-3 right-3 text-soft">
            <ChevronIcon />
          </span>
          <span role="status" className="sr-only">
            {isOpen ? status : ''}
          </span>
          {isOpen ? (
            <Popup field={input}>
              {isListed ? (
                <div id={`${id}-list`} role="listbox" aria-label={label} className="min-h-0 overflow-y-auto p-1">
                  {options.map((item, index) => (
                    <Option
                      key={item?.id ?? ''}
                      id={optionId(index)}
                      isActive={index === activeIndex}
                      isChosen={item !== null && item.id === chosen?.id}
                      onPick={() => chooser.pick(item)}
                    >
                      {item === null ? none : item.title}
                      {item === null ? null : <span className="nums block text-sm text-soft">{describe(item)}</span>}
                    </Option>
                  ))}
                </div>
              ) : null}
              <PopupStatus reply={reply} isListed={isListed} onTryAgain={chooser.tryAgain} />
            </Popup>
          ) : null}
        </div>
      )}
    </Labelled>
  )
}

/** Below the list: that the search runs, what it found, or why it failed. */
function PopupStatus({
  reply,
  isListed,
  onTryAgain,
}: {
  reply: ChoiceReply<unknown> | null
  isListed: boolean
  onTryAgain: () => void
}) {
  if (reply === null) return <p className="animate-late px-4 py-3 text-sm text-soft">{words.busy}</p>
  if (reply.kind === 'failed')
    return (
      <div role="alert" className="overflow-y-auto px-4 py-3 text-sm">
        <p className="wrap-anywhere">
          {words.failed} {reply.why}
        </p>
        <Button look="secondary" className="mt-2" onClick={onTryAgain}>
          {words.again}
        </Button>
      </div>
    )
  if (!isListed) return <p className="px-4 py-3 text-sm">{words.none}</p>
  const rest = reply.page.foundCount - reply.page.choices.length
  return (
    <p className="nums border-t border-line px-4 py-2 text-sm text-soft">
      {rest > 0 ? words.more.replace('{n}', rest.toLocaleString('en')) : reportFound(reply.page)}
    </p>
  )
}

/** The state of a chooser: what is typed and chosen, the open list, and its active option. */
function useChooser<Item extends Choosable>(props: ChooserProps<Item>) {
  const { none, names, isEmptied = false, find, onChoose } = props
  const input = useRef<HTMLInputElement>(null)
  const { chosen, setChosen, typed, setTyped } = useChoice(props)
  /** Null while closed, then the number of retries: a change searches again. */
  const [attempt, setAttempt] = useState<number | null>(null)
  const [place, setPlace] = useState<number | null>(null)
  const isOpen = attempt !== null
  const search = (typed ?? '').trim()
  const [reply, forgetReply] = useSuggestions(find, search, attempt)
  const found = reply?.kind === 'found' ? reply.page.choices : null
  const options = found === null ? [] : [...(none === undefined || search !== '' ? [] : [null]), ...found]
  const activeIndex = place === null || !isOpen || options.length === 0 ? null : Math.min(place, options.length - 1)

  const open = () => {
    if (isOpen) return
    forgetReply()
    setAttempt(0)
  }
  const close = () => {
    setAttempt(null)
    setPlace(null)
  }
  const pick = (item: Item | null) => {
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
    setPlace(null)
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
  const step = (by: 1 | -1) => {
    if (activeIndex === null) setPlace(by > 0 ? 0 : Number.MAX_SAFE_INTEGER)
    else setPlace((activeIndex + by + options.length) % options.length)
    open()
  }
  /** Returns whether the list handled the key. */
  const handleKey = ({ key, nativeEvent }: KeyboardEvent): boolean => {
    if (nativeEvent.isComposing) return false
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      step(key === 'ArrowDown' ? 1 : -1)
      return true
    }
    if (key === 'Escape') {
      if (!isOpen && typed === null) return false
      restore()
      return true
    }
    if (!isOpen) return false
    if ((key === 'Home' || key === 'End') && activeIndex !== null) {
      setPlace(key === 'Home' ? 0 : options.length - 1)
      return true
    }
    if (key === 'Enter') return enter()
    if (key === 'Tab') {
      if (activeIndex !== null) pick(options[activeIndex] ?? null)
      else if (reply?.kind !== 'failed') close()
    }
    return false
  }
  const enter = (): boolean => {
    if (activeIndex !== null) pick(options[activeIndex] ?? null)
    else if (reply?.kind === 'failed') tryAgain()
    else if (names !== undefined) {
      // The form is submitted as it is: the server resolves the text.
      close()
      return false
    } else if (options.length === 1) pick(options[0] ?? null)
    return true
  }
  const state = { input, chosen, typed, isOpen, reply, options, activeIndex }
  return { ...state, close, pick, handleType, handleClick, handleKey, tryAgain }
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
    request(aborter.signal).then(
      (page) => receive({ kind: 'found', search, page }),
      (error: unknown) => receive({ kind: 'failed', search, why: error instanceof Error ? error.message : '' }),
    )
    return () => aborter.abort()
  }, [attempt, search])
  return [reply?.search === search ? reply : null, () => setReply(null)] as const
}

function reportFound({ choices, foundCount }: ChoicePage<unknown>): string {
  if (foundCount === 0) return words.none
  const text = words.found.replace('{n}', foundCount.toLocaleString('en'))
  return choices.length < foundCount ? `${text} ${words.listed.replace('{n}', String(choices.length))}` : text
}

function Option({
  id,
  isActive,
  isChosen,
  onPick,
  children,
}: {
  id: string
  isActive: boolean
  isChosen: boolean
  onPick: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      ref={ref}
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onClick={onPick}
      className={`block min-h-11 w-full text-left rounded-md px-3 py-2 wrap-anywhere hover:bg-sunken aria-selected:bg-accent-soft aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent ${isChosen ? 'font-semibold' : ''}`}
    >
      {children}
    </button>
  )
}

/** A popup below the field, or above it where more space is. It covers everything, dialogs too, and never leaves the window. */
function Popup({ field, children }: { field: RefObject<HTMLInputElement | null>; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // The popup is in the browser's top layer, so it must follow the field when the page scrolls.
    const popup = ref.current
    if (popup === null) return
    popup.showPopover()
    const follow = () => {
      if (field.current !== null) placePopup(popup, field.current.getBoundingClientRect())
    }
    follow()
    // A press on the popup must not take the focus from the field.
    const keepFocus = (event: MouseEvent) => event.preventDefault()
    popup.addEventListener('mousedown', keepFocus)
    const keyboard = window.visualViewport
    window.addEventListener('scroll', follow, { capture: true, passive: true })
    window.addEventListener('resize', follow)
    keyboard?.addEventListener('resize', follow)
    return () => {
      popup.removeEventListener('mousedown', keepFocus)
      window.removeEventListener('scroll', follow, { capture: true })
      window.removeEventListener('resize', follow)
      keyboard?.removeEventListener('resize', follow)
    }
  }, [field])
  return (
    <div
      ref={ref}
      popover="manual"
      className="fixed inset-auto m-0 flex-col overflow-hidden rounded-md border border-line-strong bg-surface p-0 text-base text-ink shadow-over open:flex"
    >
      {children}
    </div>
  )
}

const GAP = 4
/** The distance from the edges of the window. */
const MARGIN = 8
const HEIGHT = 400
const WIDTH = 420

function placePopup(popup: HTMLElement, field: DOMRect) {
  const { clientWidth, clientHeight } = document.documentElement
  const visible = window.visualViewport
  const bottom = visible === null ? clientHeight : Math.min(clientHeight, visible.offsetTop + visible.height)
  const below = bottom - field.bottom - GAP - MARGIN
  const above = field.top - GAP - MARGIN
  const isAbove = below < HEIGHT / 2 && above > below
  const width = Math.min(Math.max(field.width, WIDTH), clientWidth - 2 * MARGIN)
  popup.style.width = `${width}px`
  popup.style.left = `${Math.max(MARGIN, Math.min(field.left, clientWidth - width - MARGIN))}px`
  popup.style.top = isAbove ? 'auto' : `${field.bottom + GAP}px`
  popup.style.bottom = isAbove ? `${clientHeight - field.top + GAP}px` : 'auto'
  popup.style.maxHeight = `${Math.min(HEIGHT, Math.max(0, isAbove ? above : below))}px`
}
