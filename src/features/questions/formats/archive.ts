import { Inflate, inflateSync, strFromU8 } from 'fflate'
import { findingStep } from './parsed-question.ts'
import type { ReadStep, SourceFile } from './formats.schema.ts'

/** Room for the largest known banks with a file per question and an image for every second one. */
const MAX_ENTRIES = 20_000
/** All files together, unpacked. A process holds them in memory. */
export const MAX_UNPACKED_BYTES = 200 * 2 ** 20
/** Text compresses at most to a twentieth, a zip bomb to a thousandth. Small files may be all blanks. */
const MAX_RATIO = 200
const RATIO_FROM_BYTES = 2 ** 20

/** Bytes that are unpacked between two checks of the limits. */
const SLICE = 16 * 1024

/** Entries that contradict the directory cost time before they are detected; honest archives have none. */
const MOST_DAMAGED = 20

export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)
}

/** A workbook is an archive, too, but is read as one file. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return isArchive(bytes) && (entriesOf(bytes)?.some(({ path }) => path === 'xl/workbook.xml') ?? false)
}

/**
 * The uploaded files, with archives replaced by the files in them. An archive never takes more memory and time than the
 * limits allow, whatever its directory says; each entry that is not read gives a finding.
 */
export function unpack(files: SourceFile[]): { files: SourceFile[]; steps: ReadStep[] } {
  const steps: ReadStep[] = []
  let left = MAX_UNPACKED_BYTES
  const unpacked = files.flatMap((file) => {
    if (!isArchive(file.bytes) || isWorkbook(file.bytes)) return [file]
    const { read, size } = readArchive(file, left, steps)
    left -= size
    return read
  })
  return { files: unpacked, steps }
}

/** The named entries of an archive such as a workbook; null for one that is missing or too large. */
export function readEntry(archive: Uint8Array, path: string): Uint8Array | null {
  const entry = entriesOf(archive)?.find((entry) => entry.path === path)
  if (!entry || entry.size > MAX_UNPACKED_BYTES || isBomb(entry)) return null
  return contentOf(archive, entry)
}

interface Entry {
  path: string
  method: number
  packed: number
  size: number
  at: number
  isSecret: boolean
}

function readArchive(file: SourceFile, limit: number, steps: ReadStep[]): { read: SourceFile[]; size: number } {
  const refuse = (about: string) => {
    steps.push(findingStep('archive-refused', { file: file.path, about }))
    return { read: [], size: 0 }
  }
  const entries = entriesOf(file.bytes)
  if (!entries) return refuse('it is damaged, or not a zip file that can be read here.')
  if (entries.length > MAX_ENTRIES) return refuse(`it holds ${entries.length} files; at most ${MAX_ENTRIES} are read.`)
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > limit) {
    return refuse(`unpacked it would take ${Math.ceil(total / 2 ** 20)} MB; at most ${limit >> 20} MB are read.`)
  }
  const read: SourceFile[] = []
  let [size, damaged] = [0, 0]
  for (const entry of entries) {
    if (entry.path.endsWith('/')) continue
    if (damaged === MOST_DAMAGED) {
      refuse(`more than ${MOST_DAMAGED} of its files are damaged; those behind ${entry.path} were not read.`)
      break
    }
    const path = pathOf(entry.path)
    const bytes = path === null || whyNot(entry) !== null ? null : contentOf(file.bytes, entry)
    const isNested = bytes !== null && isArchive(bytes) && !isWorkbook(bytes)
    if (path === null || bytes === null || isNested) {
      const about =
        path === null
          ? 'its path leads out of the archive'
          : isNested
            ? 'it is an archive inside the archive'
            : (whyNot(entry) ?? 'it is damaged, or larger than it says')
      if (bytes === null && path !== null && whyNot(entry) === null) damaged += 1
      steps.push(findingStep('entry-refused', { file: `${file.path}/${entry.path}`.slice(0, 500), about }))
      continue
    }
    size += bytes.length
    read.push({ path, bytes })
  }
  return { read, size }
}

function whyNot(entry: Entry): string | null {
  if (entry.isSecret) return 'it is encrypted'
  if (entry.method !== 0 && entry.method !== 8) return 'it is packed in a way that is not known here'
  if (isBomb(entry)) return `it unpacks to ${Math.round(entry.size / Math.max(1, entry.packed))} times its size`
  return null
}

function isBomb({ size, packed }: Entry): boolean {
  return size > RATIO_FROM_BYTES && size > packed * MAX_RATIO
}

/** Names are never used as paths on disk, but one that leaves the archive is refused. */
function pathOf(written: string): string | null {
  const path = written.replaceAll('\\', '/')
  const isOutside = path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.split('/').includes('..')
  return isOutside || path.includes('\0') ? null : path
}

/** The central directory at the archive's end (APPNOTE 4.3.12), which every program reads. Null if there is none. */
function entriesOf(bytes: Uint8Array): Entry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  if (end === -1) return null
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  // 0xffff and 0xffffffff refer to a ZIP64 directory, which no bank needs.
  if (count === 0xffff || at === 0xffffffff) return null
  const entries: Entry[] = []
  for (let number = 0; number < count; number += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x02014b50) return null
    const nameLength = view.getUint16(at + 28, true)
    const flags = view.getUint16(at + 8, true)
    const name = bytes.subarray(at + 46, at + 46 + nameLength)
    entries.push({
      path: strFromU8(name, (flags & 0x800) === 0 && name.every((byte) => byte < 0x80)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
      isSecret: (flags & 1) === 1,
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff)
  for (let at = view.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50) return at
  }
  return -1
}

/** Null if the entry is damaged or larger than the directory says. */
function contentOf(archive: Uint8Array, entry: Entry): Uint8Array | null {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  if (entry.at + 30 > view.byteLength || view.getUint32(entry.at, true) !== 0x04034b50) return null
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true)
  const packed = archive.subarray(start, start + entry.packed)
  if (packed.length !== entry.packed) return null
  if (entry.method === 0) return entry.packed === entry.size ? packed.slice() : null
  return inflated(packed, entry.size)
}

function inflated(packed: Uint8Array, size: number): Uint8Array | null {
  if (packed.length <= SLICE) return inflatedAtOnce(packed, size)
  const content = new Uint8Array(size)
  const state = { length: 0, isWhole: true }
  const inflate = new Inflate((chunk) => {
    state.isWhole &&= state.length + chunk.length <= size
    if (state.isWhole) content.set(chunk, state.length)
    state.length += chunk.length
  })
  try {
    for (let at = 0; at === 0 || (at < packed.length && state.isWhole); at += SLICE) {
      inflate.push(packed.subarray(at, at + SLICE), at + SLICE >= packed.length)
    }
  } catch {
    // fflate throws for damaged data; the file is reported as not read.
    return null
  }
  return state.isWhole && state.length === size ? content : null
}

/** The buffer is one byte larger than the entry should be; a full buffer shows that the entry is too large. */
function inflatedAtOnce(packed: Uint8Array, size: number): Uint8Array | null {
  try {
    const content = inflateSync(packed, { out: new Uint8Array(size + 1) })
    return content.length === size ? content : null
  } catch {
    // fflate throws for damaged data; the file is reported as not read.
    return null
  }
}
