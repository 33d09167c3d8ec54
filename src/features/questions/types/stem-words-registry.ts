import { plainText } from '../../../lib/markdown.ts'
import { HAS_GAPS } from './registered/registered-fields.ts'

/** The types whose stem has gaps; in others `[[1]]` is text, such as a list in code. */
const GAPPED: ReadonlySet<string> = new Set(Object.keys(HAS_GAPS))

export function hasGaps(type: string | null): boolean {
  return type !== null && GAPPED.has(type)
}

/** The words of a stem on one line, its gaps as numbered blanks. @param type null if it is not known */
export function stemWords({ type, stem }: { readonly type: string | null; readonly stem: string }): string {
  return plainText(stem, { hasGaps: hasGaps(type) })
}
