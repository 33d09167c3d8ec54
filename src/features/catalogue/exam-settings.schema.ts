import { z } from 'zod'
import { isBlank, lengthOf } from '../../lib/text.ts'
import { copy } from './catalogue.copy.ts'
import { TITLE_LIMIT } from './course-rules.ts'

/** The settings of an exam that a draft can change besides its questions. */
export const ExamSettings = z.object({
  title: z
    .string(copy['exam.text'])
    .trim()
    .refine((title) => !isBlank(title), copy['exam.title.required'])
    .refine((title) => lengthOf(title) < TITLE_LIMIT, copy['exam.title.length'])
    .regex(/^[^<>]*$/, copy['exam.title.chars']),
  timeLimitMinutes: z.int(copy['exam.minutes']).min(1, copy['exam.minutes']).max(1440, copy['exam.minutes']),
  passingScore: z.int(copy['exam.passing']).min(0, copy['exam.passing']).max(100, copy['exam.passing']),
  scoringPolicy: z.enum(['all-or-nothing', 'partial'], copy['exam.policy']),
  isFreeTrial: z.boolean(copy['exam.flag']),
})
export type ExamSettings = z.infer<typeof ExamSettings>
