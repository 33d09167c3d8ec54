import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { getCourseFacts, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { lockExams } from '../../catalogue/exam-locks-commands.server.ts'
import { audit, type AdminAction } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { getCurrentExam } from '../drafts/drafts-queries.server.ts'
import { storeVerifications } from './verification-commands.server.ts'
import { dayOf } from './verification.ts'

type Mark = AdminAction & {
  readonly questions: readonly { readonly examId: string; readonly questionId: string }[]
}

/**
 * Marks questions as verified today, against the exam guide of their course, in the published version and the draft. Questions that
 * are gone are left out. The id is for the undo. @throws Failure exam.not-found
 */
export async function markVerified(
  db: Db,
  { actorId, now, questions }: Mark,
): Promise<{ markingId: string; count: number }> {
  const markingId = randomUUID()
  return db.transaction().execute(async (tx) => {
    const families = new Map<string, Set<string>>()
    for (const { examId, questionId } of questions) {
      const { familyId } = await getCurrentExam(tx, examId)
      families.set(familyId, (families.get(familyId) ?? new Set()).add(questionId))
    }
    await lockExams(tx, [...families.keys()])
    let count = 0
    for (const [familyId, ids] of families) {
      const { id, courseId } = await getCurrentExam(tx, familyId)
      const guide = (await getCourseFacts(tx, courseId)).blueprint?.guide
      const chosen = (await getExamQuestions(tx, id)).filter((question) => ids.has(question.id))
      const marked = chosen.map((question) => ({
        ...question,
        verifiedOn: dayOf(now),
        ...(guide !== undefined && { guide }),
      }))
      await rememberFormer(tx, { markingId, familyId, ids: [...ids], verifiedOn: dayOf(now), guide: guide ?? null })
      await storeVerifications(tx, { actorId, now, familyId, questions: marked, isTextCompared: false })
      count += marked.length
    }
    return { markingId, count }
  })
}

type Marking = {
  readonly markingId: string
  readonly familyId: string
  readonly ids: readonly string[]
  readonly verifiedOn: string
  readonly guide: string | null
}

const factsOf = (question: string) => {
  const one = sql.raw(question)
  return sql`jsonb_strip_nulls(jsonb_build_object('verifiedOn', ${one} -> 'verifiedOn', 'guide', ${one} -> 'guide'))`
}

/** Keeps what the questions say before they are marked, in the published version and in the draft. */
async function rememberFormer(tx: Db, { markingId, familyId, ids, verifiedOn, guide }: Marking): Promise<void> {
  await sql`
    update question_freshness as known
    set marked = jsonb_build_object('id', ${markingId}::text, 'verifiedOn', ${verifiedOn}::text, 'guide', ${guide}::text,
      'published', ${factsOf('one')}, 'draft', ${factsOf('draft.question')}, 'hash', known.verified_hash)
    from test_questions as exam
    cross join jsonb_array_elements(exam.questions) as one
    left join exam_draft_questions as draft on draft.family_id = exam.family_id and draft.question_id = one ->> 'id'
    where exam.family_id = ${familyId} and exam.is_current_version and one ->> 'id' = any(${ids})
      and known.family_id = exam.family_id and known.question_id = one ->> 'id'`.execute(tx)
}

/**
 * Gives the questions of a marking their former days and guides again, where nothing has changed them since: no other marking, no edit,
 * no import. A second undo restores nothing.
 */
export async function undoMarking(
  db: Db,
  { markingId, count, actorId, now }: AdminAction & { readonly markingId: string; readonly count: number },
): Promise<{ restored: number; kept: number }> {
  return db.transaction().execute(async (tx) => {
    const ofMarking = sql`question_freshness where marked ->> 'id' = ${markingId}`
    const families = await sql<{ id: string }>`select distinct family_id as id from ${ofMarking}`.execute(tx)
    await lockExams(
      tx,
      families.rows.map(({ id }) => id),
    )
    let restored = 0
    for (const { id: familyId } of families.rows) {
      const ids = await restoreFormer(tx, { markingId, familyId, actorId, now })
      restored += ids.length
      if (ids.length === 0) continue
      const after = { questions: ids.map((id) => ({ id })) }
      const subject = { table: 'test_questions', id: familyId, before: null, after }
      await audit(tx, { at: now, actorId, action: 'exam.questions.undo-verified', ...subject })
    }
    return { restored, kept: Math.max(0, count - restored) }
  })
}

type Undo = AdminAction & { readonly markingId: string; readonly familyId: string }

/** The questions that are restored. The caller holds the lock of the exam. */
async function restoreFormer(tx: Db, { markingId, familyId, actorId, now }: Undo): Promise<string[]> {
  const isUnchanged = (question: string) => {
    const one = sql.raw(question)
    return sql`${one} ->> 'verifiedOn' is not distinct from marked ->> 'verifiedOn'
      and (marked ->> 'guide' is null or ${one} ->> 'guide' is not distinct from marked ->> 'guide')`
  }
  const former = (question: string, key: 'published' | 'draft') =>
    sql`(${sql.raw(question)} - array['verifiedOn', 'guide']) || coalesce(marked -> ${sql.lit(key)}, '{}')`
  await sql`
    update exam_draft_questions as draft
    set question = ${former('draft.question', 'draft')}, row_version = nextval('draft_versions'), updated_at = ${now}, updated_by = ${actorId}
    from question_freshness as known
    where known.family_id = ${familyId} and marked ->> 'id' = ${markingId}
      and draft.family_id = known.family_id and draft.question_id = known.question_id and ${isUnchanged('draft.question')}`.execute(
    tx,
  )
  const { rows } = await sql<{ id: string }>`
    select known.question_id as id from question_freshness as known
    join test_questions as exam on exam.family_id = known.family_id and exam.is_current_version
    cross join jsonb_array_elements(exam.questions) as one
    where known.family_id = ${familyId} and marked ->> 'id' = ${markingId} and one ->> 'id' = known.question_id
      and ${isUnchanged('one')}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    update test_questions set questions = merged.questions
    from (
      select exam.id, jsonb_agg(
        case when known.question_id is null then one else ${former('one', 'published')} end order by list.place) as questions
      from test_questions as exam
      cross join jsonb_array_elements(exam.questions) with ordinality as list (one, place)
      left join question_freshness as known on known.family_id = exam.family_id and known.question_id = one ->> 'id'
        and known.question_id = any(${ids})
      where exam.family_id = ${familyId} and exam.is_current_version
      group by exam.id
    ) as merged
    where test_questions.id = merged.id and test_questions.questions <> merged.questions`.execute(tx)
  await sql`
    update question_freshness
    set verified_hash = case when question_id = any(${ids}) then marked ->> 'hash' else verified_hash end, marked = null
    where family_id = ${familyId} and marked ->> 'id' = ${markingId}`.execute(tx)
  return ids
}
