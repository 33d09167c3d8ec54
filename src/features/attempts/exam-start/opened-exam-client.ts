import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { Mode } from '../attempts.schema.ts'
import type * as Saving from '../saving/answer-queue-client.ts'
import type { examStartLoader } from '../exam-screen/exam-page-endpoints.server.ts'
import { createOpenedAhead } from './opened-ahead.ts'

/** What the start page knows of an exam, so that the exam page does not ask the server for it. */
export type KnownExam = {
  readonly exam: Awaited<ReturnType<typeof examStartLoader>>['exam']
  readonly mode: Mode
  readonly isGuest: boolean
  readonly extraTime: ExtraTime
}

const ahead = createOpenedAhead<KnownExam, Saving.OpenedAttempt>()

/** Once it is loaded, a start sends its call without waiting for a task of the browser. */
let loadedSaving: typeof Saving | null = null

/** Starts or resumes an exam at once, for the exam page that is navigated to next. Once, however often the button is pressed. */
export function openAhead(known: KnownExam): void {
  ahead.open(known, () => openInPassing(known.exam.slug, known.mode))
}

/** What the start page has begun to open at this address. */
export function findOpenedAhead(examSlug: string, mode: string | undefined) {
  return ahead.find(examSlug, mode)
}

/** Called when the navigation to the exam page has ended, wherever. */
export function forgetOpenedAhead(): void {
  ahead.forget()
}

/** Loads the code that a start needs, so that a press costs one round trip. */
export function loadAheadOfStart(): void {
  loadSaving()
    .then(({ prepareOpening }) => prepareOpening())
    .catch((error: unknown) => console.warn('A script did not load:', error))
}

async function loadSaving(): Promise<typeof Saving> {
  loadedSaving ??= await import('../saving/answer-queue-client.ts')
  return loadedSaving
}

/** Starts or resumes an attempt; null where that fails. */
export async function openInPassing(examSlug: string, mode: Mode): Promise<Saving.OpenedAttempt | null> {
  try {
    const { openAttempt } = loadedSaving ?? (await loadSaving())
    return await openAttempt(examSlug, mode)
  } catch {
    // The exam page tries again and says why it fails.
    return null
  }
}
