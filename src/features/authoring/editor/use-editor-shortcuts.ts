import { useEffect, useEffectEvent } from 'react'
import { shortcutOf, type Shortcut } from './question-editor.ts'
import type { QuestionEditorState } from './use-question-editor.ts'

/** The keyboard shortcuts of the editor, wherever the focus is on the page except in dialogs. */
export function useEditorShortcuts(
  editor: QuestionEditorState,
  { onTogglePreview, onHelp }: { onTogglePreview: () => void; onHelp: () => void },
): void {
  const { question, change, save, goToNeighbour } = editor
  const run = (shortcut: Shortcut, target: EventTarget | null) => {
    switch (shortcut.kind) {
      case 'save':
        return save('stay')
      case 'save-next':
        return save('next')
      case 'undo':
      case 'redo':
        return change({ kind: shortcut.kind })
      case 'new-option':
        return change({ kind: 'add-option' })
      case 'preview':
        return onTogglePreview()
      case 'help':
        return onHelp()
      case 'mark': {
        const { place } = shortcut
        return change({ kind: 'change-option', place, changed: { isRight: question.options[place]?.isRight !== true } })
      }
      case 'move-option': {
        const key = rowKey(target)
        const place = question.options.findIndex((option) => option.key === key)
        return change({ kind: 'move-option', place, by: shortcut.by })
      }
      case 'go':
        return goToNeighbour(shortcut.by)
    }
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (target instanceof Element && target.closest('dialog') !== null) return
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select')
    const shortcut = shortcutOf(event, isTyping)
    if (shortcut === null) return
    event.preventDefault()
    run(shortcut, target)
  })
  useEffect(() => {
    // Outside: the keyboard.
    const handle = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

/** The key of the option whose row holds the element. */
function rowKey(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-option]') : null
  return row?.dataset['option']
}
