import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { copy } from './answers.copy.ts'

/**
 * Says in words and with an icon whether a part was in the learner's answer, in the right one, or in both; renders nothing for a
 * part that was in neither. `isRight` is null where the answer key is not shown.
 */
export function PartMark({ isGiven, isRight }: { isGiven: boolean; isRight: boolean | null }) {
  if (!isGiven && isRight !== true) return null
  const words = [isGiven ? copy['answer.yours'] : null, isRight ? copy['answer.right'] : null].filter(
    (word) => word !== null,
  )
  return (
    <span className={`mt-1.5 flex items-center gap-1.5 text-sm font-semibold ${toneOf(isRight)}`}>
      {isRight === null ? null : isRight ? <CheckIcon /> : <CrossIcon />}
      {words.join(', ')}
    </span>
  )
}

function toneOf(isRight: boolean | null): string {
  if (isRight === null) return 'text-soft'
  return isRight ? 'text-good' : 'text-bad'
}
