import { useEffect, useId, useRef, useState, type PointerEvent, type ReactNode, type RefObject } from 'react'
import { GripIcon } from './icons.tsx'

/** Dragging this close to the edge of the window scrolls the page. */
const EDGE_PX = 72
const SCROLL_PX = 14

/**
 * A list that users reorder: by dragging an item's handle with mouse, pen or finger, or with the arrow keys on the handle. A screen
 * reader announces the new place.
 */
export function Sortable<Item>({
  items,
  idOf,
  nameOf,
  onMove,
  children,
  className,
}: {
  items: readonly Item[]
  idOf: (item: Item) => string
  nameOf: (item: Item) => string
  /** Moves an item; both places count from 0. */
  onMove: (from: number, to: number) => void
  children: (item: Item, handle: ReactNode, place: number) => ReactNode
  className?: string
}) {
  const hintId = useId()
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const focusAfterMove = useFocusAfterMove(list)

  const move = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || from === to || to < 0 || to >= items.length) return
    setAnnouncement(`${nameOf(item)}: place ${to + 1} of ${items.length}`)
    focusAfterMove(idOf(item))
    onMove(from, to)
  }
  const { drag, pointerEvents } = useDragging(list, move)
  return (
    <>
      <ol ref={list} className={className}>
        {items.map((item, place) => {
          const id = idOf(item)
          const handle = (
            <Handle
              id={id}
              name={nameOf(item)}
              hintId={hintId}
              onStep={(step) => move(place, place + step)}
              {...pointerEvents(id, place)}
            />
          )
          return (
            <li key={id} className={drag?.id === id ? 'opacity-60' : drag?.over === place ? 'bg-accent-soft' : ''}>
              {children(item, handle, place)}
            </li>
          )
        })}
      </ol>
      <p id={hintId} className="sr-only">
        Arrow up and arrow down move it.
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  )
}

/** Returns a function that focuses the handle of an item again once it has moved. */
function useFocusAfterMove(list: RefObject<HTMLOListElement | null>) {
  const focused = useRef<string | null>(null)
  useEffect(() => {
    // The browser removes the focus from an element that moves in the document.
    if (focused.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(focused.current)}"]`)?.focus()
    focused.current = null
  })
  return (id: string) => {
    focused.current = id
  }
}

/** Which item is dragged over which place, and the events of a handle that drag its item. */
function useDragging(list: RefObject<HTMLOListElement | null>, onDrop: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ readonly id: string; readonly over: number } | null>(null)
  const pointerEvents = (id: string, place: number) => ({
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ id, over: place })
    },
    onPointerMove({ clientY }: PointerEvent) {
      if (drag?.id !== id) return
      if (clientY < EDGE_PX) window.scrollBy(0, -SCROLL_PX)
      if (clientY > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX)
      setDrag({ id, over: placeAt(list.current, clientY) })
    },
    onPointerUp() {
      if (drag?.id === id) onDrop(place, drag.over)
      setDrag(null)
    },
    onPointerCancel: () => setDrag(null),
  })
  return { drag, pointerEvents }
}

/** The place of the row at this height of the window. */
function placeAt(list: HTMLOListElement | null, y: number): number {
  const rows = [...(list?.children ?? [])]
  const below = rows.findIndex((row) => y < row.getBoundingClientRect().bottom)
  return below === -1 ? rows.length - 1 : below
}

function Handle({
  id,
  name,
  hintId,
  onStep,
  ...pointerEvents
}: {
  id: string
  name: string
  hintId: string
  /** Moves the item up (-1) or down (1). */
  onStep: (step: number) => void
} & ReturnType<ReturnType<typeof useDragging>['pointerEvents']>) {
  return (
    <button
      type="button"
      data-handle={id}
      aria-label={`Move ${name}`}
      aria-describedby={hintId}
      title="Drag it, or press the arrow keys"
      className="inline-flex size-11 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-soft hover:bg-sunken"
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        onStep(step)
      }}
      {...pointerEvents}
    >
      <GripIcon />
    </button>
  )
}
