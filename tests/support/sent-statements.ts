import pg from 'pg'

type Query = (this: pg.Client, ...given: unknown[]) => unknown

/** The texts of all statements that this process sends to PostgreSQL from now on. */
export function listenToStatements(): { readonly texts: ReadonlySet<string>; stop(): void } {
  const texts = new Set<string>()
  const original = pg.Client.prototype.query as Query
  const listening: Query = function (...given) {
    const [query] = given
    if (typeof query === 'string') texts.add(query)
    else if (typeof query === 'object' && query !== null && 'text' in query) texts.add(String(query.text))
    return original.apply(this, given)
  }
  pg.Client.prototype.query = listening as typeof pg.Client.prototype.query
  return {
    texts,
    stop: () => void (pg.Client.prototype.query = original as typeof pg.Client.prototype.query),
  }
}
