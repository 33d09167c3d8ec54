import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { OwnData, OwnRow } from '../../platform/own-data-export.server.ts'

/** Increased whenever the shape of the file changes (docs/own-data.md). */
export const OWN_DATA_VERSION = 2
export const OWN_DATA_FORMAT = 'altocert-own-data'

/** One JSON object, streamed page by page. */
export async function* asJson(parts: readonly OwnData[], exportedAt: Date): AsyncGenerator<Uint8Array> {
  const head = { format: OWN_DATA_FORMAT, version: OWN_DATA_VERSION, exportedAt }
  yield strToU8(`${JSON.stringify(head).slice(0, -1)},"data":{`)
  for (const [index, { name, pages }] of parts.entries()) {
    yield strToU8(`${index === 0 ? '' : ','}\n${JSON.stringify(name)}:[`)
    let isFirst = true
    for await (const page of pages) {
      if (page.length === 0) continue
      yield strToU8(`${isFirst ? '' : ','}\n${page.map((row) => JSON.stringify(row)).join(',\n')}`)
      isFirst = false
    }
    yield strToU8(']')
  }
  yield strToU8('\n}}\n')
}

/** A zip with one CSV file for each kind of data, compressed page by page. */
export async function* asZippedCsv(parts: readonly OwnData[]): AsyncGenerator<Uint8Array> {
  let compressed: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, bytes) => {
    if (error !== null) failure = error
    else compressed.push(bytes)
  })
  function* flush() {
    if (failure !== null) throw failure
    yield* compressed
    compressed = []
  }
  for (const { name, pages } of parts) {
    const file = new ZipDeflate(`${name}.csv`)
    zip.add(file)
    let columns: readonly string[] | null = null
    for await (const page of pages) {
      const [first] = page
      if (first === undefined) continue
      const head = columns === null ? csvLine(Object.keys(first)) : ''
      columns ??= Object.keys(first)
      file.push(strToU8(head + page.map((row) => csvRow(row, columns ?? [])).join('')))
      yield* flush()
    }
    file.push(new Uint8Array(), true)
    yield* flush()
  }
  zip.end()
  yield* flush()
}

function csvRow(row: OwnRow, columns: readonly string[]): string {
  return csvLine(columns.map((column) => cellText(row[column] ?? null)))
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function cellText(value: OwnRow[string]): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** RFC 4180. An apostrophe before a possible formula makes spreadsheets treat it as text. */
export function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  const safe = !isNumber && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
