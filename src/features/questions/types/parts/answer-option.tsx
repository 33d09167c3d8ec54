import { PartMark } from './part-mark.tsx'
import { PartText } from './part-text.tsx'
import { StrikeButton } from './strike-button.tsx'

/** A part that is chosen by a radio button or checkbox, with its letter, and the button that crosses it out. */
export function AnswerOption({
  part,
  letter,
  name,
  formId,
  isMultiple,
  isSelected,
  isStruck,
  isFixed,
  isRight,
  strikeLabel,
  onSelect,
  onStrike,
}: {
  part: { readonly id: string; readonly text: string }
  letter: string
  /** The name under which it is posted where no script runs. */
  name: string
  formId: string | undefined
  isMultiple: boolean
  isSelected: boolean
  isStruck: boolean
  isFixed: boolean
  /** Null where the answer key is not shown. */
  isRight: boolean | null
  strikeLabel: string
  onSelect: (partId: string) => void
  onStrike: ((partId: string) => void) | null
}) {
  return (
    <div
      className={`flex items-stretch rounded-md border transition-colors duration-150 ${frameOf(isSelected, isRight)}`}
    >
      <label
        className={`flex min-h-14 min-w-0 flex-1 items-start gap-3 px-4 py-3.5 ${isFixed ? '' : 'cursor-pointer'}`}
      >
        <input
          type={isMultiple ? 'checkbox' : 'radio'}
          name={name}
          form={formId}
          value={part.id}
          checked={isSelected}
          disabled={isFixed}
          onChange={() => onSelect(part.id)}
          className="mt-1 size-[18px] shrink-0"
        />
        <span aria-hidden="true" className="nums w-4 shrink-0 font-semibold text-soft">
          {letter}
        </span>
        <span className="min-w-0 flex-1">
          <PartText text={part.text} isStruck={isStruck} />
          {isRight === null ? null : <PartMark isGiven={isSelected} isRight={isRight} />}
        </span>
      </label>
      {isFixed || onStrike === null ? null : (
        <StrikeButton isPressed={isStruck} label={strikeLabel} onClick={() => onStrike(part.id)} />
      )}
    </div>
  )
}

/** A chosen part is tinted by the style sheet, so that it is also where no script runs. */
const UNDECIDED =
  'border-line-strong bg-surface hover:border-accent has-checked:border-accent has-checked:bg-accent-soft'

function frameOf(isSelected: boolean, isRight: boolean | null): string {
  if (isRight === null) return UNDECIDED
  if (isRight) return 'border-good bg-good-soft'
  return isSelected ? 'border-bad bg-bad-soft' : 'border-line bg-surface'
}
