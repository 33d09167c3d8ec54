import { Dialog } from '../../../../ui/dialog.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { copy } from '../../attempts.copy.ts'

const keys: readonly { readonly key: string; readonly meaning: string; readonly only?: 'timed' | 'untimed' }[] = [
  { key: '1-6 or A-E', meaning: 'choose an answer' },
  { key: 'Shift + 1-6 or A-E', meaning: 'strike an answer out, or bring it back' },
  { key: 'Enter', meaning: 'check the answer', only: 'untimed' },
  { key: '← →', meaning: 'previous, next question' },
  { key: 'F', meaning: 'flag' },
  { key: 'S, U', meaning: 'sure, unsure; again to take it back' },
  { key: 'N', meaning: 'write a note; Escape leaves it' },
  { key: 'T', meaning: 'say the time that is left', only: 'timed' },
  { key: 'H', meaning: 'hide the clock, or show it', only: 'timed' },
  { key: '?', meaning: 'this list' },
]

/** What the keyboard does, and the switch that turns single keys off. */
export function KeyHelp({
  isOn,
  isTimed,
  onClose,
  onSwitch,
}: {
  isOn: boolean
  isTimed: boolean
  onClose: () => void
  onSwitch: (isOn: boolean) => void
}) {
  return (
    <Dialog title={copy['exam.keys.title']} isOpen onClose={onClose}>
      <div className="overflow-y-auto px-5 py-4">
        <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 text-sm">
          {keys
            .filter(({ only }) => only === undefined || only === (isTimed ? 'timed' : 'untimed'))
            .map(({ key, meaning }) => (
              <div key={key} className="contents">
                <dt className="font-mono text-xs leading-5">{key}</dt>
                <dd className="text-soft">{meaning}</dd>
              </div>
            ))}
        </dl>
        <div className="mt-5 border-t border-line pt-4">
          <Switch label={copy['exam.keys.switch']} isOn={isOn} onChange={onSwitch} />
        </div>
      </div>
    </Dialog>
  )
}
