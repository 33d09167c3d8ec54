import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { cachedQuery } from '../../../platform/cache/cached-queries.server.ts'
import { stemWords } from '../../questions/types/stem-words-registry.ts'
import { CORRECTED, type ErratumRecord } from './errata.ts'

/** Corrections that the course page lists. */
const MAX_ERRATA = 50
const MAX_STEM_LENGTH = 160

/** What was corrected in the exams of a course, the newest first: corrected answer keys and corrections after reports. */
async function readErrata(db: Db, courseId: string): Promise<ErratumRecord[]> {
  const { rows } = await sql<{
    id: string
    at: Date
    what: string
    exam: string
    isFreeTrial: boolean
    question: { domain?: string; stem?: string; type?: string } | null
  }>`
    select one.id, one.at, one.what, exam.test_name as exam, exam.is_free_trial as "isFreeTrial",
      (select jsonb_build_object('domain', entry ->> 'domain', 'stem', entry ->> 'stem', 'type', entry ->> 'type')
        from jsonb_array_elements(exam.questions) as entry where entry ->> 'id' = one.question_id limit 1) as question
    from (
      select id, family_id, question_id, 'key' as what, at from regrades
      union all select id, family_id, question_id, what, corrected_at from errata) as one
    join test_questions as exam on exam.family_id = one.family_id and exam.is_current_version
    where exam.course_id = ${courseId}
    order by one.at desc, one.id limit ${MAX_ERRATA}`.execute(db)
  return rows.map(({ id, at, what, exam, isFreeTrial, question }) => ({
    id,
    at: at.toISOString(),
    what: z.enum(CORRECTED).catch('other').parse(what),
    exam,
    isFreeTrial,
    domain: question === null ? null : (question.domain ?? ''),
    stem: question === null ? null : beginningOf(stemWords({ type: question.type ?? null, stem: question.stem ?? '' })),
  }))
}

function beginningOf(text: string): string {
  return text.length <= MAX_STEM_LENGTH ? text : `${text.slice(0, MAX_STEM_LENGTH).replace(/\s+\S*$/, '')} …`
}

/** The corrections of a course, cached until the catalogue changes. */
export const courseErrata = cachedQuery('course-detail', readErrata)
