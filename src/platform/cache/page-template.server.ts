import { constants, crc32, deflateRawSync, gzip } from 'node:zlib'
import { promisify } from 'node:util'

const compressGzip = promisify(gzip)

/** Levels of compression: a user's own page is sent a few times at most, a shared one often. */
const PERSONAL_LEVEL = 4
const SHARED_LEVEL = 9
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
/** An empty deflate block that ends the stream. */
const LAST_BLOCK = Buffer.from([3, 0])

/** A page as React rendered it, and its content security policy, which allows inline scripts by their hashes. */
export type RenderedHtml = { readonly html: string; readonly policy: string }

/** A page as it is sent. */
export type PageBytes = { readonly gzip: Buffer; readonly policy: string }

/** The values to fill in, by the marks that stand for them in the page. */
export type Filling = ReadonlyMap<string, string>

/** Text that is the same for everybody, and its compressed form. */
type Literal = { readonly plain: Buffer; readonly deflated: Buffer }
/** A place for a value. In the page's data it is escaped in another way. */
type Hole = { readonly mark: string; readonly isInData: boolean }

/**
 * A page that differs between users only at marked places. Everything else is compressed once: deflate allows blocks that were
 * compressed apart to be joined, so a page costs a copy of its bytes and the checksums.
 */
export class PageTemplate {
  readonly #pieces: (Literal | Hole)[] = []
  readonly #policy: string

  constructor({ html, policy }: RenderedHtml, marks: readonly string[]) {
    this.#policy = policy
    let at = 0
    for (const match of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
      const [whole, data = ''] = match
      if (!marks.some((mark) => data.includes(mark))) continue
      const begin = match.index + whole.indexOf('>') + 1
      this.#add(html.slice(at, begin), marks, false)
      this.#add(data, marks, true)
      at = begin + data.length
    }
    this.#add(html.slice(at), marks, false)
  }

  fillIn(values: Filling): PageBytes {
    const filled = this.#pieces.map((piece) => ('plain' in piece ? piece : fillHole(piece, values)))
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(filled.reduce((sum, { plain }) => crc32(plain, sum), 0))
    trailer.writeUInt32LE(
      filled.reduce((size, { plain }) => size + plain.byteLength, 0),
      4,
    )
    return {
      gzip: Buffer.concat([GZIP_HEADER, ...filled.map(({ deflated }) => deflated), LAST_BLOCK, trailer]),
      policy: this.#policy,
    }
  }

  #add(text: string, marks: readonly string[], isInData: boolean): void {
    const pattern = new RegExp(`(${marks.join('|')})`)
    for (const part of text.split(pattern)) {
      if (marks.includes(part)) this.#pieces.push({ mark: part, isInData })
      else if (part !== '') this.#pieces.push(literal(Buffer.from(part)))
    }
  }
}

/** A page that is one user's own. */
export async function compressPage({ html, policy }: RenderedHtml): Promise<PageBytes> {
  return { gzip: await compressGzip(html, { level: PERSONAL_LEVEL }), policy }
}

function literal(plain: Buffer): Literal {
  return { plain, deflated: deflateRawSync(plain, { level: SHARED_LEVEL, finishFlush: constants.Z_SYNC_FLUSH }) }
}

/** A value, escaped for its place, as a block without compression. The longest value is far below the limit of 65,535 bytes. */
function fillHole({ mark, isInData }: Hole, values: Filling): Literal {
  const value = values.get(mark) ?? ''
  const plain = Buffer.from(isInData ? escapeInData(value) : escapeInMarkup(value))
  const head = Buffer.alloc(5)
  head.writeUInt16LE(plain.byteLength, 1)
  head.writeUInt16LE(~plain.byteLength & 0xffff, 3)
  return { plain, deflated: Buffer.concat([head, plain]) }
}

/** As React escapes text and attributes. */
function escapeInMarkup(value: string): string {
  return value.replaceAll(/["&'<>]/g, (char) => MARKUP_ESCAPES[char] ?? char)
}

const MARKUP_ESCAPES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
}

/** In a string of JSON in an element for data (late-scripts.ts). No script contains data, so none differs between users. */
function escapeInData(value: string): string {
  return JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('<', String.raw`\u003c`)
}
