import type { FieldProblem } from '../../../lib/failure.ts'
import { GuideVersion, VerifiedOn } from '../../questions/types/question-base.schema.ts'
import type { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import { copy } from '../drafts/drafts.copy.ts'

/** Today as questions have it. Days are counted in UTC: nothing depends on the hour at which somebody compared a text. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** What is wrong with the day and the exam guide of an edit. */
export function verificationProblems(edit: Pick<QuestionEdit, 'verifiedOn' | 'guide'>, now: Date): FieldProblem[] {
  const [day, guide] = [edit.verifiedOn?.trim() ?? '', edit.guide?.trim() ?? '']
  const isDay = VerifiedOn.safeParse(day).success
  return [
    ...(day !== '' && !isDay ? [{ field: 'verifiedOn', message: copy['editor.verified.wrong'] }] : []),
    // Somewhere it is tomorrow already.
    ...(isDay && day > dayOf(new Date(now.getTime() + 14 * 3_600_000))
      ? [{ field: 'verifiedOn', message: copy['editor.verified.future'] }]
      : []),
    ...(guide !== '' && !GuideVersion.safeParse(guide).success
      ? [{ field: 'guide', message: copy['editor.guide.long'] }]
      : []),
  ]
}
