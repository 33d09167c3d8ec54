// Written by `npm run map` from the folders of the types.
import { CHOICE_REMARKS } from '../choice/choice-findings.copy.ts'
import { DROP_DOWN_REMARKS } from '../drop-down/drop-down-findings.copy.ts'
import { HOT_SPOT_REMARKS } from '../hot-spot/hot-spot-findings.copy.ts'
import { MATCHING_REMARKS } from '../matching/matching-findings.copy.ts'
import { NUMERICAL_REMARKS } from '../numerical/numerical-findings.copy.ts'
import { ORDERING_REMARKS } from '../ordering/ordering-findings.copy.ts'
import { SHORT_ANSWER_REMARKS } from '../short-answer/short-answer-findings.copy.ts'

export const REMARKS = {
  ...CHOICE_REMARKS,
  ...DROP_DOWN_REMARKS,
  ...HOT_SPOT_REMARKS,
  ...MATCHING_REMARKS,
  ...NUMERICAL_REMARKS,
  ...ORDERING_REMARKS,
  ...SHORT_ANSWER_REMARKS,
} as const
