/** A path with those parts of a query that are there: what is null or empty is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}
