/** What was corrected in a question. */
export const CORRECTED = ['key', 'unclear', 'outdated', 'explanation', 'link', 'other'] as const
export type Corrected = (typeof CORRECTED)[number]

/** A correction as the course page lists it. */
export type Erratum = {
  readonly id: string
  readonly at: string
  readonly what: Corrected
  readonly exam: string
  /** '' if the question has none; null if it has left the exam. */
  readonly domain: string | null
  /** Null for those who may not read the question. */
  readonly stem: string | null
}

/** A correction with its question, which only those who may take the exam see. */
export type ErratumRecord = Erratum & { readonly isFreeTrial: boolean }

/** The corrections as a reader may see them. Questions of a free trial are public, those of other exams are for learners. */
export function errataFor(records: readonly ErratumRecord[], mayReadQuestions: boolean): Erratum[] {
  return records.map(({ isFreeTrial, stem, ...erratum }) => ({
    ...erratum,
    stem: mayReadQuestions || isFreeTrial ? stem : null,
  }))
}
