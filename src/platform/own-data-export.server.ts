import { sql, type RawBuilder } from 'kysely'

/** One kind of a user's data in their export. It is read page by page, so that its size does not matter for memory. */
export type OwnData = { readonly name: string; readonly pages: AsyncIterable<readonly OwnRow[]> }
/** The export writes dates as ISO 8601, lists and objects as JSON. */
export type OwnRow = Readonly<Record<string, string | number | boolean | Date | object | null>>

const PAGE_ROWS = 500

/** Reads pages until one is not full. Each page starts after the last row of the previous one, so new rows shift nothing. */
export async function* inPages<Row extends OwnRow>(
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Row | null = null
  for (;;) {
    const page: readonly Row[] = await read(after, PAGE_ROWS)
    if (page.length > 0) yield page
    if (page.length < PAGE_ROWS) return
    after = page.at(-1) ?? null
  }
}

/** For data that is small enough to be read at once. */
export async function* inOnePage(read: () => Promise<readonly OwnRow[]>): AsyncGenerator<readonly OwnRow[]> {
  yield await read()
}

type Column<Row> = Extract<keyof Row, string> | `${string}.${Extract<keyof Row, string>}`

/** Condition for the rows after `row` in the order of these columns; for every row when `row` is null. */
export function comesAfter<Row extends OwnRow>(
  row: Row | null,
  ...columns: readonly Column<Row>[]
): RawBuilder<boolean> {
  if (row === null) return sql<boolean>`true`
  const values = columns.map((column) => row[column.slice(column.lastIndexOf('.') + 1)])
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(values)})`
}
