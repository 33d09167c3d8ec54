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
type ChoicePage<One> = { readonly choices: readonly One[]; readonly foundCount: number }
type ChoiceReply<One> =
  | { readonly kind: 'found'; readonly to: string; readonly found: ChoicePage<One> }
  | { readonly kind: 'failed'; readonly to: string; readonly why: string }
/** Picked: it is what somebody wants. Typed: the text says nothing yet. Restored: it is what it was before. */
export type ChoiceSource = 'picked' | 'typed' | 'restored'

const neverChanges = () => () => undefined

/**
 * A field in which one types a part of a title and chooses among what the server finds, however much there is: the combobox
 * with a list of WAI-ARIA. In a form that is sent as an address, what was typed and not chosen is sent by a name of its own, and
 * the server makes sense of it; so does a form without a script.
 */
export function Chooser<One extends Choosable>({
  label,
  hint,
  problem,
  className,
  chosen: given = null,
  typed: givenText = null,
  visit,
  none,
  names,
  isEmptied = false,
  find,
  describe,
  onChoose,
}: {
  label: string
  hint?: string | undefined
  problem?: string | null | undefined
  className?: string | undefined
  /** What is chosen before anybody chooses. */
  chosen?: One | null
  /** What stands in the field instead, which chose nothing. */
  typed?: string | null
  /** When this changes, or what is chosen by the page, that counts again and not what was typed since: the key of a visit. */
  visit?: string
  /** What choosing nothing means, such as everything: the first of the list. */
  none?: string
  /** Of the chosen id, and of what was typed, in the form that holds the field. */
  names?: { readonly chosen: string; readonly typed: string }
  /** What is picked goes elsewhere, and the field is free for the next. */
  isEmptied?: boolean
  /** The beginning of what fits; what changed last, where nothing is searched for. */
  find: (search: string, signal: AbortSignal) => Promise<ChoicePage<One>>
  /** What tells things of the same title apart. */
  describe: (one: One) => string
  onChoose?: (one: One | null, how: ChoiceSource) => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const hasScript = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  const [last, setLast] = useState({ given, givenText, visit })
  const [chosen, setChosen] = useState(given)
  const [typed, setTyped] = useState(givenText)
  /** Since when it is open, counted by the questions that were begun anew. */
  const [opened, setOpened] = useState<number | null>(null)
  const [place, setPlace] = useState<number | null>(null)
  const [answer, setAnswer] = useState<ChoiceReply<One> | null>(null)
  if (last.given?.id !== given?.id || last.givenText !== givenText || last.visit !== visit) {
    setLast({ given, givenText, visit })
    setChosen(given)
    setTyped(givenText)
  }
  const isOpen = opened !== null
  const search = (typed ?? '').trim()
  const ask = useEffectEvent((signal: AbortSignal) => find(search, signal))
  useEffect(() => {
    // Outside: the server knows what there is. Of several questions the newest counts, the others are given up.
    if (opened === null) return
    const giveUp = new AbortController()
    const take = (next: ChoiceReply<One>) => (giveUp.signal.aborted ? undefined : setAnswer(next))
    ask(giveUp.signal).then(
      (found) => take({ kind: 'found', to: search, found }),
      (error: unknown) => take({ kind: 'failed', to: search, why: error instanceof Error ? error.message : '' }),
    )
    return () => giveUp.abort()
  }, [opened, search])

  const heard = answer?.to === search ? answer : null
  const found = heard?.kind === 'found' ? heard.found : null
  const options = found === null ? [] : [...(none === undefined || search !== '' ? [] : [null]), ...found.choices]
  const isListed = isOpen && options.length > 0
  const at = place === null || !isListed ? null : Math.min(place, options.length - 1)
  const optionId = (index: number) => `${id}-${index}`

  const open = () => {
    if (isOpen) return
    setAnswer(null)
    setOpened(0)
  }
  const close = () => {
    setOpened(null)
    setPlace(null)
  }
  const pick = (one: One | null) => {
    close()
    setTyped(null)
    setChosen(isEmptied ? null : one)
    onChoose?.(one, 'picked')
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
  const tryAgain = () => {
    setAnswer(null)
    setOpened((opened ?? 0) + 1)
    input.current?.focus()
  }
  /** True: the key was for the list. */
  const press = (event: KeyboardEvent): boolean => {
    const { key } = event
    if (event.nativeEvent.isComposing) return false
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const step = key === 'ArrowDown' ? 1 : -1
      if (at === null) setPlace(step > 0 ? 0 : Number.MAX_SAFE_INTEGER)
      else setPlace((at + step + options.length) % options.length)
      open()
      return true
    }
    if (key === 'Escape') {
      if (!isOpen && typed === null) return false
      restore()
      return true
    }
    if (!isOpen) return false
    if ((key === 'Home' || key === 'End') && at !== null) {
      setPlace(key === 'Home' ? 0 : options.length - 1)
      return true
    }
    if (key === 'Enter') return enter()
    if (key === 'Tab') {
      if (at !== null) pick(options[at] ?? null)
      else if (heard?.kind !== 'failed') close()
    }
    return false
  }
  const enter = (): boolean => {
    if (at !== null) pick(options[at] ?? null)
    else if (heard?.kind === 'failed') tryAgain()
    else if (names !== undefined) {
      // The form goes as it is: the server knows what fits.
      close()
      return false
    } else if (options.length === 1) pick(options[0] ?? null)
    return true
  }
  const handleClick = () => {
    if (!isOpen && typed === null) input.current?.select()
    open()
  }
  const rest = found === null ? 0 : found.foundCount - found.choices.length
  const status = heard === null ? words.busy : found === null ? '' : reportFound(found)
  return (
    <Labelled label={label} problem={problem} hint={hint} className={className}>
      {(field) => (
        <div
          className="relative"
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) close()
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
            aria-activedescendant={at === null ? undefined : optionId(at)}
            aria-busy={isOpen && heard === null}
            autoComplete="off"
            spellCheck={false}
            placeholder={none ?? words.placeholder}
            name={hasScript && typed === null ? undefined : names?.typed}
            value={typed ?? chosen?.title ?? ''}
            onChange={(event) => handleType(event.target.value)}
            onClick={handleClick}
            onKeyDown={(event) => {
              if (!press(event)) return
              // What the list has heard neither sends the form nor closes the dialog around it.
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
                  {options.map((one, index) => (
                    <Option
                      key={one?.id ?? ''}
                      id={optionId(index)}
                      isActive={index === at}
                      isChosen={one !== null && one.id === chosen?.id}
                      onPick={() => pick(one)}
                    >
                      {one === null ? none : one.title}
                      {one === null ? null : <span className="nums block text-sm text-soft">{describe(one)}</span>}
                    </Option>
                  ))}
                </div>
              ) : null}
              {heard === null ? <p className="animate-late px-4 py-3 text-sm text-soft">{words.busy}</p> : null}
              {found !== null && options.length === 0 ? <p className="px-4 py-3 text-sm">{words.none}</p> : null}
              {isListed && found !== null ? (
                <p className="nums border-t border-line px-4 py-2 text-sm text-soft">
                  {rest > 0 ? words.more.replace('{n}', rest.toLocaleString('en')) : reportFound(found)}
                </p>
              ) : null}
              {heard?.kind === 'failed' ? (
                <div role="alert" className="overflow-y-auto px-4 py-3 text-sm">
                  <p className="wrap-anywhere">
                    {words.failed} {heard.why}
                  </p>
                  <Button look="secondary" className="mt-2" onClick={tryAgain}>
                    {words.again}
                  </Button>
                </div>
              ) : null}
            </Popup>
          ) : null}
        </div>
      )}
    </Labelled>
  )
}

function reportFound({ choices, foundCount }: ChoicePage<unknown>): string {
  if (foundCount === 0) return words.none
  const said = words.found.replace('{n}', foundCount.toLocaleString('en'))
  return choices.length < foundCount ? `${said} ${words.listed.replace('{n}', String(choices.length))}` : said
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
    // Outside: the list scrolls to what the keys have reached.
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

/** Under the field, or above it where there is more room; over everything, a dialog too, and never out of the window. */
function Popup({ field, children }: { field: RefObject<HTMLInputElement | null>; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // Outside: the browser's top layer, and where the field stands in the window.
    const popup = ref.current
    if (popup === null) return
    popup.showPopover()
    const follow = () => {
      if (field.current !== null) put(popup, field.current.getBoundingClientRect())
    }
    follow()
    // The focus stays in the field.
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
/** From the edges of the window. */
const MARGIN = 8
const HEIGHT = 400
const WIDTH = 420

function put(popup: HTMLElement, field: DOMRect) {
  const { clientWidth, clientHeight } = document.documentElement
  const seen = window.visualViewport
  const bottom = seen === null ? clientHeight : Math.min(clientHeight, seen.offsetTop + seen.height)
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
