import type { Severity } from '../formats/formats.schema.ts'

/** A reason why a question is refused or needs review. Its sentence names some facts: a letter, a name, a line. */
export interface ReasonKind {
  readonly verdict: 'refused' | 'needs-review'
  readonly sentence: (...facts: string[]) => string
}

export const refused = (sentence: ReasonKind['sentence']): ReasonKind => ({ verdict: 'refused', sentence })
export const forReview = (sentence: ReasonKind['sentence']): ReasonKind => ({ verdict: 'needs-review', sentence })

/** What a check remarks, with a few words for it. */
export interface RemarkKind<Facts extends readonly (string | number)[]> {
  readonly severity: Severity
  readonly name: string
  readonly sentence: (...facts: Facts) => string
}

type MakeKind = <Facts extends readonly (string | number)[]>(
  name: string,
  sentence: (...facts: Facts) => string,
) => RemarkKind<Facts>

export const error: MakeKind = (name, sentence) => ({ severity: 'error', name, sentence })
export const warning: MakeKind = (name, sentence) => ({ severity: 'warning', name, sentence })
