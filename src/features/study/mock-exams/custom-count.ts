/** A question's standing, as far as a custom exam asks for it. */
export type CustomStanding = {
  readonly isUnseen: boolean
  readonly isFlagged: boolean
  readonly missedIn: number | null
}

/** Questions of equal standing with their number, so that a page can count without knowing the questions. */
export type CountedEntry = {
  readonly domain: string
  readonly type: string
  readonly standing: CustomStanding
  readonly count: number
}

type Choice = {
  readonly from: readonly string[]
  readonly domains: readonly string[]
  readonly kinds: readonly string[]
}

/** Whether a question is what a custom exam asks for: any of the sources, domains and types; none means all. */
export function fitsCustom(
  { domain, type, standing }: Omit<CountedEntry, 'count'>,
  { from, domains, kinds }: Choice,
): boolean {
  if (domains.length > 0 && !domains.includes(domain)) return false
  if (kinds.length > 0 && !kinds.includes(type)) return false
  const has = { missed: standing.missedIn !== null, flagged: standing.isFlagged, unseen: standing.isUnseen }
  return from.length === 0 || Object.entries(has).some(([source, isSo]) => isSo && from.includes(source))
}

export function countFitting(entries: readonly CountedEntry[], choice: Choice): number {
  return entries.filter((entry) => fitsCustom(entry, choice)).reduce((sum, { count }) => sum + count, 0)
}
