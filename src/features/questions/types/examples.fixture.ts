import { exampleChoice } from './choice/any-choice.fixture.ts'
import { exampleHotSpot } from './hot-spot/any-hot-spot.fixture.ts'
import { exampleMatching } from './matching/any-matching.fixture.ts'
import { exampleNumerical } from './numerical/any-numerical.fixture.ts'
import { exampleDropDown } from './drop-down/any-drop-down.fixture.ts'
import { exampleOrdering } from './ordering/any-ordering.fixture.ts'
import { exampleShortAnswer } from './short-answer/any-short-answer.fixture.ts'
import type { QuestionType } from './question-types.schema.ts'

type Example = Readonly<Record<string, unknown>> & {
  readonly type: string
  /** An answer that is wrong and could be another answer key. */
  readonly otherKey: unknown
}

/** A question of each type as a file of ours gives it. Its parts have ids, so that other keys can name them. */
export const EXAMPLES: { readonly [Type in QuestionType]: Example } = {
  choice: exampleChoice,
  'drop-down': exampleDropDown,
  ordering: exampleOrdering,
  numerical: exampleNumerical,
  'short-answer': exampleShortAnswer,
  'hot-spot': exampleHotSpot,
  matching: exampleMatching,
}
