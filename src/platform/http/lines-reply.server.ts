import { PassThrough, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { LINES_TYPE } from '../json-lines.ts'
import { acceptedEncoding } from './accepted-encoding.server.ts'

/** A reply of lines, each an object as JSON. A line is sent, and can be decompressed, before the next one is written. */
export function linesReply(parts: readonly unknown[], request: Request): Response {
  const encoding = acceptedEncoding(request.headers.get('accept-encoding'), ['gzip'])
  const body = encoding === null ? new PassThrough() : createGzip()
  void writeLines(parts, body)
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': LINES_TYPE,
      'cache-control': 'no-store',
      vary: 'Accept-Encoding',
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
  })
}

async function writeLines(parts: readonly unknown[], body: PassThrough | ReturnType<typeof createGzip>): Promise<void> {
  for (const part of parts) {
    body.write(`${JSON.stringify(part)}\n`)
    if ('flush' in body) await new Promise<void>((resolve) => body.flush(constants.Z_SYNC_FLUSH, resolve))
  }
  body.end()
}
