import { requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { askAccess, requireAccess } from '../access/access-queries.server.ts'
import type { WithoutAccess } from '../access/access.schema.ts'
import type { ExamFacts } from '../catalogue/catalogue-queries.server.ts'
import { isStillTrial, type AttemptRecord } from './attempts-queries.server.ts'
import { trialOf } from './attempts.ts'
import { fail, type Admission, type Mode, type Taker } from './attempts.schema.ts'

/** The signed-in user, or else the guest of the cookie; null for a new visitor. */
export function takerOf({ user, guestId }: RequestContext): Taker | null {
  if (user !== null) return { kind: 'person', userId: user.id }
  return guestId === null ? null : { kind: 'guest', guestId }
}

/** @throws Failure session.required, access.none, access.ended, attempt.not-a-trial */
export async function admit(context: RequestContext, exam: ExamFacts, mode: Mode): Promise<Admission> {
  if (mode !== 'preview') {
    const user = requireUser(context)
    return { mode, proof: await requireAccess(context.db, user, exam.courseId, context.clock.now()) }
  }
  const proof = trialOf(exam)
  if (proof === null) throw fail('attempt.not-a-trial')
  return { mode, proof }
}

/** A timed exam that began while access ran may be finished after access ended. */
export function mayContinue(attempt: AttemptRecord, now: Date): boolean {
  return attempt.mode === 'timed' && attempt.deadlineAt !== null && now <= attempt.deadlineAt
}

/** Checks that the taker may see the questions of an attempt. @throws Failure access.none, access.ended, attempt.not-a-trial */
export async function requireQuestions(context: RequestContext, attempt: AttemptRecord): Promise<void> {
  const now = context.clock.now()
  if (attempt.mode === 'preview') {
    if (!(await isStillTrial(context.db, attempt))) throw fail('attempt.not-a-trial')
  } else if (!mayContinue(attempt, now)) {
    await requireAccess(context.db, requireUser(context), attempt.courseId, now)
  }
}

/** Why the caller gets no answer keys of an attempt; or until when they get them, null for always. */
type KeyAccess = { readonly refusal: WithoutAccess } | { readonly refusal: null; readonly until: Date | null }

/**
 * Whether the caller gets the answer keys of this attempt, even those of checked questions. The keys of a free trial are public,
 * as long as it is one; those of a course need access to it.
 */
export async function findKeyAccess(context: RequestContext, attempt: AttemptRecord): Promise<KeyAccess> {
  if (attempt.mode === 'preview' && (await isStillTrial(context.db, attempt))) return { refusal: null, until: null }
  if (context.user === null) return { refusal: 'none' }
  const proof = await askAccess(context.db, context.user, attempt.courseId, context.clock.now())
  return proof === 'none' || proof === 'ended' ? { refusal: proof } : { refusal: null, until: proof.until }
}
