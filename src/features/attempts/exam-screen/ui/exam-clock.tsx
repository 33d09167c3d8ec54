import { useEffect, useRef, useState } from 'react'
import { formatClock, spokenClock } from '../../../../lib/time.ts'
import { fill } from '../../../../lib/failure.ts'
import { ClockIcon } from '../../../../ui/icons.tsx'
import { copy } from '../../attempts.copy.ts'
import { SPOKEN_SECONDS } from '../../attempts.ts'
import type { Remaining } from '../../saving/answer-queue-client.ts'

const LOW_SECONDS = 300

/** Counts down from the server's time by the monotonic clock. Screen readers announce it at its thresholds only. */
export function ExamClock({
  remaining,
  isShown,
  onSwitch,
  onSpeak,
  onTimeUp,
}: {
  remaining: Remaining
  /** A hidden clock runs on and is still announced at its thresholds. */
  isShown: boolean
  onSwitch: () => void
  onSpeak: (text: string) => void
  onTimeUp: () => void
}) {
  const [seconds, setSeconds] = useState(remaining.seconds)
  const before = useRef(remaining.seconds)
  useEffect(() => {
    // Twice a second, so that a displayed second is never skipped. `secondsLeft` uses the monotonic clock.
    const tick = () => {
      const left = secondsLeft(remaining)
      setSeconds(left)
      const passed = SPOKEN_SECONDS.find((threshold) => left <= threshold && before.current > threshold)
      before.current = left
      if (passed !== undefined && left > 0) onSpeak(fill(copy['exam.time.left'], { time: spokenClock(passed) }))
      if (left <= 0) onTimeUp()
    }
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [remaining, onSpeak, onTimeUp])
  const name = copy[isShown ? 'exam.clock.hide' : 'exam.clock.show']
  return (
    <div
      className={`flex items-center rounded-md pr-2 ${isShown && seconds <= LOW_SECONDS ? 'bg-flag-soft text-flag' : ''}`}
    >
      <button
        type="button"
        aria-label={name}
        title={name}
        onClick={onSwitch}
        className={`inline-flex size-9 items-center justify-center rounded-md transition-colors duration-150 hover:bg-sunken ${isShown ? '' : 'text-soft'}`}
      >
        <ClockIcon />
      </button>
      {isShown ? (
        <>
          <div role="timer" aria-label={copy['exam.time']} className="nums text-lg font-semibold">
            {formatClock(seconds)}
          </div>
          {/* Without scripts it stands still. */}
          <span className="hidden pl-1.5 text-xs scriptless:inline">{copy['form.clock']}</span>
        </>
      ) : null}
    </div>
  )
}

export function secondsLeft({ seconds, readAtMs }: Remaining): number {
  return Math.max(0, Math.ceil(seconds - (performance.now() - readAtMs) / 1000))
}
