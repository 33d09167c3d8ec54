import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'

/** An exam with the right and a wrong option of each question. */
export type AnsweredExam = {
  readonly id: string
  readonly familyId: string
  readonly courseId: string
  readonly questions: readonly { readonly id: string; readonly right: string; readonly wrong: string }[]
}

/** A finished attempt; a question without an entry has no answer. */
export type StoredAttempt = {
  readonly userId: UserId | null
  readonly exam: AnsweredExam
  readonly finishedAt: Date
  /** By the place of the question in the exam. */
  readonly isRight: readonly (boolean | null)[]
  readonly mode?: 'practice' | 'timed'
  readonly activeMs?: (place: number) => number
  readonly confidence?: (place: number) => 'sure' | 'unsure' | null
}

/** Stores finished attempts as they would lie in the database, in two statements. */
export async function storeAttempts(db: Db, stored: readonly StoredAttempt[]): Promise<void> {
  const withId = stored.map((attempt) => ({ ...attempt, id: randomUUID() }))
  await sql`
    insert into attempts (id, exam_id, family_id, course_id, user_id, guest_id, mode, state, seed, layout, scoring_policy, passing_score,
      started_at, finished_at, finished_by, result, score_percent, is_passed)
    select id, exam_id, family_id, course_id, user_id, guest_id, mode, 'finished', 1, layout, 'all-or-nothing', 70,
      finished_at - interval '1 hour', finished_at, 'learner', result, score, score >= 70
    from json_to_recordset(${JSON.stringify(withId.map(attemptRow))}::json) as row (id uuid, exam_id uuid, family_id uuid,
      course_id uuid, user_id uuid, guest_id uuid, mode text, layout jsonb, finished_at timestamptz, result jsonb, score numeric)`.execute(
    db,
  )
  await sql`
    insert into attempt_answers (attempt_id, question_id, answer, is_flagged, struck, seq, writer, saved_at, active_ms, confidence)
    select attempt_id, question_id, answer, false, '{}', 1, 'w', saved_at, active_ms, confidence
    from json_to_recordset(${JSON.stringify(withId.flatMap(answerRows))}::json) as row (attempt_id uuid, question_id text,
      answer jsonb, saved_at timestamptz, active_ms int, confidence text)`.execute(db)
}

type Identified = StoredAttempt & { readonly id: string }

function attemptRow({ id, exam, userId, finishedAt, isRight, mode = 'timed' }: Identified) {
  const answered = isRight.filter((one) => one !== null).length
  const right = isRight.filter((one) => one === true).length
  const questionCount = exam.questions.length
  const score = Math.floor((100 * right) / questionCount)
  const counts = { rightCount: right, answeredCount: answered, questionCount, domains: [] }
  return {
    id,
    exam_id: exam.id,
    family_id: exam.familyId,
    course_id: exam.courseId,
    user_id: userId,
    guest_id: userId === null ? randomUUID() : null,
    mode,
    layout: exam.questions.map(({ id: question, right: one, wrong }) => ({ question, options: [one, wrong] })),
    finished_at: finishedAt,
    result: { ...counts, scorePercent: score, passingScore: 70, isPassed: score >= 70 },
    score,
  }
}

function answerRows({ id, exam, finishedAt, isRight, activeMs, confidence }: Identified) {
  return exam.questions.flatMap((question, place) => {
    const right = isRight[place] ?? null
    if (right === null) return []
    return [
      {
        attempt_id: id,
        question_id: question.id,
        answer: { type: 'choice', optionIds: [right ? question.right : question.wrong] },
        saved_at: finishedAt,
        active_ms: activeMs?.(place) ?? 0,
        confidence: confidence?.(place) ?? null,
      },
    ]
  })
}
