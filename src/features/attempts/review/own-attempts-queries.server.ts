import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { comesAfter, inOnePage, inPages, type OwnData } from '../../../platform/own-data-export.server.ts'

/** Everything that this feature stores about a user. Results only of finished attempts, and never an answer key. */
export function exportOf(db: Db, userId: UserId): OwnData[] {
  return [
    { name: 'attempts', pages: inPages(readAttempts(db, userId)) },
    { name: 'answers', pages: inPages(readAnswers(db, userId)) },
    { name: 'case_studies', pages: inPages(readCaseStudies(db, userId)) },
    { name: 'late_answers', pages: inPages(readLateAnswers(db, userId)) },
    { name: 'former_results', pages: inOnePage(() => readFormerResults(db, userId)) },
    { name: 'issued_offline_exams', pages: inOnePage(() => readOfflineExams(db, userId)) },
  ]
}

type AttemptCursor = { readonly id: string; readonly started_at: Date }
type AnswerCursor = { readonly attempt_id: string; readonly question_id: string }

function readAttempts(db: Db, userId: UserId) {
  return (after: AttemptCursor | null, limit: number) =>
    db
      .selectFrom('attempts')
      .leftJoin('test_questions', 'test_questions.id', 'attempts.exam_id')
      .where('attempts.user_id', '=', userId)
      .where(comesAfter(after, 'attempts.started_at', 'attempts.id'))
      .orderBy('attempts.started_at')
      .orderBy('attempts.id')
      .limit(limit)
      .select([
        'attempts.id',
        'attempts.course_id',
        'attempts.exam_id',
        sql<string>`coalesce(test_questions.test_name, attempts.drawn ->> 'title', '')`.as('exam'),
        'test_questions.version_number as exam_version',
        sql<object | null>`attempts.drawn`.as('drawn'),
        'attempts.mode',
        'attempts.state',
        'attempts.scoring_policy',
        'attempts.passing_score',
        'attempts.time_limit_minutes',
        'attempts.extra_time',
        'attempts.started_at',
        'attempts.deadline_at',
        'attempts.finished_at',
        'attempts.finished_by',
        'attempts.score_percent',
        'attempts.is_passed',
        sql<object | null>`attempts.result`.as('result'),
        sql<object>`attempts.layout`.as('questions_and_answers_as_shown'),
      ])
      .execute()
}

type CaseStudyCursor = { readonly attempt_id: string; readonly case_study_id: string }

/** The case studies of the questions of each attempt, by title: like those of questions, their texts belong to the shop. */
function readCaseStudies(db: Db, userId: UserId) {
  return async (after: CaseStudyCursor | null, limit: number) => {
    const { rows } = await sql<CaseStudyCursor & { title: string; question_ids: string[] }>`
      select attempt_id, case_study_id, title, question_ids from (
        select attempts.id as attempt_id, one ->> 'id' as case_study_id, one ->> 'title' as title,
          (select jsonb_agg(entry ->> 'question' order by place)
            from jsonb_array_elements(attempts.layout) with ordinality as shown (entry, place)
            join jsonb_array_elements(exam.questions) as question on question ->> 'id' = entry ->> 'question'
            where question ->> 'caseStudy' = one ->> 'id') as question_ids
        from attempts join test_questions as exam on exam.id = attempts.exam_id,
          jsonb_array_elements(exam.case_studies) as one
        where attempts.user_id = ${userId}) as named
      where question_ids is not null and ${comesAfter(after, 'attempt_id', 'case_study_id')}
      order by attempt_id, case_study_id limit ${limit}`.execute(db)
    return rows
  }
}

function readAnswers(db: Db, userId: UserId) {
  return (after: AnswerCursor | null, limit: number) =>
    db
      .selectFrom('attempt_answers')
      .innerJoin('attempts', 'attempts.id', 'attempt_answers.attempt_id')
      .where('attempts.user_id', '=', userId)
      .where(comesAfter(after, 'attempt_answers.attempt_id', 'attempt_answers.question_id'))
      .orderBy('attempt_answers.attempt_id')
      .orderBy('attempt_answers.question_id')
      .limit(limit)
      .select([
        'attempt_answers.attempt_id',
        'attempt_answers.question_id',
        sql<object | null>`attempt_answers.answer`.as('answer'),
        'attempt_answers.is_flagged',
        'attempt_answers.struck',
        'attempt_answers.note',
        'attempt_answers.confidence',
        'attempt_answers.active_ms',
        'attempt_answers.checked_at',
        'attempt_answers.saved_at',
      ])
      .execute()
}

function readLateAnswers(db: Db, userId: UserId) {
  return (after: AnswerCursor | null, limit: number) =>
    db
      .selectFrom('late_answers')
      .innerJoin('attempts', 'attempts.id', 'late_answers.attempt_id')
      .where('attempts.user_id', '=', userId)
      .where(comesAfter(after, 'late_answers.attempt_id', 'late_answers.question_id'))
      .orderBy('late_answers.attempt_id')
      .orderBy('late_answers.question_id')
      .limit(limit)
      .select([
        'late_answers.attempt_id',
        'late_answers.question_id',
        sql<object | null>`late_answers.answer`.as('answer'),
        'late_answers.arrived_at',
      ])
      .execute()
}

function readFormerResults(db: Db, userId: UserId) {
  return db
    .selectFrom('former_results')
    .innerJoin('attempts', 'attempts.id', 'former_results.attempt_id')
    .innerJoin('regrades', 'regrades.id', 'former_results.regrade_id')
    .where('attempts.user_id', '=', userId)
    .orderBy('regrades.at')
    .select([
      'former_results.attempt_id',
      'former_results.score_percent',
      'former_results.is_passed',
      sql<object>`former_results.result`.as('result'),
      'regrades.reason as changed_because',
      'regrades.at as changed_at',
    ])
    .execute()
}

function readOfflineExams(db: Db, userId: UserId) {
  return db
    .selectFrom('issued_offline_exams')
    .where('user_id', '=', userId)
    .orderBy('issued_at')
    .orderBy('seed')
    .select(['exam_id', 'issued_at'])
    .execute()
}
