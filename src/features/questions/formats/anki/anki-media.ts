import { strFromU8 } from 'fflate'
import type { SourceFile } from '../formats.schema.ts'
import { isZstd, unpackZstd } from './zstd.ts'

/** Bytes that a package may still unpack to. */
export type Budget = { left: number }

/** A file of a package, unpacked if it is compressed; null if it can't be. */
export function contentIn({ bytes }: SourceFile, budget: Budget): Uint8Array | null {
  if (!isZstd(bytes)) return bytes
  // As in archives: text compresses at most to a twentieth, a bomb to a thousandth.
  const content = unpackZstd(bytes, Math.min(budget.left, Math.max(2 ** 20, bytes.length * 200)))
  budget.left -= content?.length ?? 0
  return content
}

/** The files of a package by the names that notes show; in the archive they are numbered. */
export function mediaIn(files: ReadonlyMap<string, SourceFile>, budget: Budget): Map<string, SourceFile> {
  const list = files.get('media')
  const content = list === undefined ? null : contentIn(list, budget)
  const media = new Map<string, SourceFile>()
  for (const [number, name] of content === null ? [] : namesIn(content)) {
    const file = files.get(number)
    const bytes = file === undefined ? null : contentIn(file, budget)
    if (bytes !== null) media.set(name, { path: name, bytes })
  }
  return media
}

/** JSON in older packages, a message of Protocol Buffers in newer ones. */
function namesIn(content: Uint8Array): [string, string][] {
  if (content[0] !== 0x7b) return [...entriesIn(content)].map((name, place) => [String(place), name])
  try {
    const value: unknown = JSON.parse(strFromU8(content))
    const names = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return names.flatMap(([number, name]) => (typeof name === 'string' ? [[number, name]] : []))
  } catch {
    // Without the list no image is known by its name; notes that show one say so.
    return []
  }
}

/** The names in a `MediaEntries`: field 1 is an entry, and its field 1 the name. */
function* entriesIn(message: Uint8Array): Generator<string> {
  for (const entry of fieldsIn(message)) {
    const [name] = fieldsIn(entry)
    yield name === undefined ? '' : strFromU8(name)
  }
}

/** The values of field 1 of a message, if they are bytes. Stops where the message is damaged. */
function* fieldsIn(message: Uint8Array): Generator<Uint8Array> {
  let at = 0
  const number = () => {
    let value = 0
    for (let shift = 0; shift < 35 && at < message.length; shift += 7) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    return 0
  }
  while (at < message.length) {
    const tag = number()
    if (tag === 0) return
    const length = (tag & 7) === 2 ? number() : null
    if (length === null) number()
    else {
      if (tag >> 3 === 1) yield message.subarray(at, at + length)
      at += length
    }
  }
}
