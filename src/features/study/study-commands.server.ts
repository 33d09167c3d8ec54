import type { Answer } from '../questions/types/question-types.schema.ts'
import { forReview, isRight } from '../questions/types/grading-registry.ts'
import type { QuestionForReview } from '../questions/types/question-types.schema.ts'
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { EntitledCourse } from '../access/access.schema.ts'
import type { UserId } from '../../lib/ids.ts'
import { blocksOf, drawBlocks } from '../questions/case-studies/case-blocks.ts'
import { shuffleLayout } from '../attempts/attempts.ts'
import {
  findOpenDrill,
  getOwnDrill,
  getStudy,
  listDrillAnswers,
  listDrillQuestions,
  type DrillRecord,
  type StudyQuestion,
} from './study-queries.server.ts'
import { eraseResults } from './exam-results/exam-results-commands.server.ts'
import { eraseMemoryFits } from './repetition/memory-fits-commands.server.ts'
import { removeDevices } from './push/push-commands.server.ts'
import { removeReminder } from './reminders/reminders-commands.server.ts'
import { erasePlans } from './plan/plan-commands.server.ts'
import { drillAnswerProblem, fits } from './study.ts'
import { fail, type DrillAnswer, type DrillFilters, type DrillLayout } from './study.schema.ts'

/**
 * Starts a drill, or returns the open one: a learner has at most one per course. `replaces` ends the open one; its answers
 * stay.
 * @throws Failure drill.nothing-fits
 */
