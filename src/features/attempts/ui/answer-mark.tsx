import { CheckIcon, CrossIcon } from '../../../ui/icons.tsx'
import { copy } from '../copy.ts'

/** Says in words and with a sign what an answer was: right, given, both; nothing when it was neither. */
export function AnswerMark({ isSelected, isRight }: { isSelected: boolean; isRight: boolean }) {
  if (!isSelected && !isRight) return null
  const words = [isSelected ? copy['answer.yours'] : null, isRight ? copy['answer.right'] : null].filter(
    (word) => word !== null,
  )
  return (
    <span className={`mt-1.5 flex items-center gap-1.5 text-sm font-semibold ${isRight ? 'text-good' : 'text-bad'}`}>
      {isRight ? <CheckIcon /> : <CrossIcon />}
      {words.map((word) => (
        <span key={word} className="rounded-sm">
          {word}
        </span>
      ))}
    </span>
  )
}

/** The letter of a place in the order that is shown. */
export function letterOf(place: number): string {
  return 'ABCDEF'.charAt(place)
}
