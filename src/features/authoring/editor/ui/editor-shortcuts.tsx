import { Dialog } from '../../../../ui/dialog.tsx'
import { partShortcuts } from '../../../questions/types/edit-registry.ts'
import type { QuestionType } from '../../../questions/types/question-types.schema.ts'
import type { ListedShortcut } from '../../../questions/types/type-editing.ts'

const keysOf = (type: QuestionType): readonly ListedShortcut[] => [
  ['Ctrl S', 'save'],
  ['Ctrl Enter', 'save, and on to the next question or a new one'],
  ['Alt Page Up, Alt Page Down', 'previous, next question'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo: the whole form'],
  ...partShortcuts(type),
  ['Alt P', 'show or hide the preview'],
  ['Ctrl V', 'paste an image into a text'],
  ['?', 'this list, outside a field'],
]

/** The list of the editor's keyboard shortcuts. */
export function EditorShortcuts({
  type,
  isOpen,
  onClose,
}: {
  type: QuestionType
  isOpen: boolean
  onClose: () => void
}) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <div className="overflow-y-auto px-5 py-4">
        <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 text-sm">
          {keysOf(type).map(([key, meaning]) => (
            <div key={key} className="contents">
              <dt className="font-mono text-xs leading-5">{key}</dt>
              <dd className="text-soft">{meaning}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 border-t border-line pt-3 text-sm text-soft">
          On a Mac, Cmd stands for Ctrl and Option for Alt.
        </p>
      </div>
    </Dialog>
  )
}
