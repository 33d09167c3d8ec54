import { sql, type RawBuilder } from 'kysely'

/** What is known of a person, of one kind, as their export shows it: page by page, so that much of it needs no memory. */
export type OwnData = { readonly name: string; readonly pages: AsyncIterable<readonly OwnRow[]> }
/** An instant is written as ISO 8601; a list or an object as JSON. */
export type OwnRow = Readonly<Record<string, string | number | boolean | Date | object | null>>

const ROWS_AT_ONCE = 500

/** Page after page until there is none. A page is read after the last row of the one before, so rows that come meanwhile do no harm. */
export async function* inPages<Row extends OwnRow>(
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Row | null = null
  for (;;) {
    const page: readonly Row[] = await read(after, ROWS_AT_ONCE)
    if (page.length > 0) yield page
    if (page.length < ROWS_AT_ONCE) return
    after = page.at(-1) ?? null
  }
}

/** What is so little that it is read at once. */
export async function* inOnePage(read: () => Promise<readonly OwnRow[]>): AsyncGenerator<readonly OwnRow[]> {
  yield await read()
}

type Column<Row> = Extract<keyof Row, string> | `${string}.${Extract<keyof Row, string>}`

/** In the order of these columns, what comes after the last row of the page before: everything where there was none. */
export function comesAfter<Row extends OwnRow>(
  row: Row | null,
  ...columns: readonly Column<Row>[]
): RawBuilder<boolean> {
  if (row === null) return sql<boolean>`true`
  const values = columns.map((column) => row[column.slice(column.lastIndexOf('.') + 1)])
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(values)})`
}
