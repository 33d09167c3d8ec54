import { useEffect, useEffectEvent } from 'react'
import { partActionOf } from '../../questions/types/edit-registry.ts'
import type { PartShortcut } from '../../questions/types/type-editing.ts'
import { shortcutOf, type Shortcut } from './question-editor.ts'
import type { QuestionEditorState } from './use-question-editor.ts'

/** The keyboard shortcuts of the editor, wherever the focus is on the page except in dialogs. */
export function useEditorShortcuts(
  editor: QuestionEditorState,
  { onTogglePreview, onHelp }: { onTogglePreview: () => void; onHelp: () => void },
): void {
  const { question, change, save, goToNeighbour } = editor
  const runForPart = (shortcut: PartShortcut) => {
    const action = partActionOf(question, shortcut)
    if (action !== null) change({ kind: 'change-parts', action })
  }
  const run = (shortcut: Shortcut, target: EventTarget | null) => {
    switch (shortcut.kind) {
      case 'save':
        return save('stay')
      case 'save-next':
        return save('next')
      case 'undo':
      case 'redo':
        return change({ kind: shortcut.kind })
      case 'preview':
        return onTogglePreview()
      case 'help':
        return onHelp()
      case 'add-part':
      case 'mark-part':
        return runForPart(shortcut)
      case 'move-part':
        return runForPart({ ...shortcut, key: rowKey(target) })
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
    // Shortcuts work wherever the focus is.
    const handle = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

/** The key of the row that holds the element. */
function rowKey(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-part]') : null
  return row?.dataset['part']
}
