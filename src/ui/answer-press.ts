import type { MouseEvent } from 'react'

/** Answers the press of a button that would otherwise post its form, as it does without scripts. */
export const answerPress = (run: () => void) => (event: MouseEvent) => {
  event.preventDefault()
  run()
}
