import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { correctKey } from '../../authoring/drafts/versions-commands.server.ts'
import { lockExam } from '../../catalogue/exam-locks-commands.server.ts'
import { normaliseText, rightOptionIds } from '../../questions/questions.ts'
import { regradeEmail, type Site } from './regrade-emails.server.ts'
import { getNewest, refuseKey, regradeAll } from './regrade-queries.server.ts'
import { becomes, sameKey, type Regraded } from './regrade.ts'
import { fail, type KeyCorrected, type CorrectKey } from './regrade.schema.ts'

/**
 * Mends the key of a question in all versions, and grades anew what it touches, in one transaction with its audit line and its
 * letters. The same id twice is once. A submission that runs at the same time is over before, or is graded by the mended key.
 * @throws Failure exam.not-found, key.no-question, key.unknown-answer, key.count, key.moved-on, key.same
 */
export async function regrade(
  db: Db,
  site: Site & { readonly mail: Mail },
  wish: CorrectKey & { examId: string; questionId: string; actorId: UserId; now: Date },
): Promise<KeyCorrected> {
  const { questionId, rightOptionIds: rightIds, reason, actorId, now } = wish
  return db.transaction().execute(async (tx) => {
    const { familyId, settings, courseTitle } = await getCurrentExam(tx, wish.examId)
    await lockExam(tx, familyId)
    const before = await findCorrection(tx, wish.id)
    if (before !== null) return before
    const { newest, versions } = await getNewest(tx, { familyId, questionId })
    refuseKey(newest, rightIds)
    if (!sameKey(rightOptionIds(newest), wish.wasRightOptionIds)) throw fail('key.moved-on')
    if (versions.every(({ question }) => becomes(question, rightIds) !== 'mended')) throw fail('key.same')

    const regraded = await regradeAll(tx, versions, rightIds)
    const explanation = wish.explanation === null ? null : normaliseText(wish.explanation)
    const corrected = await correctKey(tx, {
      familyId,
      questionId,
      rightOptionIds: rightIds,
      explanation,
      actorId,
      now,
    })
    await tx
      .insertInto('regrades')
      .values({
        id: wish.id,
        family_id: familyId,
        question_id: questionId,
        right_answer_ids: [...rightIds],
        reason,
        actor_id: actorId,
        at: now,
      })
      .execute()
    await storeResults(tx, wish.id, regraded)
    const keys = corrected.map(({ versionNumber, question }) => ({ versionNumber, key: rightOptionIds(question) }))
    await audit(tx, {
      at: now,
      actorId,
      action: 'exam.key',
      table: 'test_questions',
      id: familyId,
      before: { questionId, versions: keys },
      after: { questionId, key: rightIds, reason, changedCount: regraded.length },
    })
    const toldCount = await tell(tx, site, regraded, { exam: settings.title, course: courseTitle, reason })
    return { changedCount: regraded.length, toldCount }
  })
}

async function findCorrection(tx: Db, id: string): Promise<KeyCorrected | null> {
  const done = await tx.selectFrom('regrades').where('id', '=', id).select('id').executeTakeFirst()
  if (done === undefined) return null
  const { changed, told } = await tx
    .selectFrom('former_results')
    .innerJoin('attempts', 'attempts.id', 'former_results.attempt_id')
    .where('regrade_id', '=', id)
    .select((eb) => [
      eb.fn.countAll<number>().as('changed'),
      eb.fn.count<number>('attempts.user_id').distinct().as('told'),
    ])
    .executeTakeFirstOrThrow()
  return { changedCount: changed, toldCount: told }
}

/** The results that are there now are kept, and the new ones take their place. */
async function storeResults(tx: Db, regradeId: string, regraded: readonly Regraded[]): Promise<void> {
  if (regraded.length === 0) return
  const rows = regraded.map(({ attemptId, after }) => ({
    attempt_id: attemptId,
    result: after,
    score_percent: after.scorePercent,
    is_passed: after.isPassed,
  }))
  await sql`
    insert into former_results (regrade_id, attempt_id, result, score_percent, is_passed)
    select ${regradeId}, id, result, score_percent, is_passed from attempts
    where id = any(${rows.map(({ attempt_id: id }) => id)}::uuid[])`.execute(tx)
  await sql`
    update attempts set result = given.result, score_percent = given.score_percent, is_passed = given.is_passed
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (attempt_id uuid, result jsonb, score_percent numeric, is_passed boolean)
    where attempts.id = given.attempt_id`.execute(tx)
}

/** One letter a person, whatever number of their results changes. Says how many were queued. */
async function tell(
  tx: Db,
  site: Site & { readonly mail: Mail },
  regraded: readonly Regraded[],
  about: { exam: string; course: string; reason: string },
): Promise<number> {
  const byUser = new Map<string, Regraded[]>()
  for (const one of regraded) if (one.user !== null) byUser.set(one.user.id, [...(byUser.get(one.user.id) ?? []), one])
  for (const results of byUser.values()) {
    const user = results[0]?.user
    if (user) await site.mail.send(regradeEmail(user, results, about, site), tx)
  }
  return byUser.size
}
