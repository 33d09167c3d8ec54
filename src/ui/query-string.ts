/** Appends query parameters to a path; null and empty ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
}
