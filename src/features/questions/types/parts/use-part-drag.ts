import { useState, type PointerEvent } from 'react'

/** Dragging this close to the edge of the window scrolls the page. */
const EDGE_PX = 72
const SCROLL_PX = 14

/**
 * Drags parts of a question onto targets with mouse, pen or finger: elements with `data-drop`. Dragging is an addition; every form has
 * other controls that do the same.
 * @param onDrop receives the id of the part and the value of `data-drop`
 */
export function usePartDrag(onDrop: (partId: string, target: string) => void) {
  const [drag, setDrag] = useState<{ readonly partId: string; readonly over: string | null } | null>(null)
  const handleOf = (partId: string) => ({
    'aria-hidden': true,
    // Nothing can be dragged before scripts run.
    className:
      'inline-flex w-7 shrink-0 cursor-grab touch-none items-center justify-center self-stretch text-soft scriptless:hidden',
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ partId, over: null })
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (drag?.partId !== partId) return
      if (clientY < EDGE_PX) window.scrollBy(0, -SCROLL_PX)
      if (clientY > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX)
      const over = targetAt(clientX, clientY)
      if (over !== drag.over) setDrag({ partId, over })
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      const target = targetAt(clientX, clientY)
      setDrag(null)
      if (drag?.partId === partId && target !== null) onDrop(partId, target)
    },
    onPointerCancel: () => setDrag(null),
  })
  return { draggedId: drag?.partId ?? null, over: drag?.over ?? null, handleOf }
}

function targetAt(x: number, y: number): string | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')?.dataset['drop'] ?? null
}
