import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import { TOAST_CLOSE_MS, withToast, type Toast, type ToastKind } from './toast-queue.ts'

let shown: readonly Toast[] = []
let recent: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const nobody: readonly Toast[] = []

/** Shows a toast. The same one, shown a moment ago, is not shown again. */
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

/** While a modal dialog is open everything outside it is covered and silent, so toasts appear inside it. */
export function hostToasts(element: HTMLElement): () => void {
  const set = (next: readonly HTMLElement[]) => {
    hosts = next
    for (const listener of listeners) listener()
  }
  set([...hosts, element])
  return () => set(hosts.filter((one) => one !== element))
}

function close(id: number) {
  shown = shown.filter((one) => one.id !== id)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Where toasts appear. Errors are read out at once, the rest when there is a pause. */
export function Toasts() {
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => nobody,
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
    >
      <div aria-live="assertive" className={place === null ? 'contents' : onlyNewest}>
        {toasts
          .filter(({ kind }) => kind === 'error')
          .map((one) => (
            <OneToast key={one.id} toast={one} />
          ))}
      </div>
      <div aria-live="polite" className={place === null ? 'contents' : onlyNewest}>
        {toasts
          .filter(({ kind }) => kind !== 'error')
          .map((one) => (
            <OneToast key={one.id} toast={one} />
          ))}
      </div>
    </div>
  )
  return place === null ? list : createPortal(list, place)
}

const tones: Record<ToastKind, string> = { success: 'border-good', error: 'border-bad', warning: 'border-flag' }

// Over the dialog's title on a phone, beside a drawer elsewhere: never over what is being pressed.
const besideDialog = 'inset-x-1 top-1 tablet:inset-x-auto tablet:top-auto tablet:bottom-4 tablet:left-4 tablet:w-80'

// There, on a phone, older ones would lie on the list itself. They are read out all the same.
const onlyNewest = 'contents max-tablet:[&>:not(:last-child)]:hidden'

function OneToast({ toast: one }: { toast: Toast }) {
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHeld = isPointedAt || isFocused
  const leftMs = useRef(TOAST_CLOSE_MS)
  useEffect(() => {
    // Outside: time. Hovering or focusing holds what is left of it.
    if (isHeld) return
    const startedAt = performance.now()
    const timer = setTimeout(() => close(one.id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= performance.now() - startedAt
    }
  }, [isHeld, one.id])
  return (
    <div
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className={`pointer-events-auto flex w-full animate-rise items-start gap-2 rounded-md border border-l-4 bg-surface py-2 pr-1 pl-4 text-sm shadow-over ${tones[one.kind]}`}
    >
      <div className="min-w-0 flex-1 py-2">
        <p className="font-semibold">{one.title}</p>
        {one.text === '' ? null : <p className="text-soft">{one.text}</p>}
      </div>
      <IconButton label="Close this message" onClick={() => close(one.id)}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
