import { useEffectEvent, useLayoutEffect } from 'react'
import type { Confidence } from '../../attempts.schema.ts'
import { actionOf, isOnControl, isTyping, type PartAction } from './exam-shortcuts-client.ts'

type ShortcutHandlers = {
  /** False if the question on the screen has no such part. */
  readonly pressPart: (part: PartAction) => boolean
  /** False if there is nothing to check. */
  readonly check: () => boolean
  readonly goBy: (by: 1 | -1) => void
  readonly flag: () => void
  readonly setConfidence: (confidence: Confidence) => void
  readonly openNote: () => void
  readonly speakClock: () => void
  readonly switchClock: () => void
  readonly openHelp: () => void
}

/** Keys count anywhere on the page, but not while somebody types or a dialog is open. */
export function useShortcuts(isOn: boolean, handlers: ShortcutHandlers) {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    // The DOM knows at once that a dialog is closed; React's state follows later.
    const isOff = !isOn || document.querySelector('dialog[open]') !== null || isTyping(event)
    const action = isOff ? null : actionOf(event)
    if (action === null) return
    if (action.kind === 'answer' || action.kind === 'strike') {
      if (handlers.pressPart(action)) event.preventDefault()
      return
    }
    if (action.kind === 'check') {
      if (!isOnControl(event) && handlers.check()) event.preventDefault()
      return
    }
    event.preventDefault()
    if (action.kind === 'go') handlers.goBy(action.by)
    if (action.kind === 'flag') handlers.flag()
    if (action.kind === 'sure' || action.kind === 'unsure') handlers.setConfidence(action.kind)
    if (action.kind === 'note') handlers.openNote()
    if (action.kind === 'speak-clock') handlers.speakClock()
    if (action.kind === 'switch-clock') handlers.switchClock()
    if (action.kind === 'help') handlers.openHelp()
  })
  useLayoutEffect(() => {
    // On the window, as the focus may be anywhere; before the question is painted, as a key may be pressed as soon as it is read.
    const handle = (event: KeyboardEvent) => handleKey(event)
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [])
}
