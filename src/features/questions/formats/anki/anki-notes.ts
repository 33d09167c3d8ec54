import type { Database, SqlValue } from 'sql.js'
import { DECK_MARK } from './anki-collection.ts'
import { FIELD_MARK } from './anki-note-type.ts'
import { isPlainSchema, isSqlite } from './anki-schema-check.ts'
import { readSqlite, rowsOfQuery } from './sqlite.ts'

/** A note as a package or a text has it. */
export interface ReadNote {
  /** The number of the note in its file. */
  readonly line: number
  readonly deck: string
  readonly tags: readonly string[]
  /** The fields with their names; a name is empty where the file does not say it. */
  readonly fields: readonly { readonly name: string; readonly html: string }[]
  /** Why the note could not be read. */
  readonly problem?: string
}

export type ReadCollection =
  { readonly notes: ReadNote[]; readonly isWhole: boolean; readonly problem?: undefined } | { readonly problem: string }

/** Twice what an export has at most. */
const MOST_NOTES = 40_000
/** Longer fields hold no text of a question. */
const MOST_NOTE_BYTES = 2 ** 20
const MOST_BYTES = 100 * 2 ** 20
/** Note types, their fields, and decks. */
const MOST_NAMES = 20_000

/**
 * The notes of a collection in the order of their decks. Only plain tables are read, so that SQL of the file never runs: a view, a
 * virtual table or a computed column under a known name would run it.
 */
export function readCollection(bytes: Uint8Array): ReadCollection {
  if (!isSqlite(bytes)) return { problem: 'it is not an SQLite database.' }
  if (!isPlainSchema(bytes)) return { problem: 'the list of its tables is damaged.' }
  try {
    return readSqlite(bytes, (database) => {
      database.run('PRAGMA trusted_schema = OFF')
      const missing = ['col', 'notes', 'cards'].filter((table) => !isPlainTable(database, table))
      if (missing.length > 0) return { problem: `it has no table ${missing.join(', ')} of Anki.` }
      return notesIn(database)
    })
  } catch (error) {
    return { problem: `SQLite says: ${error instanceof Error ? error.message : String(error)}.` }
  }
}

function isPlainTable(database: Database, name: string): boolean {
  const [row] = rowsOfQuery(database, `SELECT type, sql FROM sqlite_schema WHERE name = '${name}'`, 1)
  if (row === undefined || row[0] !== 'table' || !/^\s*CREATE\s+TABLE\s/i.test(String(row[1]))) return false
  // The last column tells hidden and computed columns.
  return [...rowsOfQuery(database, `PRAGMA table_xinfo(${name})`, MOST_NAMES)].every((column) => column.at(-1) === 0)
}

function notesIn(database: Database): ReadCollection {
  const names = isPlainTable(database, 'fields') ? fieldNames(database) : namesInJson(database)
  const decks = isPlainTable(database, 'decks') ? deckNames(database) : decksInJson(database)
  const deckOf = new Map<SqlValue, SqlValue>()
  for (const [note, deck] of rowsOfQuery(database, 'SELECT nid, did FROM cards NOT INDEXED', 10 * MOST_NOTES))
    if (note !== undefined && !deckOf.has(note)) deckOf.set(note, deck ?? null)
  const size = 'octet_length(flds) + octet_length(tags)'
  const query = `SELECT id, mid, ${size}, CASE WHEN ${size} <= ${MOST_NOTE_BYTES} THEN tags END, CASE WHEN ${size} <= ${MOST_NOTE_BYTES} THEN flds END FROM notes NOT INDEXED`
  const notes: ReadNote[] = []
  let left = MOST_BYTES
  for (const [id, type, bytes, tags, fields] of rowsOfQuery(database, query, MOST_NOTES + 1)) {
    left -= Math.min(Number(bytes), MOST_NOTE_BYTES)
    if (notes.length === MOST_NOTES || left < 0) return { notes: byDeck(notes), isWhole: false }
    const line = notes.length + 1
    const deck = decks.get(String(deckOf.get(id ?? null))) ?? ''
    if (typeof fields !== 'string') {
      notes.push({ line, deck, tags: [], fields: [], problem: 'its fields are no text, or larger than 1 MB' })
      continue
    }
    const named = names.get(String(type)) ?? []
    const given = fields.split(FIELD_MARK).map((html, at) => ({ name: named[at] ?? '', html }))
    const written = typeof tags === 'string' ? tags : ''
    notes.push({ line, deck, tags: written.split(/\s+/).filter((tag) => tag !== ''), fields: given })
  }
  return { notes: byDeck(notes), isWhole: true }
}

/** The notes of one deck together, decks in the order of their first note. */
function byDeck(notes: ReadNote[]): ReadNote[] {
  const groups = new Map<string, ReadNote[]>()
  for (const note of notes) {
    const group = groups.get(note.deck)
    if (group === undefined) groups.set(note.deck, [note])
    else group.push(note)
  }
  return [...groups.values()].flat()
}

type Names = Map<string, string[]>

/** Since schema 18 the fields of note types are rows. */
function fieldNames(database: Database): Names {
  const names: Names = new Map()
  for (const [type, place, name] of rowsOfQuery(
    database,
    'SELECT ntid, ord, name FROM fields NOT INDEXED',
    MOST_NAMES,
  )) {
    const ofType = names.get(String(type)) ?? []
    if (typeof place === 'number' && place >= 0 && place < 500) ofType[place] = String(name)
    names.set(String(type), ofType)
  }
  return names
}

function namesInJson(database: Database): Names {
  return new Map(
    Object.entries(jsonIn(database, 'models')).map(([id, model]) => [
      id,
      listOf(model, 'flds').map((field) => String(valueOf(field, 'name') ?? '')),
    ]),
  )
}

/** Since schema 15 decks are rows, and their names are parted by a separator of fields. */
function deckNames(database: Database): Map<string, string> {
  const rows = [...rowsOfQuery(database, 'SELECT id, name FROM decks NOT INDEXED', MOST_NAMES)]
  return new Map(rows.map(([id, name]) => [String(id), String(name).replaceAll(FIELD_MARK, DECK_MARK)]))
}

function decksInJson(database: Database): Map<string, string> {
  return new Map(
    Object.entries(jsonIn(database, 'decks')).map(([id, deck]) => [id, String(valueOf(deck, 'name') ?? '')]),
  )
}

function jsonIn(database: Database, column: 'models' | 'decks'): Record<string, unknown> {
  const [row] = rowsOfQuery(
    database,
    `SELECT CASE WHEN octet_length(${column}) <= ${10 * MOST_NOTE_BYTES} THEN ${column} END FROM col`,
    1,
  )
  try {
    const value: unknown = JSON.parse(String(row?.[0] ?? '{}'))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // Notes are read without names then.
    return {}
  }
}

function valueOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? new Map<string, unknown>(Object.entries(of)).get(name) : undefined
}

function listOf(of: unknown, name: string): unknown[] {
  const list = valueOf(of, name)
  return Array.isArray(list) ? list : []
}
