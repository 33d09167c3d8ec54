import { LRUCache } from 'lru-cache'

/** Browsers send a few texts again and again, and reading one takes a hundred times as long as finding it here. */
const known = new LRUCache<string, readonly string[]>({ max: 100 })

/** The best encoding that a caller accepts, of those that we keep; null for none. Refusals such as `br;q=0` count. */
export function acceptedEncoding<Name extends 'br' | 'gzip'>(
  accepted: string | null,
  ours: readonly Name[],
): Name | null {
  if (accepted === null) return null
  let names = known.get(accepted)
  if (names === undefined) {
    names = readNames(accepted)
    known.set(accepted, names)
  }
  return ours.find((name) => names.includes(name)) ?? null
}

function readNames(accepted: string): string[] {
  return accepted
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      return parameters.some((text) => /^q=0(\.0*)?$/.test(text)) ? [] : [name]
    })
}
