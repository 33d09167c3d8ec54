import { useEffect, useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import { hostToasts } from './toasts.tsx'

const places = {
  centre: 'm-auto w-[min(520px,calc(100vw-32px))] rounded-lg max-h-[85dvh]',
  right: 'ml-auto mr-0 my-0 h-dvh max-h-dvh w-[min(420px,100vw)] max-w-none animate-slide',
  // From the bottom, with the page above it still in sight.
  sheet: 'mx-auto mt-auto mb-0 h-[88dvh] max-h-none w-[min(760px,100vw)] max-w-none rounded-t-lg',
  left: 'mr-auto ml-0 my-0 h-dvh max-h-dvh w-[min(320px,88vw)]',
}

/**
 * A modal dialog or drawer on the native element, which traps the focus, closes on Escape, and restores the focus (decision 0005).
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  place = 'centre',
}: {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  place?: keyof typeof places
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const headingId = useId()
  const isCloseKnown = useRef(false)
  useEffect(() => {
    // The native element is modal only when it is opened by its method.
    const dialog = ref.current
    if (dialog === null) return
    if (isOpen && !dialog.open) dialog.showModal()
    if (!isOpen && dialog.open) {
      isCloseKnown.current = true
      dialog.close()
    }
    return isOpen ? hostToasts(dialog) : undefined
  }, [isOpen])
  useLayoutEffect(() => {
    const dialog = ref.current
    // A dialog that is removed while it is open would take the focus with it: only closing restores it. In development React removes each
    // one once and puts it back, so that the close is known here too.
    return () => {
      if (dialog?.open !== true) return
      isCloseKnown.current = true
      dialog.close()
    }
  }, [])
  // The browser reports a close in a task of its own, after the focus went back: a press on Enter in between opens the dialog again. So
  // Escape is reported at once, and the late report of a close that is known is ignored.
  const handleCancel = ({ target, currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
    if (target !== currentTarget) return
    isCloseKnown.current = true
    onClose()
  }
  const handleClose = ({ target, currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
    if (target !== currentTarget) return
    if (!isCloseKnown.current) onClose()
    isCloseKnown.current = false
  }
  return (
    <dialog
      ref={ref}
      aria-labelledby={headingId}
      onCancel={handleCancel}
      onClose={handleClose}
      // A click outside closes it in browsers that support this attribute.
      closedby="any"
      className={`flex-col overflow-hidden bg-surface p-0 text-ink shadow-over open:flex ${places[place]}`}
    >
      <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
        <h2 id={headingId} className="text-lg font-semibold">
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      {children}
    </dialog>
  )
}
