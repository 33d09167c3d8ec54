import { normaliseText } from '../../questions/question-text.ts'
import { answerKeyOf } from '../../questions/types/grading-registry.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { Mail } from '../../../platform/mail.server.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { correctKey } from '../../authoring/drafts/versions-commands.server.ts'
import { lockExam } from '../../catalogue/exam-locks-commands.server.ts'
import { regradeEmail, type Site } from './regrade-emails.server.ts'
import { getNewest, refuseKey, regradeAll } from './regrade-queries.server.ts'
import { effectOf, type Regraded } from './regrade.ts'
import { fail, type KeyCorrected, type CorrectKey } from './regrade.schema.ts'

/**
 * Corrects the answer key of a question in all versions and grades the affected attempts again, in one transaction with the
 * audit entry and the emails. Idempotent by the id. A submission at the same time either ends first or is graded by the new key.
 * @throws Failure exam.not-found, key.no-question, key.unknown-answer, key.count, key.moved-on, key.same
 */
export async function regrade(
  db: Db,
  site: Site & { readonly mail: Mail },
  correction: CorrectKey & { examId: string; questionId: string; actorId: UserId; now: Date },
): Promise<KeyCorrected> {
  const { id, questionId, answerKey, reason, actorId, now } = correction
  return db.transaction().execute(async (tx) => {
    const { familyId, settings, courseTitle } = await getCurrentExam(tx, correction.examId)
    await lockExam(tx, familyId)
    const before = await findCorrection(tx, id)
    if (before !== null) return before
    const { newest, versions } = await getNewest(tx, { familyId, questionId })
    refuseKey(newest, answerKey)
    if (effectOf(newest, correction.wasAnswerKey) !== 'same') throw fail('key.moved-on')
    if (versions.every(({ question }) => effectOf(question, answerKey) !== 'corrected')) throw fail('key.same')

    const regraded = await regradeAll(tx, versions, answerKey)
    const explanation = correction.explanation === null ? null : normaliseText(correction.explanation)
    const corrected = await correctKey(tx, {
      familyId,
      questionId,
      answerKey,
      explanation,
      actorId,
      now,
    })
    await tx
      .insertInto('regrades')
      .values({
        id,
        family_id: familyId,
        question_id: questionId,
        answer_key: JSON.stringify(answerKey),
        reason,
        actor_id: actorId,
        at: now,
      })
      .execute()
    await storeResults(tx, id, regraded)
    const keys = corrected.map(({ versionNumber, question }) => ({ versionNumber, key: answerKeyOf(question) }))
    await audit(tx, {
      at: now,
      actorId,
      action: 'exam.key',
      table: 'test_questions',
      id: familyId,
      before: { questionId, versions: keys },
      after: { questionId, key: answerKey, reason, changedCount: regraded.length },
    })
    const toldCount = await notify(tx, site, regraded, { exam: settings.title, course: courseTitle, reason })
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

/** Replaces the results, and stores the former ones for the reviews. */
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

/** Queues one email for each learner whose results change. Returns the number of emails. */
async function notify(
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
