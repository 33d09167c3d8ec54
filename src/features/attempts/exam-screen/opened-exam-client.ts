import type { ExtraTime } from '../../../lib/extra-time.ts'
import type { Mode } from '../attempts.schema.ts'
import type { OpenedAttempt } from '../saving/answer-queue-client.ts'
import type { examStartLoader } from './exam-page-endpoints.server.ts'

type ExamFacts = Awaited<ReturnType<typeof examStartLoader>>['exam']

/** An exam that the start page has opened, with the facts that the exam page would ask the server for. */
type HandedOver = {
  readonly facts: {
    readonly exam: ExamFacts
    readonly mode: Mode
    readonly isGuest: boolean
    readonly extraTime: ExtraTime
  }
  readonly opened: OpenedAttempt
}

let handedOver: HandedOver | null = null

/** Starts or resumes an attempt with one call, and keeps it for the exam page. @throws CallFailed */
export async function openForExamPage(facts: HandedOver['facts']): Promise<void> {
  const { openAttempt } = await import('../saving/answer-queue-client.ts')
  handedOver = { facts, opened: await openAttempt(facts.exam.slug, facts.mode) }
}

/** Loads the code that a start needs, so that a press costs one round trip. */
export function loadAheadOfStart(): void {
  import('../saving/answer-queue-client.ts').catch((error: unknown) => console.warn('A script did not load:', error))
}

/** The exam that was opened for this address, once. */
export function takeHandedOver(examSlug: string | undefined, mode: string | undefined): HandedOver | null {
  const taken = handedOver
  handedOver = null
  return taken?.facts.exam.slug === examSlug?.toLowerCase() && taken?.facts.mode === mode ? taken : null
}
