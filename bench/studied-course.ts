import type { OpenDatabase } from '../src/db/open.server.ts'
import { shuffleLayout } from '../src/features/attempts/attempts.ts'
import type { UserId } from '../src/lib/ids.ts'
import { aCourse, anExam, aQuestion, type BuiltExam } from '../tests/support/build-course.ts'
import { makeLearner } from '../tests/support/exam-takers.ts'

const DOMAINS = ['Compute', 'Data', 'Network', 'Security']

/** A course with a learner who has studied it. */
export type StudiedCourse = {
  readonly cookie: string
  readonly exam: BuiltExam
  readonly courseSlug: string
  readonly finishedId: string
  /** Finishes the first exam once more, with an answer to each question. */
  readonly finishOne: () => Promise<void>
}

export type StudySize = {
  /** The questions of the exam that is taken. */
  readonly taken: number
  /** The questions of each further exam. */
  readonly others: readonly number[]
  /** Finished attempts by others. */
  readonly attemptsOfCourse: number
  readonly attemptsOfLearner: number
  /** Finished drills of the learner; each asks all questions of an exam, one exam after another. */
  readonly drillsOfLearner?: number
  readonly hoursBetween?: number
}

/** A course with its exams, attempts by many users, and a learner with finished attempts and an open one at its first exam. */
export async function fillStudiedCourse(
  { db, pool }: OpenDatabase,
  dataDir: string,
  size: StudySize,
): Promise<StudiedCourse> {
  const course = await aCourse(db, {
    title: `Course of ${size.attemptsOfCourse} attempts, ${size.attemptsOfLearner} of one learner`,
  })
  const questionsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => aQuestion(index + 1, { domain: DOMAINS[index % DOMAINS.length] ?? '' }))
  const exam = await anExam(db, course.id, { questions: questionsOf(size.taken) })
  const others: BuiltExam[] = []
  for (const count of size.others) others.push(await anExam(db, course.id, { questions: questionsOf(count) }))
  const { id, cookie } = await makeLearner(db, { dataDir, courseId: course.id })
  await pool.query(
    `insert into users (name, email, email_verified) select 'Flat', 'flat-' || $1 || n || '@example.com', true
     from generate_series(1, 500) as n`,
    [course.slug],
  )
  const layout = JSON.stringify(shuffleLayout(1, exam.questions, 'timed'))
  const finish = async (whose: string, count: number, values: readonly unknown[]): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into attempts (exam_id, family_id, course_id, user_id, mode, state, seed, layout, scoring_policy, passing_score,
         started_at, finished_at, finished_by, result, score_percent, is_passed)
       select test_questions.id, family_id, course_id, (${whose}), 'timed', 'finished', 1, $2::jsonb, scoring_policy,
         test_questions.passing_score, at, at, 'learner', $3::jsonb, (random() * 100)::int, random() > 0.5
       from test_questions, generate_series(1, ${count}) as n
       cross join lateral (select now() - (n - 1) * interval '${size.hoursBetween ?? 1} hours' as at) as times
       where test_questions.id = $1 returning id`,
      [exam.id, layout, ...values],
    )
    return rows.map((row) => row.id)
  }
  const result = JSON.stringify({
    rightCount: 30,
    answeredCount: size.taken,
    questionCount: size.taken,
    scorePercent: 46,
    passingScore: 70,
    isPassed: false,
    domains: [],
  })
  await finish(
    `select id from users where email = 'flat-' || $4 || (n % 500 + 1) || '@example.com'`,
    size.attemptsOfCourse,
    [result, course.slug],
  )
  const finishOwn = async (count: number) => {
    const attemptIds = await finish('select $4::uuid', count, [result, id])
    await pool.query(
      `insert into attempt_answers (attempt_id, question_id, answer, seq, writer, saved_at, active_ms)
     select attempts.id, question ->> 'id', jsonb_build_object('type', 'choice', 'optionIds',
       jsonb_build_array(question -> 'options' -> (random() * random() * 4)::int % 4 ->> 'id')), 1, 'bench', now(), 1000
     from attempts join test_questions on test_questions.id = exam_id
     cross join lateral jsonb_array_elements(questions) as question where attempts.id = any($1::uuid[])`,
      [attemptIds],
    )
  }
  await finishOwn(size.attemptsOfLearner)
  await finishDrills(pool, { userId: id, courseId: course.id, exams: [exam, ...others], size })
  const { rows } = await pool.query<{ id: string }>(
    'select id from attempts where user_id = $1 order by started_at desc limit 1',
    [id],
  )
  return {
    cookie: `${cookie.name}=${cookie.value}`,
    exam,
    courseSlug: course.slug,
    finishedId: rows[0]?.id ?? '',
    finishOne: () => finishOwn(1),
  }
}

async function finishDrills(
  pool: OpenDatabase['pool'],
  of: { userId: UserId; courseId: string; exams: readonly BuiltExam[]; size: StudySize },
): Promise<void> {
  const { userId, courseId, exams, size } = of
  for (const [place, { id: examId, questions }] of exams.entries()) {
    const layout = shuffleLayout(1, questions, 'timed').map(({ question: questionId, shape }) => ({
      examId,
      familyId: examId,
      questionId,
      shape,
    }))
    await pool.query(
      `with inserted as (
         insert into drills (user_id, course_id, filters, seed, layout, started_at, finished_at)
         select $1, $2, '{"from": [], "domains": [], "count": 50}', 1, $3::jsonb, at - interval '20 minutes', at
         from generate_series(1, $4::int) as n
         cross join lateral (select now() - interval '30 minutes' - (n - 1) * interval '${size.hoursBetween ?? 1} hours' as at) as times
         where n % $5 = $6 returning id, started_at
       )
       insert into drill_answers (drill_id, place, answer, answered_at)
       select inserted.id, question.ordinality - 1, jsonb_build_object('type', 'choice', 'optionIds',
         jsonb_build_array(question.value -> 'options' -> (random() * random() * 4)::int % 4 ->> 'id')),
         started_at + question.ordinality * interval '20 seconds'
       from inserted, test_questions, jsonb_array_elements(questions) with ordinality as question
       where test_questions.id = $7`,
      [userId, courseId, JSON.stringify(layout), size.drillsOfLearner ?? 0, exams.length, place, examId],
    )
  }
}
