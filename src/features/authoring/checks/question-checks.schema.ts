import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { CHECK_CODES, type CueMeasure } from '../../questions/checks/bank-checks.schema.ts'
import { SEVERITIES } from '../../questions/formats/formats.schema.ts'
import { ChoiceFilter, CourseChoice } from '../../catalogue/course-choices.schema.ts'
import { copy } from './question-checks.copy.ts'

export const FINDING_STATES = ['open', 'aside'] as const
export type FindingState = (typeof FINDING_STATES)[number]

/** The filter in the URL; invalid values are ignored. */
export const FindingFilter = z.object({
  state: z.enum(FINDING_STATES).catch('open'),
  code: z.enum(CHECK_CODES).nullable().catch(null),
  severity: z.enum(SEVERITIES).nullable().catch(null),
  course: z.uuid().nullable().catch(null),
  exam: z.uuid().nullable().catch(null),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})
export type FindingFilter = z.output<typeof FindingFilter>

export const FindingPath = z.object({ findingId: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

export const MAX_NOTE = 500
export const SetAside = z.object({
  note: z
    .string(copy['checks.note.needed'])
    .trim()
    .min(1, copy['checks.note.needed'])
    .max(MAX_NOTE, copy['checks.note.long']),
})

export const CheckedCourseFilter = ChoiceFilter.extend({
  state: z.enum(FINDING_STATES, copy['checks.state.wrong']).default('open'),
})
/** A course with its number of findings; the count is missing for the course that is selected already. */
export const CheckedCourse = CourseChoice.extend({ count: z.int().optional() })
export type CheckedCourse = z.infer<typeof CheckedCourse>
export const CheckedCourses = z.object({ choices: z.array(CheckedCourse), foundCount: z.int() })
export type CheckedCourses = z.infer<typeof CheckedCourses>

/** 'memory': its process reached its memory limit, or the machine ran out of memory. */
export type CheckFailure = 'memory' | 'broken'

/** The newest finished check, and whether another is running. */
export type CheckState = {
  readonly checkedAt: string | null
  readonly questionCount: number
  readonly isRunning: boolean
  /** Why the check after it failed; null unless one did. */
  readonly failure: CheckFailure | null
  /** Whether courses or exams have changed since. */
  readonly isOld: boolean
  /** Null if the check was made by a build that did not measure them. */
  readonly cues: readonly CueView[] | null
}

/** A strategy of a learner who knows nothing; `isOff` if it finds the answer key too often or too seldom. */
export type CueView = CueMeasure & { readonly isOff: boolean }

export type FindingView = {
  readonly id: number
  readonly code: (typeof CHECK_CODES)[number]
  readonly severity: (typeof SEVERITIES)[number]
  readonly sentence: string
  readonly courseTitle: string
  readonly examId: string
  readonly examTitle: string
  /** Empty for a finding about the whole exam. */
  readonly questionId: string
  readonly stem: string | null
  readonly aside: { readonly note: string; readonly by: string | null; readonly at: string } | null
}

export const fail = failureTable({
  'finding.not-found': { status: 404, kind: 'database', sentence: copy['checks.gone'] },
})
