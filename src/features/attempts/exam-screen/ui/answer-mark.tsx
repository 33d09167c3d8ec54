import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { copy } from '../../attempts.copy.ts'

/** Says in words and with a sign what an answer was: right, given, both; nothing when it was neither. Null: that is not told. */
export function OptionMark({ isSelected, isRight }: { isSelected: boolean; isRight: boolean | null }) {
  if (!isSelected && isRight !== true) return null
  const words = [isSelected ? copy['answer.yours'] : null, isRight ? copy['answer.right'] : null].filter(
    (word) => word !== null,
  )
  return (
    <span className={`mt-1.5 flex items-center gap-1.5 text-sm font-semibold ${toneOf(isRight)}`}>
      {isRight === null ? null : isRight ? <CheckIcon /> : <CrossIcon />}
      {words.map((word) => (
        <span key={word} className="rounded-sm">
          {word}
        </span>
      ))}
    </span>
  )
}

function toneOf(isRight: boolean | null): string {
  if (isRight === null) return 'text-soft'
  return isRight ? 'text-good' : 'text-bad'
}

/** The letter of a place in the order that is shown. */
export function letterOf(place: number): string {
  return 'ABCDEF'.charAt(place)
}
