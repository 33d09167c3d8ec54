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

let handedOver: KnownExam | null = null

/** For the exam page that is navigated to next. */
export function handOver(known: KnownExam): void {
  handedOver = known
}

/** Loads the code that a start needs, so that a press costs one round trip. */
export function loadAheadOfStart(): void {
  import('../saving/answer-queue-client.ts')
    .then(({ prepareOpening }) => prepareOpening())
    .catch((error: unknown) => console.warn('A script did not load:', error))
}

/** What was handed over for this address, once. */
export function takeHandedOver(examSlug: string | undefined, mode: string | undefined): KnownExam | null {
  const taken = handedOver
  handedOver = null
  return taken?.exam.slug === examSlug?.toLowerCase() && taken?.mode === mode ? taken : null
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
