import type { Database, SqlJs, SqlValue } from 'sql.js'

let engine: SqlJs | null = null

/** Loads SQLite, which is compiled to WebAssembly and starts only asynchronously. Readers and writers work in steps and need it before. */
export async function loadSqlite(): Promise<void> {
  if (engine !== null) return
  const { default: start } = await import('sql.js')
  engine = await start()
}

/** @throws when SQLite was not loaded, or the bytes are no database */
function openSqlite(bytes?: Uint8Array): Database {
  if (engine === null) throw new Error('SQLite was not loaded: call prepareFormat before reading or writing Anki.')
  return new engine.Database(bytes)
}

/** The file of a new database. */
export function createSqlite(fillIn: (database: Database) => void): Uint8Array {
  const database = openSqlite()
  try {
    database.run('BEGIN')
    fillIn(database)
    database.run('COMMIT')
    return database.export()
  } finally {
    database.close()
  }
}

/** @throws what SQLite says of a damaged file */
export function readSqlite<Read>(bytes: Uint8Array, read: (database: Database) => Read): Read {
  const database = openSqlite(bytes)
  try {
    return read(database)
  } finally {
    database.close()
  }
}

export function insertRows(database: Database, table: string, rows: readonly (readonly SqlValue[])[]): void {
  const [first] = rows
  if (first === undefined) return
  const statement = database.prepare(`INSERT INTO ${table} VALUES (${first.map(() => '?').join(', ')})`)
  try {
    for (const row of rows) statement.run([...row])
  } finally {
    statement.free()
  }
}

/** @param most rows; a damaged tree of pages can claim any number of them */
export function* rowsOfQuery(database: Database, sql: string, most: number): Generator<SqlValue[]> {
  const statement = database.prepare(sql)
  try {
    for (let count = 0; count < most && statement.step(); count += 1) yield statement.get()
  } finally {
    statement.free()
  }
}
