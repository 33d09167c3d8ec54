/** Why a learner reports a question. Apart from the schemas, which the page of a review does not load. */
export const REPORT_REASONS = ['wrong-key', 'unclear', 'outdated', 'explanation', 'link', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export const MAX_WORDS_LENGTH = 1000

/** Reports with these reasons may name the answer that the learner thinks right. */
const CLAIM_REASONS: readonly ReportReason[] = ['wrong-key', 'outdated']
export const mayClaim = (reason: ReportReason | null): boolean => reason !== null && CLAIM_REASONS.includes(reason)

export const MAX_SOURCE_LENGTH = 500
/** Open reports of a user. Those who care about many questions wait for the first ones to be settled. */
export const MAX_OPEN_REPORTS = 10

/** Whether a text is the address of a page. A user before the host is refused: it looks like another host. */
export function isPageAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#@]+\.[^\s/?#@.]+([/?#]\S*)?$/i.test(text)
}

/** The host of such an address. */
export function hostOf(address: string): string {
  return address.replace(/^https?:\/\//i, '').split(/[/?#]/)[0] ?? ''
}
