/** The header of each SQLite file. */
const SIGNATURE = 'SQLite format 3\u0000'
/** Room for a hundred times the tables of Anki. */
const MOST_SCHEMA_BYTES = 2 ** 20

export function isSqlite(bytes: Uint8Array): boolean {
  return [...SIGNATURE].every((sign, at) => bytes[at] === sign.charCodeAt(0))
}

/**
 * Whether the pages that describe the tables are a tree of few bytes. SQLite reads them before it can be asked for anything, and
 * pages that name each other again and again would keep it busy forever.
 */
export function isPlainSchema(bytes: Uint8Array): boolean {
  if (bytes.length < 512) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const written = view.getUint16(16)
  const pageSize = written === 1 ? 65_536 : written
  const open = [1]
  const seen = new Set<number>()
  let left = MOST_SCHEMA_BYTES
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    const start = (page - 1) * pageSize
    if (page < 1 || seen.has(page) || start + pageSize > bytes.length) return false
    seen.add(page)
    const found = readPage(view, start, start + (page === 1 ? 100 : 0), pageSize)
    if (found === null) return false
    open.push(...found.pages)
    left -= found.size
    if (left < 0) return false
  }
  return true
}

/** The pages below a page of a table, or the bytes of its rows. Null if it is no page of a table (SQLite file format, 1.6). */
function readPage(
  view: DataView,
  start: number,
  head: number,
  pageSize: number,
): { pages: number[]; size: number } | null {
  const kind = view.getUint8(head)
  if (kind !== 5 && kind !== 13) return null
  const count = view.getUint16(head + 3)
  const pointers = head + (kind === 5 ? 12 : 8)
  const end = start + pageSize
  if (pointers + 2 * count > end) return null
  const cells = Array.from({ length: count }, (_, at) => start + view.getUint16(pointers + 2 * at))
  if (cells.some((cell) => cell + 9 > end)) return null
  if (kind === 13) return { pages: [], size: cells.reduce((sum, cell) => sum + sizeAt(view, cell), 0) }
  return { pages: [...cells.map((cell) => view.getUint32(cell)), view.getUint32(head + 8)], size: 0 }
}

/** A number in groups of seven bits; nine bytes at most. */
function sizeAt(view: DataView, at: number): number {
  let size = 0
  for (let place = 0; place < 9; place += 1) {
    const byte = view.getUint8(at + place)
    size = size * 128 + (byte & 127)
    if (byte < 128) return size
  }
  return size
}
