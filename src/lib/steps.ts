/** Long work in steps: between two of them something else may be done. */
export type Steps<Result> = Generator<void, Result, void>

/** One step after another without a break. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
