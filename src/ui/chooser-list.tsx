import { Combobox } from '@base-ui/react/combobox'
import { useEffect, useRef, useState, type ComponentProps, type ReactNode, type RefObject } from 'react'
import { Button } from './button.tsx'
import type { ChooserState } from './chooser.tsx'
import { useChooserKeys } from './use-chooser-keys.ts'

const words = {
  busy: 'Looking…',
  none: 'Nothing fits.',
  found: '{n} found.',
  listed: 'The first {n} are listed.',
  more: '{n} more. Type a part of a title to find them.',
  failed: 'The search did not work; what you typed is still there.',
  again: 'Try again',
} as const

export type Choosable = { readonly id: string; readonly title: string }
export type ChoicePage<Item> = { readonly choices: readonly Item[]; readonly foundCount: number }
export type ChoiceReply<Item> =
  | { readonly kind: 'found'; readonly search: string; readonly page: ChoicePage<Item> }
  | { readonly kind: 'failed'; readonly search: string; readonly why: string }

type ListProps = {
  field: ComponentProps<'input'> & { id: string }
  text: string
  label: string
  none: string | undefined
  chooser: ChooserState
  /** Whether text that chose nothing may be sent with the form. */
  submitsText: boolean
  describe: (id: string) => string
}

const GAP = 4
/** The distance from the edges of the window. */
const MARGIN = 8

/** The field of a chooser with the list of what was found. Its item without an id chooses nothing. */
export default function ChooserList({ field, text, label, none, chooser, submitsText, describe }: ListProps) {
  const { input, chosen, search, isOpen, reply, found } = chooser
  const place = useRef<HTMLDivElement>(null)
  const actions = useRef<Combobox.Root.Actions | null>(null)
  const items: readonly Choosable[] =
    reply?.kind === 'found' ? [...(none === undefined || search !== '' ? [] : [{ id: '', title: none }]), ...found] : []
  const isListed = isOpen && items.length > 0
  const { moved, setMoved, setActiveIndex, handleKey } = useChooserKeys(chooser, { place, isListed, submitsText })
  // This replaces a plain field, which may have the focus already.
  const [isFocused] = useState(() => document.activeElement?.id === field.id)
  useEffect(() => {
    // Without the popup of the package nothing else ends its closing phase, which forgets the active item.
    if (!isOpen) actions.current?.unmount()
  }, [isOpen])
  const status = reply === null ? words.busy : reply.kind === 'found' ? reportFound(reply.page) : ''
  return (
    <Combobox.Root<Choosable>
      id={field.id}
      actionsRef={actions}
      items={items}
      filter={null}
      value={chosen}
      isItemEqualToValue={(item, value) => item.id === value.id}
      itemToStringLabel={({ title }) => title}
      inputValue={text}
      open={isOpen}
      openOnInputClick={false}
      // Otherwise the arrows would stop at the field between the last item and the first.
      autoHighlight={moved !== null}
      onItemHighlighted={(_item, { index }) => setActiveIndex(index < 0 ? null : index)}
      {...handlersOf(chooser, () => setMoved(null))}
    >
      <Combobox.Input
        {...field}
        ref={input}
        autoFocus={isFocused}
        aria-expanded={isListed}
        aria-busy={isOpen && reply === null}
        onClick={chooser.handleClick}
        onKeyDown={handleKey}
      />
      <span role="status" aria-live="polite" className="sr-only">
        {isOpen ? status : ''}
      </span>
      <div ref={place} />
      {isOpen ? (
        <Popup place={place}>
          {isListed ? <Choices items={items} label={label} chosenId={chosen?.id} describe={describe} /> : null}
          <PopupStatus reply={reply} isListed={isListed} onTryAgain={chooser.tryAgain} />
        </Popup>
      ) : null}
    </Combobox.Root>
  )
}

/** The package's events that change what is chosen, typed or open. Its other events follow from what the chooser did itself. */
function handlersOf(
  chooser: ChooserState,
  onType: () => void,
): Pick<Combobox.Root.Props<Choosable>, 'onInputValueChange' | 'onValueChange' | 'onOpenChange'> {
  return {
    onInputValueChange(value, { reason }) {
      if (reason !== 'input-change') return
      onType()
      chooser.handleType(value)
    },
    onValueChange(item, { reason }) {
      if (reason === 'item-press' && item !== null) chooser.pick(item.id)
    },
    onOpenChange(isOpening, { reason }) {
      if (isOpening && reason === 'list-navigation') chooser.open()
      if (!isOpening && (reason === 'outside-press' || reason === 'focus-out')) chooser.close()
    },
  }
}

function Popup({ place, children }: { place: RefObject<HTMLElement | null>; children: ReactNode }) {
  return (
    <Combobox.Portal container={place}>
      <Combobox.Positioner
        ref={showInTopLayer}
        popover="manual"
        positionMethod="fixed"
        align="start"
        sideOffset={GAP}
        collisionPadding={MARGIN}
        className="m-0 overflow-visible border-0 bg-transparent p-0 text-base text-ink"
        // A press on the list must not take the focus from the field.
        onMouseDown={(event) => event.preventDefault()}
      >
        <div className="flex max-h-[min(--spacing(100),var(--available-height))] w-(--anchor-width) max-w-(--available-width) tablet:w-[max(--spacing(105),var(--anchor-width))] flex-col overflow-hidden rounded-md border border-line-strong bg-surface shadow-over">
          {children}
        </div>
      </Combobox.Positioner>
    </Combobox.Portal>
  )
}

/** Shows the popup above everything, dialogs included; in an older browser (Safari before 17) only above the page. */
function showInTopLayer(popup: HTMLElement | null) {
  if (popup !== null && 'showPopover' in popup) popup.showPopover()
}

function Choices({
  items,
  label,
  chosenId,
  describe,
}: {
  items: readonly Choosable[]
  label: string
  chosenId: string | undefined
  describe: (id: string) => string
}) {
  return (
    <Combobox.List aria-label={label} className="min-h-0 overflow-y-auto p-1">
      {items.map((item) => (
        <Combobox.Item
          key={item.id}
          value={item}
          className={`min-h-11 rounded-md px-3 py-2 wrap-anywhere hover:bg-sunken data-highlighted:bg-accent-soft data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-accent ${item.id !== '' && item.id === chosenId ? 'font-semibold' : ''}`}
        >
          {item.title}
          {item.id === '' ? null : <span className="nums block text-sm text-soft">{describe(item.id)}</span>}
        </Combobox.Item>
      ))}
    </Combobox.List>
  )
}

/** The state of the search, below the list: running, the number found, or the failure. */
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

function reportFound({ choices, foundCount }: ChoicePage<unknown>): string {
  if (foundCount === 0) return words.none
  const text = words.found.replace('{n}', foundCount.toLocaleString('en'))
  return choices.length < foundCount ? `${text} ${words.listed.replace('{n}', String(choices.length))}` : text
}