export async function startDrill(
  db: Db,
  start: { proof: EntitledCourse; filters: DrillFilters; replaces: string | undefined; now: Date },
): Promise<DrillRecord> {
  const { proof, filters, replaces, now } = start
  const { userId, courseId } = proof
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`drills:${userId}:${courseId}`}, 0))`.execute(tx)
    const open = await findOpenDrill(tx, { userId, courseId })
    if (open !== null && open.id !== replaces) return open
    const { questions } = await getStudy(tx, { userId, courseId, now })
    const seed = randomInt(2 ** 31)
    const layout = createLayout(questions, filters, seed)
    if (layout.length === 0) throw fail('drill.nothing-fits')
    if (open !== null) await closeDrill(tx, open.id, now)
    const { id } = await tx
      .insertInto('drills')
      .values({
        user_id: userId,
        course_id: courseId,
        filters: JSON.stringify(filters),
        seed,
        layout: JSON.stringify(layout),
        started_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, courseId, filters, layout, startedAt: now, finishedAt: null }
  })
}

/** Shuffled questions and options. A drill of due questions takes those that have been due the longest. */
function createLayout(questions: readonly StudyQuestion[], filters: DrillFilters, seed: number): DrillLayout {
  const fitting = questions.filter(({ standing }) => fits(standing, filters))
  const isOnlyDue = filters.from.every((source) => source === 'due') && filters.from.length > 0
  const byDue = fitting.toSorted((a, b) => (a.dueAt?.getTime() ?? 0) - (b.dueAt?.getTime() ?? 0))
  const due = new Set(byDue.slice(0, filters.count))
  // In the order of the exam, in which questions of one case study follow each other.
  const picked = isOnlyDue ? fitting.filter((question) => due.has(question)) : fitting
  const byKey = new Map(picked.map((question) => [question.key, question]))
  // Two exams may have questions with equal ids, so the study key serves as the id here.
  const shuffled = shuffleLayout(
    seed,
    // Two exams may have case studies with equal ids, too.
    picked.map((one) => ({ ...one.question, id: one.key, caseStudy: groupOf(one) })),
    'timed',
  )
  const blocks = blocksOf(
    shuffled.map((place) => ({ ...place, id: place.question, caseStudy: groupOf(byKey.get(place.question)) })),
  )
  return drawBlocks(blocks, filters.count).flatMap(({ question: key, shape }) => {
    const source = byKey.get(key)
    if (source === undefined) return []
    const { examId, familyId } = source
    return [{ examId, familyId, questionId: source.question.id, shape }]
  })
}

function groupOf(one: StudyQuestion | undefined): string | undefined {
  return one?.question.caseStudy === undefined ? undefined : `${one.examId} ${one.question.caseStudy}`
}

type OwnPlace = { readonly drillId: string; readonly place: number; readonly userId: UserId }

/**
 * Makes the answer of one question final and returns its answer key. A second call keeps the first answer. The last question
 * finishes the drill.
 * @throws Failure drill.not-found, drill.finished, drill.unknown-answer, drill.too-many-selected
 */
export async function checkDrillAnswer(
  db: Db,
  check: OwnPlace & { answer: Answer; now: Date },
): Promise<{ question: QuestionForReview; answer: DrillAnswer; isFinished: boolean }> {
  const { place, now } = check
  return db.transaction().execute(async (tx) => {
    const drill = await getOwnDrill(tx, check, { lock: true })
    const [question, entry] = [(await listDrillQuestions(tx, drill))[place] ?? null, drill.layout[place]]
    if (question === null || entry === undefined) throw fail('drill.not-found')
    const before = (await listDrillAnswers(tx, drill.id)).find((answer) => answer.place === place)
    if (before?.isAnswered !== true) {
      if (drill.finishedAt !== null) throw fail('drill.finished')
      const problem = drillAnswerProblem(entry.shape, check.answer)
      if (problem !== null) throw fail(problem)
      const answered = { answer: JSON.stringify(check.answer), answered_at: now }
      await tx
        .insertInto('drill_answers')
        .values({ drill_id: drill.id, place, ...answered })
        .onConflict((on) => on.columns(['drill_id', 'place']).doUpdateSet(answered))
        .execute()
    }
    const answers = await listDrillAnswers(tx, drill.id)
    const isFinished =
      drill.finishedAt !== null || answers.filter(({ isAnswered }) => isAnswered).length === drill.layout.length
    if (isFinished) await closeDrill(tx, drill.id, now)
    const answer = before?.isAnswered === true ? before.answer : check.answer
    return {
      question: forReview(question),
      answer: { answer, isRight: isRight(question, answer), isFlagged: before?.isFlagged ?? false },
      isFinished,
    }
  })
}

/** Flags or unflags a question of a drill, before or after it is answered. @throws Failure drill.not-found */
export async function flagDrillQuestion(db: Db, flag: OwnPlace & { isFlagged: boolean }): Promise<void> {
  const drill = await getOwnDrill(db, flag)
  if (drill.layout[flag.place] === undefined) throw fail('drill.not-found')
  await db
    .insertInto('drill_answers')
    .values({ drill_id: drill.id, place: flag.place, is_flagged: flag.isFlagged, answered_at: null })
    .onConflict((on) => on.columns(['drill_id', 'place']).doUpdateSet({ is_flagged: flag.isFlagged }))
    .execute()
}

/** Ends a drill; only its answered questions count. Idempotent. @throws Failure drill.not-found */
export async function finishDrill(
  db: Db,
  finish: { drillId: string; userId: UserId; now: Date },
): Promise<DrillRecord> {
  await getOwnDrill(db, finish)
  await closeDrill(db, finish.drillId, finish.now)
  return getOwnDrill(db, finish)
}

async function closeDrill(db: Db, drillId: string, now: Date): Promise<void> {
  await db
    .updateTable('drills')
    .set({ finished_at: now })
    .where('id', '=', drillId)
    .where('finished_at', 'is', null)
    .execute()
}

/** Deletes the drills of a user, with their answers, the progress, the plans, the results, the fit of FSRS, and what was told
 * day by day. */
export async function eraseLearner(tx: Db, userId: UserId): Promise<void> {
  await tx.deleteFrom('readiness_days').where('user_id', '=', userId).execute()
  await eraseResults(tx, userId)
  await erasePlans(tx, userId)
  await eraseMemoryFits(tx, userId)
  await removeReminder(tx, userId)
  await removeDevices(tx, userId)
  await tx.deleteFrom('study_progress').where('user_id', '=', userId).execute()
  await tx.deleteFrom('drills').where('user_id', '=', userId).execute()
}
