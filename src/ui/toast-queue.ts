/** A toast closes by itself after this time. */
export const TOAST_CLOSE_MS = 4000
/** The most toasts that are visible at once. */
export const TOASTS_VISIBLE = 3
/** The same toast is suppressed within this time. */
export const DEDUPE_MS = { success: 3000, error: 5000, warning: 4000 } as const

export type ToastKind = keyof typeof DEDUPE_MS
export type Toast = {
  readonly id: number
  readonly kind: ToastKind
  readonly title: string
  readonly text: string
  readonly at: number
}

/** Adds a toast, unless it repeats a recent one. Above the limit the oldest is dropped. */
export function withToast(shown: readonly Toast[], recent: readonly Toast[], next: Toast): readonly Toast[] {
  const isRepeat = recent.some(
    (toast) =>
      toast.kind === next.kind &&
      toast.title === next.title &&
      toast.text === next.text &&
      next.at - toast.at < DEDUPE_MS[next.kind],
  )
  return isRepeat ? shown : [...shown, next].slice(-TOASTS_VISIBLE)
}
