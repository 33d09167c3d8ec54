import { sha1 } from '@noble/hashes/legacy.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { sha256Hex } from '../../../../lib/sha256.ts'
import { FIELD_MARK, modelsOf, NOTE_TYPE_ID } from './anki-note-type.ts'
import { createSqlite, insertRows } from './sqlite.ts'

/** A note of our note type with its one card. */
export interface AnkiNote {
  /** The same whenever the question is exported, so that Anki updates the note instead of adding a second one. */
  readonly guid: string
  readonly deck: string
  readonly fields: readonly string[]
  readonly tags: readonly string[]
}

/** The tables of schema 11, the newest that every version of Anki reads. */
const SCHEMA = `
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null, ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null, models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null, usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null, flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null, mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null, ivl integer not null, factor integer not null, reps integer not null, lapses integer not null, left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null, ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn on notes (usn);
CREATE INDEX ix_cards_usn on cards (usn);
CREATE INDEX ix_revlog_usn on revlog (usn);
CREATE INDEX ix_cards_nid on cards (nid);
CREATE INDEX ix_cards_sched on cards (did, queue, due);
CREATE INDEX ix_revlog_cid on revlog (cid);
CREATE INDEX ix_notes_csum on notes (csum);
`

/** The file `collection.anki2` with new cards. @param now Anki takes over a known note only if it is newer than its own */
export function writeCollection(notes: readonly AnkiNote[], now: Date): Uint8Array {
  const time = now.getTime()
  const seconds = Math.floor(time / 1000)
  const decks = deckIds(notes)
  // Ids are times in milliseconds; those of notes tell their order.
  const idAt = (place: number) => time + place + 1
  return createSqlite((database) => {
    database.run(SCHEMA)
    const texts = [conf(), modelsOf(seconds), decksOf(decks, seconds), dconf(), {}].map((value) =>
      JSON.stringify(value),
    )
    insertRows(database, 'col', [[1, seconds - (seconds % 86_400), time, time, 11, 0, 0, 0, ...texts]])
    insertRows(
      database,
      'notes',
      notes.map(({ guid, fields, tags }, place) => {
        const sorted = plainOf(fields[0] ?? '')
        const written = tags.length === 0 ? '' : ` ${tags.join(' ')} `
        const texts = [written, fields.join(FIELD_MARK), sorted]
        return [idAt(place), guid, NOTE_TYPE_ID, seconds, -1, ...texts, checksumOf(sorted), 0, '']
      }),
    )
    const card = { type: 0, queue: 0 }
    insertRows(
      database,
      'cards',
      notes.map(({ deck }, place) => {
        const ids = [idAt(place), idAt(place), decks.get(deck) ?? 1]
        return [...ids, 0, seconds, -1, card.type, card.queue, place + 1, 0, 0, 0, 0, 0, 0, 0, 0, '']
      }),
    )
  })
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#91': '[' }

/** The text of a field of ours as Anki sorts and compares it. */
function plainOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|amp|#91);/g, (_, name: string) => ENTITIES[name] ?? '')
}

/** Anki finds notes of equal first fields by it. */
function checksumOf(text: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = sha1(utf8ToBytes(text))
  return a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
}

export const DECK_MARK = '::'

/** The decks of the notes and those above them. Anki merges decks of one name; their ids only have to differ. */
function deckIds(notes: readonly AnkiNote[]): Map<string, number> {
  const ids = new Map<string, number>()
  for (const { deck } of notes) {
    const parts = deck.split(DECK_MARK)
    for (const [at] of parts.entries()) {
      const name = parts.slice(0, at + 1).join(DECK_MARK)
      if (!ids.has(name)) ids.set(name, 1_400_000_000_000 + (Number.parseInt(sha256Hex(name).slice(0, 10), 16) % 1e11))
    }
  }
  return ids
}

function decksOf(ids: ReadonlyMap<string, number>, seconds: number): Record<string, unknown> {
  const deck = (id: number, name: string) => ({
    id,
    name,
    mod: seconds,
    usn: -1,
    desc: '',
    dyn: 0,
    collapsed: false,
    browserCollapsed: false,
    extendNew: 0,
    extendRev: 0,
    conf: 1,
    newToday: [0, 0],
    revToday: [0, 0],
    lrnToday: [0, 0],
    timeToday: [0, 0],
  })
  const all = [deck(1, 'Default'), ...[...ids].map(([name, id]) => deck(id, name))]
  return Object.fromEntries(all.map((one) => [one.id, one]))
}

function conf(): Record<string, unknown> {
  return {
    activeDecks: [1],
    curDeck: 1,
    curModel: String(NOTE_TYPE_ID),
    nextPos: 1,
    estTimes: true,
    dueCounts: true,
    newSpread: 0,
    collapseTime: 1200,
    timeLim: 0,
    addToCur: true,
    sortType: 'noteFld',
    sortBackwards: false,
  }
}

/** Options of decks as in a new collection; an import keeps those of the learner. */
function dconf(): Record<string, unknown> {
  const options = {
    id: 1,
    mod: 0,
    name: 'Default',
    usn: 0,
    maxTaken: 60,
    autoplay: true,
    timer: 0,
    replayq: true,
    dyn: false,
    new: { bury: false, delays: [1, 10], initialFactor: 2500, ints: [1, 4, 0], order: 1, perDay: 20 },
    rev: { bury: false, ease4: 1.3, ivlFct: 1, maxIvl: 36_500, perDay: 200, hardFactor: 1.2 },
    lapse: { delays: [10], leechAction: 1, leechFails: 8, minInt: 1, mult: 0 },
  }
  return { 1: options }
}
