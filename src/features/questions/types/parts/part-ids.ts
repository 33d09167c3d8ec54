import { sha256Hex } from '../../../../lib/sha256.ts'

/** The id of a part that a file gives none: the same wherever and whenever the file is read. */
export function derivePartId(questionId: string, text: string): string {
  return sha256Hex(`${questionId}\n${text}`).slice(0, 8)
}

/** As `derivePartId`, for all parts of a question. A part with the text of an earlier one gets `-2`, `-3` and so on. */
export function derivePartIds(questionId: string, texts: readonly string[]): string[] {
  const taken = new Set<string>()
  return texts.map((text) => claimId(taken, derivePartId(questionId, text)))
}

/** Adds `wanted` to the taken ids, with a number behind it if it is taken already. Returns what was added. */
export function claimId(taken: Set<string>, wanted: string): string {
  let id = wanted
  for (let turn = 2; taken.has(id); turn++) id = `${wanted}-${turn}`
  taken.add(id)
  return id
}

/**
 * Parts with the ids that a file gives them; a part without an id gets a derived one.
 * @param salts what makes the ids of equal texts differ, such as the kind of each part; by default the texts alone
 */
export function withPartIds<Part extends { readonly id: string | null; readonly text: string }>(
  questionId: string,
  parts: readonly Part[],
  saltOf: (part: Part) => string = ({ text }) => text,
): (Omit<Part, 'id'> & { id: string })[] {
  const taken = new Set(parts.flatMap(({ id }) => id ?? []))
  const derived = derivePartIds(questionId, parts.map(saltOf))
  return parts.map((part, place) => ({ ...part, id: part.id ?? claimId(taken, derived[place] ?? '') }))
}
