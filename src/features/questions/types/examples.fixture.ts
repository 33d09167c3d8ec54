import { EXAMPLES as REGISTERED } from './registered/registered-types.fixture.ts'
import type { QuestionType } from './question-types.schema.ts'

type Example = Readonly<Record<string, unknown>> & {
  readonly type: string
  /** An answer that is wrong and could be another answer key. */
  readonly otherKey: unknown
}

/** A question of each type as a file of ours gives it. Its parts have ids, so that other keys can name them. */
export const EXAMPLES: { readonly [Type in QuestionType]: Example } = REGISTERED
