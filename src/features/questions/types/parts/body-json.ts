import type { OwnJson } from '../type-formats.ts'

/** The JSON of a type whose parts are in `body`, in these fields: every string under a name `text` is Markdown. */
export function bodyJson(bodyFields: readonly string[]): OwnJson {
  return {
    bodyFields,
    isField: (name) => name === 'body',
    withTexts: (name, value, change) => (name === 'body' ? withChangedTexts(value, change) : value),
  }
}

/** The same for a type whose parts are plain texts, in which nothing is Markdown. */
export function plainBodyJson(bodyFields: readonly string[]): OwnJson {
  return { ...bodyJson(bodyFields), withTexts: (_, value) => value }
}

function withChangedTexts(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => withChangedTexts(entry, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      name === 'text' && typeof inner === 'string' ? change(inner) : withChangedTexts(inner, change),
    ]),
  )
}
