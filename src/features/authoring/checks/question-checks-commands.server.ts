import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { type AdminAction, audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import type { Jobs } from '../../../platform/jobs.server.ts'
import { checkBank, questionsOf } from '../../questions/checks/bank-checks.ts'
import { measureCues } from '../../questions/checks/cues.ts'
import { findRunningCheck, readBank } from './question-checks-queries.server.ts'
import { fail, type CheckFailure } from './question-checks.schema.ts'

export const CHECK_JOB = 'check-bank'
/** Findings per statement: a check of a bad bank finds tens of thousands. */
const ROWS_AT_ONCE = 1000

/** Queues a check of the whole bank, or returns the one that is running. */
export async function askForCheck(db: Db, jobs: Jobs, ask: AdminAction): Promise<{ checkId: string }> {
  const { actorId, now } = ask
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('bank_checks'))`.execute(tx)
    const running = await findRunningCheck(tx, now)
    if (running !== null) return { checkId: running }
    await tx
      .updateTable('bank_checks')
      .set({ failed_at: now, failure: 'broken' })
      .where('finished_at', 'is', null)
      .where('failed_at', 'is', null)
      .execute()
    const checkId = randomUUID()
    await tx.insertInto('bank_checks').values({ id: checkId, asked_at: now, asked_by: actorId }).execute()
    await jobs.send(CHECK_JOB, { checkId }, tx)
    await audit(tx, {
      at: now,
      actorId,
      action: 'bank.check',
      table: 'bank_checks',
      id: checkId,
      before: null,
      after: { askedAt: now },
    })
    return { checkId }
  })
}

/** Runs a queued check. Its findings and the cues of the bank replace those of the last check in one transaction. */
export async function runCheck(db: Db, checkId: string, now: Date): Promise<void> {
  const { courses, exams, changeNumber } = await readBank(db)
  const findings = checkBank(courses)
  const cues = measureCues(questionsOf(courses.flatMap((course) => course.exams)))
  const rows = findings.flatMap(({ examSlug, questionId, code, severity, facts, sentence }) => {
    const exam = exams.get(examSlug)
    if (exam === undefined) return []
    const fingerprint = createHash('sha256')
      .update(`${exam.questions.get(questionId) ?? ''}\n${sentence}`)
      .digest('hex')
    const { courseId, familyId } = exam
    const place = { check_id: checkId, course_id: courseId, family_id: familyId, question_id: questionId }
    return [{ ...place, code, severity, facts: JSON.stringify(facts), sentence: null, fingerprint }]
  })
  await db.transaction().execute(async (tx) => {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await tx
        .insertInto('bank_findings')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .execute()
    const questionCount = [...exams.values()].reduce((sum, { questions }) => sum + questions.size, 0)
    await tx
      .updateTable('bank_checks')
      .set({
        finished_at: now,
        question_count: questionCount,
        change_number: changeNumber,
        cues: JSON.stringify(cues),
      })
      .where('id', '=', checkId)
      .execute()
    await tx.deleteFrom('bank_checks').where('id', '!=', checkId).where('finished_at', 'is not', null).execute()
    await tx.deleteFrom('bank_checks').where('id', '!=', checkId).where('failed_at', 'is not', null).execute()
  })
}

/** Marks a check as failed that did not finish, for example because its process died. */
export async function markCheckFailed(
  db: Db,
  check: { readonly checkId: string; readonly failure: CheckFailure; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('bank_checks')
    .set({ failed_at: check.now, failure: check.failure })
    .where('id', '=', check.checkId)
    .where('finished_at', 'is', null)
    .execute()
}

type FindingAction = AdminAction & { readonly findingId: number }

/** Takes a finding off the list until its question changes. A second call replaces the note. @throws Failure finding.not-found */
export async function setFindingAside(db: Db, act: FindingAction & { readonly note: string }): Promise<void> {
  const { findingId, note, actorId, now } = act
  await db.transaction().execute(async (tx) => {
    const finding = await getFinding(tx, findingId)
    const set = { note, set_by: actorId, set_at: now }
    await tx
      .insertInto('set_aside_findings')
      .values({ ...finding, ...set })
      .onConflict((conflict) => conflict.columns(['family_id', 'question_id', 'code', 'fingerprint']).doUpdateSet(set))
      .execute()
    const { family_id: id, question_id: questionId, code } = finding
    await audit(tx, {
      at: now,
      actorId,
      action: 'finding.set-aside',
      table: 'test_questions',
      id,
      before: null,
      after: { questionId, code, note },
    })
  })
}

/** Puts a finding back on the list. Idempotent. @throws Failure finding.not-found */
export async function takeFindingBack(db: Db, act: FindingAction): Promise<void> {
  const { findingId, actorId, now } = act
  await db.transaction().execute(async (tx) => {
    const finding = await getFinding(tx, findingId)
    const removed = await tx
      .deleteFrom('set_aside_findings')
      .where('family_id', '=', finding.family_id)
      .where('question_id', '=', finding.question_id)
      .where('code', '=', finding.code)
      .where('fingerprint', '=', finding.fingerprint)
      .returning('note')
      .executeTakeFirst()
    const { family_id: id, question_id: questionId, code } = finding
    await audit(tx, {
      at: now,
      actorId,
      action: 'finding.back',
      table: 'test_questions',
      id,
      before: { questionId, code, note: removed?.note ?? null },
      after: null,
    })
  })
}

async function getFinding(tx: Db, findingId: number) {
  const row = await tx
    .selectFrom('bank_findings')
    .where('id', '=', findingId)
    .select(['family_id', 'question_id', 'code', 'fingerprint'])
    .executeTakeFirst()
  if (row === undefined) throw fail('finding.not-found')
  return row
}
