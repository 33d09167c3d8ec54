import { keySentence } from '../../questions/types/edit-registry.ts'
import type { AnswerKey } from '../../questions/types/question-edit.schema.ts'
import { Answer, type Question } from '../../questions/types/question-types.schema.ts'
import { keyProblem, pointsOf, withAnswerKey } from '../../questions/types/grading-registry.ts'
import type { KeyProblem } from '../../questions/types/type-grading.ts'
import { ScoringPolicy } from '../../questions/types/question-base.schema.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, ExamId } from '../../../lib/ids.ts'
import { listVersionsOfQuestion, type QuestionVersion } from '../../authoring/drafts/drafts-queries.server.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { listQuestionsOf } from '../attempt-questions-queries.server.ts'
import { getRealExam } from '../attempts-queries.server.ts'
import { examPlaces, inDrawnExam } from '../drawn-exams/drawn-exams.ts'
import { gradeAttempt } from '../attempts.ts'
import { AttemptResult, Drawn, Layout } from '../attempts.schema.ts'
import { effectOf, summarise, type Regraded } from './regrade.ts'
import { fail, type KeyPreview } from './regrade.schema.ts'

/** The question in all versions, and in the newest one, by which a corrected key is judged. @throws Failure key.no-question */
export async function getNewest(
  db: Db,
  of: { familyId: string; questionId: string },
): Promise<{ newest: Question; newestExamId: ExamId; versions: QuestionVersion[] }> {
  const versions = await listVersionsOfQuestion(db, of)
  const last = versions.at(-1)
  if (last === undefined) throw fail('key.no-question')
  return { newest: last.question, newestExamId: last.examId as ExamId, versions }
}

/** The effect that a corrected answer key would have. @throws Failure key.no-question, key.unknown-answer, key.count */
export async function previewKey(
  db: Db,
  of: { familyId: string; questionId: string; answerKey: AnswerKey },
): Promise<KeyPreview> {
  const { newest, versions } = await getNewest(db, of)
  refuseKey(newest, of.answerKey)
  const regraded = await regradeAll(db, versions, of.answerKey)
  const corrected = versions.filter(({ question }) => effectOf(question, of.answerKey) !== 'inapplicable')
  const { finished, open } = await db
    .selectFrom('attempts')
    .where((eb) =>
      eb.or([
        eb(
          'exam_id',
          'in',
          corrected.map(({ examId }) => examId),
        ),
        ...corrected.map(({ examId }) => hasDrawn({ examId, questionId: of.questionId })),
      ]),
    )
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', '=', 'finished').as('finished'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'open').as('open'),
    ])
    .executeTakeFirstOrThrow()
  return {
    ...summarise(regraded, newest.domain),
    finishedCount: finished,
    openCount: open,
    versions: versions.map(({ versionNumber, question }) => ({
      versionNumber,
      effect: effectOf(question, of.answerKey),
    })),
  }
}

/** @throws Failure key.unknown-answer, key.count */
export function refuseKey(question: Question, answerKey: AnswerKey): void {
  const problem = keyProblem(question, answerKey)
  if (problem === null) return
  const message = keySentence(question, problem)
  throw fail(keyFailures[problem], { sentence: message, fields: [{ field: 'answerKey', message }] })
}

const keyFailures = { 'unknown-part': 'key.unknown-answer', count: 'key.count' } as const satisfies Record<
  KeyProblem,
  string
>

/** Whether an attempt is a drawn exam that has this question. The first condition is for the index. */
function hasDrawn({ examId, questionId }: { readonly examId: string; readonly questionId: string }) {
  const question = JSON.stringify([{ from: { examId, questionId } }])
  return sql<boolean>`(drawn is not null and jsonb_path_query_array(layout, '$[*].from.examId') ? ${examId}
    and layout @> ${question}::jsonb)`
}

/** Attempts that are graded at once: their answers are in memory together. */
const BATCH = 200

/**
 * Every finished attempt whose answer has another number of points by the new key, graded again from its stored answers.
 * `versions` hold the question as it was graded before.
 */
export async function regradeAll(
  db: Db,
  versions: readonly QuestionVersion[],
  answerKey: AnswerKey,
): Promise<Regraded[]> {
  const all: Regraded[] = []
  for (const version of versions) {
    const corrected = withAnswerKey(version.question, answerKey)
    if (corrected === null) continue
    const drawnIds = await listAffectedDrawn(db, version, corrected)
    for (let at = 0; at < drawnIds.length; at += BATCH)
      all.push(...(await gradeAgain(db, drawnIds.slice(at, at + BATCH), version, corrected, null)))
    const ids = await listAffected(db, version, corrected)
    if (ids.length === 0) continue
    const stored = await getExamQuestions(db, version.examId as ExamId)
    const questions = stored.map((question) => (question.id === corrected.id ? corrected : question))
    for (let at = 0; at < ids.length; at += BATCH)
      all.push(...(await gradeAgain(db, ids.slice(at, at + BATCH), version, corrected, questions)))
  }
  return all
}

async function listAffected(db: Db, { examId, question }: QuestionVersion, corrected: Question): Promise<string[]> {
  const rows = await db
    .selectFrom('attempts')
    .innerJoin('attempt_answers', 'attempt_answers.attempt_id', 'attempts.id')
    .where('attempts.exam_id', '=', examId)
    .where('attempts.state', '=', 'finished')
    .where('attempt_answers.question_id', '=', question.id)
    .orderBy('attempts.finished_at', 'desc')
    .orderBy('attempts.id')
    .select(['attempts.id', 'attempts.scoring_policy', 'attempt_answers.answer'])
    .execute()
  return rows.filter((row) => hasOtherPoints(row, question, corrected)).map(({ id }) => id)
}

