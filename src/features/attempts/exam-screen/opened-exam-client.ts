import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { Mode } from '../attempts.schema.ts'
import type { OpenedAttempt } from '../saving/answer-queue-client.ts'
import type { examStartLoader } from './exam-page-endpoints.server.ts'

/** What the start page knows of an exam, so that the exam page does not ask the server for it. */
export type KnownExam = {
  readonly exam: Awaited<ReturnType<typeof examStartLoader>>['exam']
  readonly mode: Mode
  readonly isGuest: boolean
  readonly extraTime: ExtraTime
}

/** An exam that the start page has begun to open. */
type OpenedAhead = { readonly known: KnownExam; readonly opening: Promise<OpenedAttempt | null> }
let openedAhead: OpenedAhead | null = null

/** Starts or resumes an exam at once, for the exam page that is navigated to next. */
export function openAhead(known: KnownExam): void {
  openedAhead = { known, opening: openInPassing(known.exam.slug, known.mode) }
}

/** Loads the code that a start needs, so that a press costs one round trip. */
export function loadAheadOfStart(): void {
  import('../saving/answer-queue-client.ts')
    .then(({ prepareOpening }) => prepareOpening())
    .catch((error: unknown) => console.warn('A script did not load:', error))
}

/** What the start page has begun to open at this address, once. */
export function takeOpenedAhead(examSlug: string, mode: string | undefined): OpenedAhead | null {
  const taken = openedAhead
  openedAhead = null
  return taken?.known.exam.slug === examSlug.toLowerCase() && taken.known.mode === mode ? taken : null
}

/** Starts or resumes an attempt; null where that fails. */
export async function openInPassing(examSlug: string, mode: Mode): Promise<OpenedAttempt | null> {
  try {
    const { openAttempt } = await import('../saving/answer-queue-client.ts')
    return await openAttempt(examSlug, mode)
  } catch {
    // The exam page tries again and says why it fails.
    return null
  }
}
