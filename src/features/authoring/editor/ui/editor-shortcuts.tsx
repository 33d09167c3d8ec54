import { Dialog } from '../../../../ui/dialog.tsx'

const keys: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl S', 'save'],
  ['Ctrl Enter', 'save, and on to the next question or a new one'],
  ['Alt Page Up, Alt Page Down', 'previous, next question'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo: the whole form'],
  ['Alt N', 'a new answer'],
  ['Alt ↑, Alt ↓', 'move the answer that you are in'],
  ['Alt 1 to Alt 6', 'mark or unmark that answer as right'],
  ['Alt P', 'show or hide the preview'],
  ['Ctrl V', 'paste an image into a text'],
  ['?', 'this list, outside a field'],
]

/** The list of the editor's keyboard shortcuts. */
export function EditorShortcuts({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <div className="overflow-y-auto px-5 py-4">
        <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 text-sm">
          {keys.map(([key, meaning]) => (
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
