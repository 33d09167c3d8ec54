import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, GuestId, UserId } from '../../../lib/ids.ts'
import { takerId } from '../../attempts/attempts-queries.server.ts'
import { shuffleLayout } from '../../attempts/attempts.ts'
import type { Taker } from '../../attempts/attempts.schema.ts'
import type { Answer } from '../../questions/types/question-types.schema.ts'
import { drillAnswerProblem } from '../study.ts'
import {
  chooseNext,
  countDiagnostics,
  findLatestDiagnostic,
  getDiagnosticBank,
  getOwnDiagnostic,
  listAsked,
  viewOf,
  type AskableQuestion,
  type AskedQuestion,
  type DiagnosticBank,
  type DiagnosticRecord,
} from './diagnostic-queries.server.ts'
import { fail, type DiagnosticSize, type DiagnosticView } from './diagnostic.schema.ts'
import { againFrom, guestsKeptFrom } from './diagnostic.ts'

type Start = {
  readonly taker: Taker
  readonly courseId: CourseId
  readonly size: DiagnosticSize
  /** Whether to start one although the last ended not long ago. */
  readonly isAnew: boolean
  readonly now: Date
}

/**
 * Starts a diagnostic, or goes on with the open one: a taker has one of each size in a course. Where the question that is asked was
 * taken out of the course, another takes its place.
 * @throws Failure diagnostic.too-soon, diagnostic.nothing-new, diagnostic.nothing-free
 */
