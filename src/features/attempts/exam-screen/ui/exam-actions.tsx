import type { RefObject } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { ArrowIcon, FlagIcon } from '../../../../ui/icons.tsx'
import { copy } from '../../attempts.copy.ts'
import { submitsExam } from '../../plain-exam/ui/posted-exam-form.tsx'

type Check = { readonly isDisabled: boolean; readonly onCheck: () => void }

/** The bar at the bottom of the screen: previous, flag, check, next. */
export function ExamActions({
  place,
  isLast,
  isFlagged,
  isClosed,
  check,
  checkRef,
  problem,
  onGo,
  onFlag,
}: {
  place: number
  isLast: boolean
  isFlagged: boolean
  isClosed: boolean
  /** Null where the answer cannot be checked, or is checked already. */
  check: Check | null
  checkRef: RefObject<HTMLButtonElement | null>
  /** Why the answer could not be checked; here it is in sight however long the question is. */
  problem: string | null
  onGo: (to: number) => void
  onFlag: () => void
}) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-4 py-3 tablet:mx-0 tablet:px-0">
      {problem === null ? null : (
        <p role="alert" className="w-full text-sm text-bad">
          {problem}
        </p>
      )}
      <PreviousButton isFirst={place === 0} onPress={() => onGo(place - 1)} />
      <Button
        {...submitsExam({ kind: 'flag' })}
        look="secondary"
        aria-pressed={isFlagged}
        onClick={onFlag}
        disabled={isClosed}
        className="max-sm:px-3 aria-pressed:border-flag aria-pressed:bg-flag-soft aria-pressed:text-flag"
      >
        <FlagIcon />
        <span className="max-sm:sr-only">{copy['exam.flag']}</span>
      </Button>
      <div className="ml-auto flex gap-2">
        {check === null ? null : <CheckButton {...check} ref={checkRef} />}
        <Button
          {...submitsExam({ kind: 'next' })}
          look={check !== null || isLast ? 'secondary' : 'primary'}
          onClick={() => onGo(place + 1)}
          disabled={isLast}
          className="max-sm:px-3"
        >
          {copy['exam.next']}
          <ArrowIcon />
        </Button>
      </div>
    </div>
  )
}

function PreviousButton({ isFirst, onPress }: { isFirst: boolean; onPress: () => void }) {
  return (
    <Button
      {...submitsExam({ kind: 'previous' })}
      look="secondary"
      onClick={onPress}
      disabled={isFirst}
      className="max-sm:px-3"
    >
      <span className="rotate-180 sm:hidden">
        <ArrowIcon />
      </span>
      <span className="max-sm:sr-only">{copy['exam.previous']}</span>
    </Button>
  )
}

function CheckButton({ isDisabled, onCheck, ref }: Check & { ref: RefObject<HTMLButtonElement | null> }) {
  return (
    <Button {...submitsExam({ kind: 'check' })} ref={ref} onClick={onCheck} disabled={isDisabled}>
      {copy['exam.check']}
    </Button>
  )
}
