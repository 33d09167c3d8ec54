/** A page of rows that were asked for with one more than it holds. `last` is where the next page goes on; null at the end. */
export function pageOf<Row>(rows: readonly Row[], size: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, size)
  return { page, last: rows.length > size ? (page.at(-1) ?? null) : null }
}

/**
 * Whether this is an instant with which a page ended, to the millisecond or, as the database keeps it, the microsecond. A day that no calendar has
 * looks like one, and the database refuses it.
 */
export function isPageInstant(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:\d{3})?Z$/.test(text)) return false
  const toTheMillisecond = `${text.slice(0, 23)}Z`
  const instant = new Date(toTheMillisecond)
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === toTheMillisecond
}
