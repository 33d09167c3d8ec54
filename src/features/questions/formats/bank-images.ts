import { IMAGE_SCHEME, withAddresses } from '../image-addresses.ts'
import { reason } from '../questions.ts'
import { withBodyTexts } from '../types/format-registry.ts'
import type { ParsedQuestion, Reading } from './parsed-question.ts'
import type { AttachedImage } from './formats.schema.ts'

/** Attaches the images that the texts show by a path among the files, and reports those that are missing. */
export function readAttachedImages(found: ParsedQuestion, reading: Reading): void {
  const names = new Map<string, string>()
  const addressOf = (address: string): string | undefined => {
    if (!isPathAmongFiles(address)) return undefined
    const known = names.get(address)
    if (known !== undefined) return known
    const path = resolvePath(found.file, address)
    const file = reading.files.get(path)
    if (!file) {
      names.set(address, address)
      found.reasons.push(reason('picture-missing', 'question', address))
      return undefined
    }
    reading.used.add(path)
    const image = readImage(found.images, path.split('/').at(-1) ?? path, file.bytes)
    names.set(address, image)
    return image
  }
  mapTexts(found, (text) => withAddresses(text, addressOf))
}

/** Adds an image under a unique name. Returns the address by which a text shows it. */
export function readImage(images: AttachedImage[], wanted: string, bytes: Uint8Array): string {
  const plain = wanted.replace(/[^A-Za-z0-9._-]+/g, '-') || 'picture'
  const same = images.find(({ name, bytes: kept }) => name === plain && kept === bytes)
  if (same) return IMAGE_SCHEME + same.name
  let name = plain
  for (let turn = 2; images.some((image) => image.name === name); turn += 1) name = `${turn}-${plain}`
  images.push({ name, bytes })
  return IMAGE_SCHEME + name
}

/** Changes all Markdown texts of a question. */
export function mapTexts(found: ParsedQuestion, change: (text: string) => string): void {
  found.stem = change(found.stem)
  found.body = withBodyTexts(found.body, change)
  found.explanation = change(found.explanation)
}

/** Whether an address is a path: no address of the web or of this site, and no image that is attached already. */
export function isPathAmongFiles(address: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(address)
}

/** The path of a file that another file names: beside it, or from the top. */
export function resolvePath(from: string, address: string): string {
  const parts = from.split('/').slice(0, -1)
  const path = decodePath(address.replace(/[?#].*$/s, ''))
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A lone % is no escape, so the path is used as it is written.
    return path
  }
}
