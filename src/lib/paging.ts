/** A page of rows, from a query for one more row than `size`. `last` is the cursor for the next page; null at the end. */
export function pageOf<Row>(rows: readonly Row[], size: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, size)
  return { page, last: rows.length > size ? (page.at(-1) ?? null) : null }
}

/**
 * Whether the text is the instant of a cursor, in milliseconds or, as in the database, microseconds. Rejects dates that do not
 * exist, such as February 31, because the database would fail on them.
 */
export function isPageInstant(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:\d{3})?Z$/.test(text)) return false
  const toTheMillisecond = `${text.slice(0, 23)}Z`
  const instant = new Date(toTheMillisecond)
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === toTheMillisecond
}
