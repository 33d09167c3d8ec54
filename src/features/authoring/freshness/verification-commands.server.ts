import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { audit } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { toStored } from '../../questions/types/content-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'

/**
 * Brings the day and the exam guide of the draft's questions into the published version, where both say the same. When a question was
 * verified changes nothing for learners, so it needs no version.
 */
export async function publishVerification(tx: Db, familyId: string): Promise<void> {
  await sql`
    update test_questions set questions = merged.questions
    from (
      select exam.id, jsonb_agg(coalesce(draft.question, one) order by list.place) as questions
      from test_questions as exam
      cross join jsonb_array_elements(exam.questions) with ordinality as list (one, place)
      left join exam_draft_questions as draft on draft.family_id = exam.family_id and draft.question_id = one ->> 'id'
        and draft.question - array['verifiedOn', 'guide'] = one - array['verifiedOn', 'guide']
      where exam.family_id = ${familyId} and exam.is_current_version
      group by exam.id
    ) as merged
    where test_questions.id = merged.id and test_questions.questions <> merged.questions`.execute(tx)
}

/**
 * Writes the day and the exam guide of these questions into the published version and the draft of an exam, each in its place. The
 * caller holds the lock of the exam.
 */
export async function storeVerifications(
  tx: Db,
  store: {
    readonly actorId: UserId | null
    readonly now: Date
    readonly familyId: string
    readonly questions: readonly Question[]
    /** Whether only those are written that say the same here. */
    readonly isTextCompared: boolean
  },
): Promise<void> {
  const { actorId, now, familyId, questions, isTextCompared } = store
  if (questions.length === 0) return
  const given = sql`jsonb_array_elements(${JSON.stringify(questions.map(toStored))}::jsonb)`
  const isSame = (one: string) =>
    isTextCompared ? sql`question_text_hash(${sql.raw(one)}) = question_text_hash(given)` : sql`true`
  const facts = sql`jsonb_strip_nulls(jsonb_build_object('verifiedOn', given -> 'verifiedOn', 'guide', given -> 'guide'))`
  await sql`
    update exam_draft_questions as draft
    set question = draft.question || ${facts}, row_version = nextval('draft_versions'), updated_at = ${now}, updated_by = ${actorId}
    from ${given} as given
    where draft.family_id = ${familyId} and draft.question_id = given ->> 'id' and ${isSame('draft.question')}
      and draft.question <> draft.question || ${facts}`.execute(tx)
  await sql`
    update test_questions set questions = merged.questions
    from (
      select exam.id, jsonb_agg(coalesce(one || ${facts}, one) order by list.place) as questions
      from test_questions as exam
      cross join jsonb_array_elements(exam.questions) with ordinality as list (one, place)
      left join ${given} as given on given ->> 'id' = one ->> 'id' and ${isSame('one')}
      where exam.family_id = ${familyId} and exam.is_current_version
      group by exam.id
    ) as merged
    where test_questions.id = merged.id and test_questions.questions <> merged.questions`.execute(tx)
  // The text that is stored now was compared, also where the day is the one that it had.
  await sql`
    update question_freshness as known set verified_hash = known.text_hash
    from ${given} as given
    where known.family_id = ${familyId} and known.question_id = given ->> 'id' and known.verified_on is not null
      and (${!isTextCompared} or known.text_hash = question_text_hash(given))`.execute(tx)
  await audit(tx, {
    at: now,
    actorId,
    action: 'exam.questions.verified',
    table: 'test_questions',
    id: familyId,
    before: null,
    after: { questions: questions.map(({ id, verifiedOn }) => ({ id, verifiedOn })) },
  })
}