/** The finished drawn exams in which this question has other points by the corrected key. */
async function listAffectedDrawn(
  db: Db,
  { examId, question }: QuestionVersion,
  corrected: Question,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; scoring_policy: string; answer: unknown }>`
    select attempts.id, scoring_policy, answer from attempts
    cross join lateral jsonb_array_elements(layout) as entry
    join attempt_answers on attempt_id = attempts.id and question_id = entry ->> 'question'
    where ${hasDrawn({ examId, questionId: question.id })} and state = 'finished'
      and entry -> 'from' ->> 'examId' = ${examId} and entry -> 'from' ->> 'questionId' = ${question.id}
    order by finished_at desc, attempts.id`.execute(db)
  return rows.filter((row) => hasOtherPoints(row, question, corrected)).map(({ id }) => id)
}

function hasOtherPoints(
  row: { readonly scoring_policy: string; readonly answer: unknown },
  question: Question,
  corrected: Question,
): boolean {
  const policy = ScoringPolicy.parse(row.scoring_policy)
  const answer = StoredAnswer.parse(row.answer)
  return pointsOf(question, answer, policy) !== pointsOf(corrected, answer, policy)
}

/** The questions of a drawn exam, with the corrected one. */
async function listCorrected(db: Db, layout: Layout, { examId }: QuestionVersion, corrected: Question) {
  const entry = layout.find(({ from }) => from?.examId === examId && from.questionId === corrected.id)
  const questions = await listQuestionsOf(db, { exam: null, layout })
  return entry === undefined
    ? questions
    : questions.map((one) => (one.id === entry.question ? inDrawnExam(corrected, entry, examPlaces(layout)) : one))
}

/** @param ofExam the questions of the attempts' exam; null for drawn exams, each of which has its own */
async function gradeAgain(
  db: Db,
  ids: readonly string[],
  version: QuestionVersion,
  corrected: Question,
  ofExam: readonly Question[] | null,
): Promise<Regraded[]> {
  const rows = await db
    .selectFrom('attempts')
    .leftJoin('users', 'users.id', 'attempts.user_id')
    .leftJoin('profiles', 'profiles.id', 'users.id')
    .where('attempts.id', 'in', ids)
    .orderBy('attempts.finished_at', 'desc')
    .orderBy('attempts.id')
    .select([
      'attempts.id',
      'attempts.course_id',
      'attempts.drawn',
      'attempts.layout',
      'attempts.mode',
      'attempts.scoring_policy',
      'attempts.passing_score',
      'attempts.finished_at',
      'attempts.result',
      'users.id as person_id',
      'users.email',
      sql<string>`coalesce(nullif(profiles.full_name, ''), users.name)`.as('name'),
    ])
    .execute()
  const answers = await listStoredAnswers(db, ids)
  const courseId = rows[0]?.course_id
  const realExam = courseId === undefined ? null : await getRealExam(db, courseId as CourseId)
  const regraded: Regraded[] = []
  for (const row of rows) {
    if (realExam === null || row.finished_at === null) continue
    const layout = Layout.parse(row.layout)
    const after = gradeAttempt({
      layout,
      questions: ofExam ?? (await listCorrected(db, layout, version, corrected)),
      answers: answers.get(row.id) ?? new Map(),
      policy: ScoringPolicy.parse(row.scoring_policy),
      passingScore: row.passing_score,
      realExam,
    })
    regraded.push({
      attemptId: row.id,
      user: toUser(row),
      mode: row.mode,
      drawnTitle: row.drawn === null ? null : Drawn.parse(row.drawn).title,
      versionNumber: version.versionNumber,
      finishedAt: row.finished_at,
      before: AttemptResult.parse(row.result),
      after,
    })
  }
  return regraded
}

const StoredAnswer = Answer.nullable()

/** The answers of attempts, by attempt and question. */
async function listStoredAnswers(db: Db, ids: readonly string[]): Promise<Map<string, Map<string, Answer | null>>> {
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', 'in', ids)
    .select(['attempt_id', 'question_id', 'answer'])
    .execute()
  const answers = new Map<string, Map<string, Answer | null>>(ids.map((id) => [id, new Map()]))
  for (const row of rows) answers.get(row.attempt_id)?.set(row.question_id, StoredAnswer.parse(row.answer))
  return answers
}

function toUser(row: { person_id: string | null; name: string; email: string | null }): Regraded['user'] {
  return row.person_id === null || row.email === null ? null : { id: row.person_id, name: row.name, email: row.email }
}

type PastRegrade = { readonly id: string; readonly at: string; readonly reason: string }

/** When and why the answer key of a question was corrected, newest first. */
export async function listRegrades(db: Db, of: { familyId: string; questionId: string }): Promise<PastRegrade[]> {
  const rows = await db
    .selectFrom('regrades')
    .where('family_id', '=', of.familyId)
    .where('question_id', '=', of.questionId)
    .orderBy('at', 'desc')
    .select(['id', 'at', 'reason'])
    .execute()
  return rows.map(({ id, at, reason }) => ({ id, at: at.toISOString(), reason }))
}
