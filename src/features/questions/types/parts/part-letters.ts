/** The letter of a part by its place in the order that is shown: A, B, C. */
export function letterOfPart(place: number): string {
  return String.fromCharCode(65 + place)
}

type Parts = readonly { readonly id: string }[]

/** The letters of parts in the order of the ids: 'C, A'. Ids that no part has are left out. */
export function lettersOfParts(parts: Parts, ids: readonly string[]): string {
  return ids
    .map((id) => parts.findIndex((part) => part.id === id))
    .filter((place) => place !== -1)
    .map(letterOfPart)
    .join(', ')
}
