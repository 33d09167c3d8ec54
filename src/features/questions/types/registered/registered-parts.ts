// Written by `npm run map` from the folders of the types.
import { DROP_DOWN_PARTS } from '../drop-down/drop-down-edit.copy.ts'
import { HOT_SPOT_PARTS } from '../hot-spot/hot-spot-edit.copy.ts'
import { MATCHING_PARTS } from '../matching/matching-edit.copy.ts'
import { NUMERICAL_PARTS } from '../numerical/numerical-edit.copy.ts'
import { ORDERING_PARTS } from '../ordering/ordering-edit.copy.ts'

export const PARTS = {
  ...DROP_DOWN_PARTS,
  ...HOT_SPOT_PARTS,
  ...MATCHING_PARTS,
  ...NUMERICAL_PARTS,
  ...ORDERING_PARTS,
} as const
