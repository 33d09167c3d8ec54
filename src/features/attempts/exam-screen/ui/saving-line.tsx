import { fill } from '../../../../lib/failure.ts'
import { CheckIcon } from '../../../../ui/icons.tsx'
import { copy } from '../../attempts.copy.ts'
import type { Connection } from '../../saving/answer-queue-client.ts'

/**
 * Whether all answers are saved. Screen readers announce it only when something is wrong. Hidden without scripts: a chosen option
 * is then saved by the next press, and this line would already call it saved.
 */
export function SavingLine({ unsavedCount, connection }: { unsavedCount: number; connection: Connection }) {
  // The last answers may not count any more; a notice of the page says so.
  if (connection === 'over') return null
  const isProblem = connection !== 'good'
  const isSaved = unsavedCount === 0 && !isProblem
  return (
    <output
      aria-live={isProblem ? 'polite' : 'off'}
      className={`nums flex items-center gap-1.5 text-sm scriptless:hidden ${isProblem ? 'font-semibold text-flag' : 'text-soft'}`}
    >
      {isSaved ? (
        <span className="text-good">
          <CheckIcon />
        </span>
      ) : null}
      {connection === 'offline'
        ? copy['exam.offline']
        : connection === 'elsewhere'
          ? copy['exam.lost.line']
          : unsavedCount === 0
            ? copy['exam.saved']
            : fill(copy['exam.unsaved'], { n: unsavedCount })}
    </output>
  )
}
