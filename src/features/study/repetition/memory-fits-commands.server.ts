import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { measuredAnswerPages } from '../progress/study-progress-commands.server.ts'
import { chooseWeights, type MemoryFit } from './fit-choice.ts'
import { ReviewCollection, type CardReviews } from './memory-fit.ts'
import { listAnsweredCourses, listLearnersToFit, type LearnerNews } from './memory-fits-queries.server.ts'

/** Fits FSRS to the learners with enough new answers, one after the other, and returns how many. */
export async function fitDueLearners(db: Db, now: Date): Promise<number> {
  const due = await listLearnersToFit(db)
  for (const learner of due) await fitLearner(db, learner, now)
  return due.length
}

/** Fits FSRS to all reviews of a learner, and stores the parameters, or that the published ones are kept. */
export async function fitLearner(db: Db, { userId, answers }: LearnerNews, now: Date): Promise<MemoryFit> {
  const cards: CardReviews[] = []
  for (const courseId of await listAnsweredCourses(db, userId)) {
    const reviews = new ReviewCollection()
    const all = { userId, courseId, after: null, until: now.toISOString() }
    for await (const { answers: given } of measuredAnswerPages(db, all)) reviews.add(given)
    cards.push(...reviews.cards)
  }
  const fit = await chosen(cards)
  const row = {
    fitted_at: now,
    answers,
    reviews: fit.reviews,
    held_out: fit.heldOut,
    fitted_loss: fit.loss?.fitted ?? null,
    published_loss: fit.loss?.published ?? null,
    weights: fit.weights === null ? null : [...fit.weights],
  }
  await db
    .insertInto('memory_fits')
    .values({ user_id: userId, ...row })
    .onConflict((on) => on.column('user_id').doUpdateSet(row))
    .execute()
  return fit
}

/** Between the slices of the work the server answers requests. */
async function chosen(cards: readonly CardReviews[]): Promise<MemoryFit> {
  const work = chooseWeights(cards)
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await setImmediate()
  }
}

/** Deletes the fit of a user whose account is deleted. */
export async function eraseMemoryFits(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('memory_fits').where('user_id', '=', userId).execute()
}
