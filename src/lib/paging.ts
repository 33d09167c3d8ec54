/** A page of rows that were asked for with one more than it holds. `last` is where the next page goes on; null at the end. */
export function pageOf<Row>(rows: readonly Row[], size: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, size)
  return { page, last: rows.length > size ? (page.at(-1) ?? null) : null }
}
