import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
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
  const [drag, setDrag] = useState<{ readonly id: string; readonly over: number } | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const focused = useRef<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // The browser removes the focus from an element that moves in the document.
    if (focused.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(focused.current)}"]`)?.focus()
    focused.current = null
  })

  const move = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || from === to || to < 0 || to >= items.length) return
    setAnnouncement(`${nameOf(item)}: place ${to + 1} of ${items.length}`)
    focused.current = idOf(item)
    onMove(from, to)
  }
  const placeAt = (y: number) => {
    const rows = [...(list.current?.children ?? [])]
    const below = rows.findIndex((row) => y < row.getBoundingClientRect().bottom)
    return below === -1 ? rows.length - 1 : below
  }
  return (
    <>
      <ol ref={list} className={className}>
        {items.map((item, place) => {
          const id = idOf(item)
          const isDragged = drag?.id === id
          const handle = (
            <button
              type="button"
              data-handle={id}
              aria-label={`Move ${nameOf(item)}`}
              aria-describedby={hintId}
              title="Drag it, or press the arrow keys"
              className="inline-flex size-11 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-soft hover:bg-sunken"
              onKeyDown={(event) => {
                const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
                if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return
                event.preventDefault()
                move(place, place + by)
              }}
              onPointerDown={(event) => {
                if (event.button !== 0) return
                event.currentTarget.setPointerCapture(event.pointerId)
                setDrag({ id, over: place })
              }}
              onPointerMove={(event) => {
                if (!isDragged) return
                if (event.clientY < EDGE_PX) window.scrollBy(0, -SCROLL_PX)
                if (event.clientY > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX)
                setDrag({ id, over: placeAt(event.clientY) })
              }}
              onPointerUp={() => {
                if (drag !== null && isDragged) move(place, drag.over)
                setDrag(null)
              }}
              onPointerCancel={() => setDrag(null)}
            >
              <GripIcon />
            </button>
          )
          const isTarget = drag !== null && !isDragged && drag.over === place
          return (
            <li key={id} className={isTarget ? 'bg-accent-soft' : isDragged ? 'opacity-60' : ''}>
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