export async function startDiagnostic(db: Db, start: Start): Promise<DiagnosticView> {
  const { taker, courseId, size, isAnew, now } = start
  return db.transaction().execute(async (tx) => {
    await lockStarts(tx, takerId(taker), courseId)
    const latest = await findLatestDiagnostic(tx, start)
    const bank = await getDiagnosticBank(tx, { ...start, ...idsOf(taker) })
    if (latest !== null && latest.finishedAt === null) {
      const asked = await listAsked(tx, latest)
      const view = viewOf(latest, asked, bank)
      return view.question === null ? askNext(tx, { record: latest, asked, bank, now }) : view
    }
    if (latest?.finishedAt !== undefined && latest.finishedAt !== null && now < againFrom(latest.finishedAt) && !isAnew)
      throw fail('diagnostic.too-soon')
    if (bank.open.size === 0 && size === 'short') throw fail('diagnostic.nothing-free')
    if (bank.candidates.length === 0) throw fail('diagnostic.nothing-new')
    const seed = seedOf(`${takerId(taker)} ${courseId} ${await countDiagnostics(tx, start)}`)
    const { id } = await tx
      .insertInto('drills')
      .values({
        user_id: idsOf(taker).userId,
        guest_id: idsOf(taker).guestId,
        course_id: courseId,
        diagnostic: size,
        filters: '{}',
        seed,
        layout: '[]',
        started_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return askNext(tx, { record: { id, courseId, size, seed, layout: [], finishedAt: null }, asked: [], bank, now })
  })
}

/** Until the transaction ends, nobody else starts a diagnostic of this taker in this course. */
export async function lockStarts(tx: Db, taker: UserId | GuestId, courseId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`diagnostics:${taker}:${courseId}`}, 0))`.execute(tx)
}

function idsOf(taker: Taker): { readonly userId: UserId | null; readonly guestId: GuestId | null } {
  return taker.kind === 'person' ? { userId: taker.userId, guestId: null } : { userId: null, guestId: taker.guestId }
}

function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1
}

type Present = {
  readonly record: DiagnosticRecord
  readonly asked: readonly AskedQuestion[]
  readonly bank: DiagnosticBank
  readonly now: Date
}

/** Asks the next question, in the place of one without an answer, or ends the diagnostic. */
async function askNext(tx: Db, { record, asked, bank, now }: Present): Promise<DiagnosticView> {
  const answered = asked.filter(({ answeredAt }) => answeredAt !== null)
  const next = chooseNext(bank, answered, record, now)
  const kept = record.layout.slice(0, answered.length)
  const layout = next === null ? kept : [...kept, entryOf(next, record.seed + kept.length)]
  const finishedAt = next === null ? now : null
  await tx
    .updateTable('drills')
    .set({ layout: JSON.stringify(layout), finished_at: finishedAt })
    .where('id', '=', record.id)
    .execute()
  const after = { ...record, layout, finishedAt }
  return viewOf(after, await listAsked(tx, after), bank)
}

function entryOf({ examId, familyId, question }: AskableQuestion, seed: number): DiagnosticRecord['layout'][number] {
  const [entry] = shuffleLayout(seed, [question], 'practice')
  return { examId, familyId, questionId: question.id, shape: entry!.shape }
}

/**
 * Makes the answer to a question final and asks the next one. A second answer changes nothing; neither does one to a question that was
 * taken out of the course meanwhile.
 * @throws Failure diagnostic.not-found, diagnostic.unknown-answer
 */
export async function answerDiagnostic(
  db: Db,
  given: {
    readonly diagnosticId: string
    readonly taker: Taker
    readonly place: number
    readonly answer: Answer | null
    readonly now: Date
  },
): Promise<DiagnosticView> {
  const { taker, place, answer, now } = given
  return db.transaction().execute(async (tx) => {
    const record = await getOwnDiagnostic(tx, given, { lock: true })
    const [asked, bank] = await Promise.all([
      listAsked(tx, record),
      getDiagnosticBank(tx, { ...record, ...idsOf(taker), now }),
    ])
    const [one, entry] = [asked[place], record.layout[place]]
    if (one === undefined || entry === undefined) throw fail('diagnostic.not-found')
    if (one.answeredAt !== null || record.finishedAt !== null) return viewOf(record, asked, bank)
    if (one.question === null || !bank.open.has(one.key)) return askNext(tx, { record, asked, bank, now })
    if (answer !== null && drillAnswerProblem(entry.shape, answer) !== null) throw fail('diagnostic.unknown-answer')
    await tx
      .insertInto('drill_answers')
      .values({
        drill_id: record.id,
        place,
        answer: answer === null ? null : JSON.stringify(answer),
        answered_at: now,
      })
      .execute()
    return askNext(tx, {
      record,
      asked: asked.map((other) => (other === one ? { ...one, answer, answeredAt: now } : other)),
      bank,
      now,
    })
  })
}

/**
 * Ends a diagnostic with what was answered; the question that is asked does not count. Ending it again changes nothing.
 * @throws Failure diagnostic.not-found
 */
export async function endDiagnostic(
  db: Db,
  of: { readonly diagnosticId: string; readonly taker: Taker; readonly now: Date },
): Promise<DiagnosticView> {
  const { taker, now } = of
  return db.transaction().execute(async (tx) => {
    const record = await getOwnDiagnostic(tx, of, { lock: true })
    const [asked, bank] = await Promise.all([
      listAsked(tx, record),
      getDiagnosticBank(tx, { ...record, ...idsOf(taker), now }),
    ])
    if (record.finishedAt !== null) return viewOf(record, asked, bank)
    const answered = asked.filter(({ answeredAt }) => answeredAt !== null)
    const layout = record.layout.slice(0, answered.length)
    await tx
      .updateTable('drills')
      .set({ layout: JSON.stringify(layout), finished_at: now })
      .where('id', '=', record.id)
      .execute()
    return viewOf({ ...record, layout, finishedAt: now }, answered, bank)
  })
}

/** Deletes the diagnostics of guests who did nothing in them for GUEST_DAYS. Returns their number. */
export async function deleteOldGuestDiagnostics(db: Db, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from drills where guest_id is not null and greatest(started_at, finished_at,
      (select max(answered_at) from drill_answers where drill_id = drills.id)) < ${guestsKeptFrom(now)}`.execute(db)
  return Number(numAffectedRows)
}

/** Moves a guest's diagnostics to the user who signs in. If the user has one open in the same course, the guest's ends as it is. */
export async function adoptGuestDiagnostics(
  db: Db,
  { guestId, userId, now }: { readonly guestId: GuestId; readonly userId: UserId; readonly now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const open = tx
      .selectFrom('drills')
      .select('course_id')
      .where('guest_id', '=', guestId)
      .where('finished_at', 'is', null)
    for (const { course_id } of await open.distinct().orderBy('course_id').execute())
      await lockStarts(tx, userId, course_id)
    await sql`
      update drills set finished_at = ${now} where guest_id = ${guestId} and finished_at is null and exists (
        select from drills as own where own.user_id = ${userId} and own.course_id = drills.course_id
          and own.diagnostic = drills.diagnostic and own.finished_at is null)`.execute(tx)
    await tx.updateTable('drills').set({ user_id: userId, guest_id: null }).where('guest_id', '=', guestId).execute()
  })
}
