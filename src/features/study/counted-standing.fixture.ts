import type { CountedStanding } from './study.schema.ts'

/** Where a learner stands with one question, which was neither missed nor flagged. */
export const standing = (more: Partial<CountedStanding> = {}): CountedStanding => ({
  count: 1,
  domain: 'Storage',
  kind: 'one-answer',
  missedIn: null,
  isUnseen: false,
  isFlagged: false,
  isDue: false,
  ...more,
})
