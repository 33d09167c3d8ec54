import { sql } from 'kysely'
import type { Db } from '../../../../db/open.server.ts'
import type { PersonId } from '../../../../lib/ids.ts'
import { audit } from '../../../../platform/audit.server.ts'
import type { Mail } from '../../../../platform/mail.server.ts'
import { getCurrentExam } from '../../../catalogue/drafts/read.server.ts'
import { mendKey } from '../../../catalogue/drafts/versions/write.server.ts'
import { takeExam } from '../../../catalogue/drafts/write.server.ts'
import { normaliseText, rightAnswerIds } from '../../../questions/rules.ts'
import { regradeLetter, type Site } from './letters.server.ts'
import { getNewest, refuseKey, regradeAll } from './read.server.ts'
import { becomes, sameKey, type Regraded } from './rules.ts'
import { fail, type Mended, type MendKey } from './schema.ts'

/**
 * Mends the key of a question in all versions, and grades anew what it touches, in one transaction with its audit line and its
 * letters. The same id twice is once. A submission that runs at the same time is over before, or is graded by the mended key.
 * @throws Failure exam.not-found, key.no-question, key.unknown-answer, key.count, key.moved-on, key.same
 */
export async function regrade(
  db: Db,
  site: Site & { readonly mail: Mail },
  wish: MendKey & { examId: string; questionId: string; actorId: PersonId; now: Date },
): Promise<Mended> {
  const { questionId, rightAnswerIds: rightIds, reason, actorId, now } = wish
  return db.transaction().execute(async (tx) => {
    const { familyId, settings, courseTitle } = await getCurrentExam(tx, wish.examId)
    await takeExam(tx, familyId)
    const before = await findMended(tx, wish.id)
    if (before !== null) return before
    const { newest, versions } = await getNewest(tx, { familyId, questionId })
    refuseKey(newest, rightIds)
    if (!sameKey(rightAnswerIds(newest), wish.wasRightAnswerIds)) throw fail('key.moved-on')
    if (versions.every(({ question }) => becomes(question, rightIds) !== 'mended')) throw fail('key.same')

    const regraded = await regradeAll(tx, versions, rightIds)
    const explanation = wish.explanation === null ? null : normaliseText(wish.explanation)
    const mended = await mendKey(tx, { familyId, questionId, rightAnswerIds: rightIds, explanation, actorId, now })
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
    await keepResults(tx, wish.id, regraded)
    const keys = mended.map(({ versionNumber, question }) => ({ versionNumber, key: rightAnswerIds(question) }))
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

async function findMended(tx: Db, id: string): Promise<Mended | null> {
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
async function keepResults(tx: Db, regradeId: string, regraded: readonly Regraded[]): Promise<void> {
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
  const byPerson = new Map<string, Regraded[]>()
  for (const one of regraded)
    if (one.person !== null) byPerson.set(one.person.id, [...(byPerson.get(one.person.id) ?? []), one])
  for (const results of byPerson.values()) {
    const person = results[0]?.person
    if (person) await site.mail.send(regradeLetter(person, results, about, site), tx)
  }
  return byPerson.size
}
