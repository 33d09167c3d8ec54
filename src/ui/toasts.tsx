import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import { TOAST_CLOSE_MS, withToast, type Toast, type ToastKind } from './toast-queue.ts'

let shown: readonly Toast[] = []
let recent: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const noToasts: readonly Toast[] = []

/** Shows a toast, unless the same one was shown a moment ago. */
export function toast(kind: ToastKind, title: string, text = ''): void {
  lastId += 1
  const next: Toast = { id: lastId, kind, title, text, at: Date.now() }
  const after = withToast(shown, recent, next)
  if (after === shown) return
  shown = after
  recent = [...recent.slice(-20), next]
  for (const listener of listeners) listener()
}

let hosts: readonly HTMLElement[] = []

/** Shows toasts inside this element. A modal dialog covers everything outside, and screen readers ignore it. */
export function hostToasts(element: HTMLElement): () => void {
  const set = (next: readonly HTMLElement[]) => {
    hosts = next
    for (const listener of listeners) listener()
  }
  set([...hosts, element])
  return () => set(hosts.filter((host) => host !== element))
}

function close(id: number) {
  shown = shown.filter((toast) => toast.id !== id)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The list of toasts. Screen readers announce errors at once and the rest politely. */
export function Toasts() {
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => noToasts,
  )
  const place = useSyncExternalStore(
    subscribe,
    () => hosts.at(-1) ?? null,
    () => null,
  )
  const list = (
    <div
      className={`pointer-events-none fixed z-50 flex flex-col items-end gap-2 ${place === null ? 'inset-x-4 bottom-4 tablet:left-auto tablet:w-96' : besideDialog}`}
      data-print="off"
      data-layer="toasts"
    >
      <div aria-live="assertive" className={place === null ? 'contents' : onlyNewest}>
        {toasts
          .filter(({ kind }) => kind === 'error')
          .map((toast) => (
            <ToastCard key={toast.id} toast={toast} />
          ))}
      </div>
      <div aria-live="polite" className={place === null ? 'contents' : onlyNewest}>
        {toasts
          .filter(({ kind }) => kind !== 'error')
          .map((toast) => (
            <ToastCard key={toast.id} toast={toast} />
          ))}
      </div>
    </div>
  )
  return place === null ? list : createPortal(list, place)
}

const tones: Record<ToastKind, string> = { success: 'border-good', error: 'border-bad', warning: 'border-flag' }

// On a phone over the dialog's title and beside its Close button, elsewhere beside a drawer: never over buttons in use.
const besideDialog =
  'top-1 right-15 left-1 tablet:inset-x-auto tablet:top-auto tablet:bottom-4 tablet:left-4 tablet:w-80'

// In a dialog on a phone older toasts would cover the content. Hidden ones have been announced.
const onlyNewest = 'contents max-tablet:[&>:not(:last-child)]:hidden'

function ToastCard({ toast: { id, kind, title, text } }: { toast: Toast }) {
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isPaused = isPointedAt || isFocused
  const leftMs = useRef(TOAST_CLOSE_MS)
  useEffect(() => {
    // Hovering or focusing pauses the countdown.
    if (isPaused) return
    const startedAt = performance.now()
    const timer = setTimeout(() => close(id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - startedAt
    }
  }, [isPaused, id])
  return (
    <div
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className={`pointer-events-auto flex w-full animate-rise items-start gap-2 rounded-md border border-l-4 bg-surface py-2 pr-1 pl-4 text-sm shadow-over ${tones[kind]}`}
    >
      <div className="min-w-0 flex-1 py-2">
        <p className="font-semibold">{title}</p>
        {text === '' ? null : <p className="text-soft">{text}</p>}
      </div>
      <IconButton label="Close this message" onClick={() => close(id)}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
