import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, ExamId } from '../../../lib/ids.ts'
import { listVersionsOfQuestion, type QuestionVersion } from '../../authoring/drafts/drafts-queries.server.ts'
import { withKey } from '../../authoring/drafts/drafts.ts'
import { getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { rightOptionIds } from '../../questions/questions.ts'
import type { Question } from '../../questions/questions.schema.ts'
import { getRealExam } from '../attempts-queries.server.ts'
import { gradeAttempt, pointsOf } from '../attempts.ts'
import { AttemptResult, Layout, ScoringPolicy } from '../attempts.schema.ts'
import { becomes, keyProblem, summarise, type Regraded } from './regrade.ts'
import { fail, type KeyPreview } from './regrade.schema.ts'

/** The question as the newest version holds it: what a key is mended by. @throws Failure key.no-question */
export async function getNewest(
  db: Db,
  of: { familyId: string; questionId: string },
): Promise<{ newest: Question; versions: QuestionVersion[] }> {
  const versions = await listVersionsOfQuestion(db, of)
  const newest = versions.at(-1)?.question
  if (newest === undefined) throw fail('key.no-question')
  return { newest, versions }
}

/** What a mended key would do. Nothing changes. @throws Failure key.no-question, key.unknown-answer, key.count */
export async function previewKey(
  db: Db,
  of: { familyId: string; questionId: string; rightOptionIds: readonly string[] },
): Promise<KeyPreview> {
  const { newest, versions } = await getNewest(db, of)
  refuseKey(newest, of.rightOptionIds)
  const regraded = await regradeAll(db, versions, of.rightOptionIds)
  const corrected = versions.filter(({ question }) => becomes(question, of.rightOptionIds) !== 'kept')
  const { finished, open } = await db
    .selectFrom('attempts')
    .where(
      'exam_id',
      'in',
      corrected.map(({ examId }) => examId),
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
      becomes: becomes(question, of.rightOptionIds),
    })),
  }
}

/** @throws Failure key.unknown-answer, key.count */
export function refuseKey(question: Question, rightIds: readonly string[]): void {
  const problem = keyProblem(question, rightIds)
  if (problem === null) return
  const count = String(rightOptionIds(question).length)
  const failure = fail(problem)
  const message = failure.message.replaceAll('{n}', count)
  throw fail(problem, { sentence: message, fields: [{ field: 'rightOptionIds', message }] })
}

/** How many attempts are graded at once: their answers are in memory together. */
const BATCH = 200

/**
 * Every finished attempt to whose answer the key gives another number of points, graded anew from its stored answers.
 * `versions` hold the question as it was graded before.
 */
export async function regradeAll(
  db: Db,
  versions: readonly QuestionVersion[],
  rightIds: readonly string[],
): Promise<Regraded[]> {
  const all: Regraded[] = []
  for (const version of versions) {
    const corrected = withKey(version.question, rightIds)
    if (corrected === null) continue
    const ids = await listTouched(db, version, corrected)
    if (ids.length === 0) continue
    const stored = await getExamQuestions(db, version.examId as ExamId)
    const questions = stored.map((question) => withCorrected(question, corrected))
    for (let at = 0; at < ids.length; at += BATCH)
      all.push(...(await gradeAnew(db, ids.slice(at, at + BATCH), questions, version.versionNumber)))
  }
  return all
}

function withCorrected(question: Question, corrected: Question): Question {
  return question.id === corrected.id ? { ...question, options: corrected.options } : question
}

async function listTouched(db: Db, { examId, question }: QuestionVersion, corrected: Question): Promise<string[]> {
  const rows = await db
    .selectFrom('attempts')
    .innerJoin('attempt_answers', 'attempt_answers.attempt_id', 'attempts.id')
    .where('attempts.exam_id', '=', examId)
    .where('attempts.state', '=', 'finished')
    .where('attempt_answers.question_id', '=', question.id)
    .orderBy('attempts.finished_at', 'desc')
    .orderBy('attempts.id')
    .select(['attempts.id', 'attempts.scoring_policy', 'attempt_answers.selection'])
    .execute()
  return rows.flatMap((row) => {
    const policy = ScoringPolicy.parse(row.scoring_policy)
    return pointsOf(question, row.selection, policy) === pointsOf(corrected, row.selection, policy) ? [] : [row.id]
  })
}

async function gradeAnew(
  db: Db,
  ids: readonly string[],
  questions: readonly Question[],
  versionNumber: number,
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
  const answers = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', 'in', ids)
    .select(['attempt_id', 'question_id', 'selection'])
    .execute()
  const selections = new Map<string, Map<string, string[]>>(ids.map((id) => [id, new Map()]))
  for (const one of answers) selections.get(one.attempt_id)?.set(one.question_id, one.selection)
  const courseId = rows[0]?.course_id
  const realExam = courseId === undefined ? null : await getRealExam(db, courseId as CourseId)
  return rows.flatMap((row) => {
    if (realExam === null || row.finished_at === null) return []
    const after = gradeAttempt({
      layout: Layout.parse(row.layout),
      questions,
      selections: selections.get(row.id) ?? new Map(),
      policy: ScoringPolicy.parse(row.scoring_policy),
      passingScore: row.passing_score,
      realExam,
    })
    return [
      {
        attemptId: row.id,
        user: toUser(row),
        mode: row.mode,
        versionNumber,
        finishedAt: row.finished_at,
        before: AttemptResult.parse(row.result),
        after,
      },
    ]
  })
}

function toUser(row: { person_id: string | null; name: string; email: string | null }): Regraded['user'] {
  return row.person_id === null || row.email === null ? null : { id: row.person_id, name: row.name, email: row.email }
}

export type PastRegrade = { readonly id: string; readonly at: string; readonly reason: string }

/** When and why the key of a question was mended, the newest first. */
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
