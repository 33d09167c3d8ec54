import { z } from 'zod'
import { isBlank, withoutUnstorable } from '../../question-text.ts'
import { MAX_WRITTEN_LENGTH } from './written-answer.ts'
import { copy } from '../parts/answers.copy.ts'

/** A text as the learner wrote it. A blank one is no answer. */
export const WrittenText = z
  .string()
  .max(MAX_WRITTEN_LENGTH, copy['answer.long'])
  .refine((text) => !isBlank(text) && withoutUnstorable(text) === text)
