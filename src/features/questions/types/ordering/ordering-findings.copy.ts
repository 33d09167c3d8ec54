import { error } from '../type-findings.ts'

export const ORDERING_REMARKS = {
  'step-tells-place': error('Step tells its place', (text: string) => `A step says itself where it stands: ${text}`),
  'order-ambiguous': error(
    'Two steps say the same',
    (text: string) => `Two steps say the same, so that either may stand first: ${text}`,
  ),
} as const
