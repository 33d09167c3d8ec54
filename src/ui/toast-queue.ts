/** Spec 9: a toast closes by itself after this. */
export const TOAST_CLOSE_MS = 4000
/** Spec 9: at most this many at once. */
export const TOASTS_VISIBLE = 3
/** Spec 9: the same toast is not repeated within. */
export const DEDUPE_MS = { success: 3000, error: 5000, warning: 4000 } as const

export type ToastKind = keyof typeof DEDUPE_MS
export type Toast = {
  readonly id: number
  readonly kind: ToastKind
  readonly title: string
  readonly text: string
  readonly at: number
}

/** The list after one more toast: nothing changes when the same was shown a moment ago; the oldest goes when it is full. */
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
