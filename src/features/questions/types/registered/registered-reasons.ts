// Written by `npm run map` from the folders of the types.
import { CHOICE_REASONS } from '../choice/choice-findings.copy.ts'
import { DROP_DOWN_REASONS } from '../drop-down/drop-down-findings.copy.ts'
import { HOT_SPOT_REASONS } from '../hot-spot/hot-spot-findings.copy.ts'
import { MATCHING_REASONS } from '../matching/matching-findings.copy.ts'
import { NUMERICAL_REASONS } from '../numerical/numerical-findings.copy.ts'

export const REASONS = {
  ...CHOICE_REASONS,
  ...DROP_DOWN_REASONS,
  ...HOT_SPOT_REASONS,
  ...MATCHING_REASONS,
  ...NUMERICAL_REASONS,
} as const
