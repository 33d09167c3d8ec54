import type { Mode } from '../attempts.schema.ts'

type Start = { readonly exam: { readonly slug: string }; readonly mode: Mode }

export type OpenedAhead<Known, Opened> = {
  readonly known: Known
  /** Null where it failed. */
  readonly opening: Promise<Opened | null>
}

/** What a start page has begun to open for the page that is navigated to next: one exam at a time, from the press until it is forgotten. */
export function createOpenedAhead<Known extends Start, Opened>() {
  let ahead: OpenedAhead<Known, Opened> | null = null

  const isOf = (examSlug: string, mode: string | undefined) =>
    ahead !== null && ahead.known.exam.slug === examSlug.toLowerCase() && ahead.known.mode === mode

  return {
    /** Once, however often the button is pressed. What fails is forgotten: the exam page asks again. */
    open(known: Known, begin: () => Promise<Opened | null>): void {
      if (isOf(known.exam.slug, known.mode)) return
      const opened = { known, opening: begin() }
      ahead = opened
      void opened.opening.then((result) => {
        if (result === null && ahead === opened) ahead = null
      })
    },
    /** As often as the exam page is asked for: a live change starts a navigation's loaders again. The page of another exam forgets it. */
    find(examSlug: string, mode: string | undefined): OpenedAhead<Known, Opened> | null {
      if (!isOf(examSlug, mode)) ahead = null
      return ahead
    },
    /** When its navigation has ended, with the exam on the screen or elsewhere. */
    forget(): void {
      ahead = null
    },
  }
}
