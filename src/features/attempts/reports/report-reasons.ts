/** Why a learner reports a question. Apart from the schemas, which the page of a review does not load. */
export const REPORT_REASONS = ['wrong-key', 'unclear', 'outdated', 'explanation', 'link', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export const MAX_WORDS_LENGTH = 1000
