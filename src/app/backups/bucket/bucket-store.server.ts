import { HOUR_MS } from '../../../lib/time.ts'
import type { BucketSettings } from '../../../platform/backup-settings.server.ts'
import { StoreFailed, type BackupStore, type StoredFile } from '../backup-store.server.ts'
import { S3Refused, S3Requests, type Patience } from './s3-requests.server.ts'
import { readReply } from './s3-reply.server.ts'

/** All parts but the last have one size, as some services demand, of 5 MiB or more. */
const PART_BYTES = 8 * 1024 * 1024
const MOST_PARTS = 10_000
/** An upload that is under way is younger, unless it takes longer than a backup may. */
const LEFT_MS = 24 * HOUR_MS
const ABORT_MS = 5000
/** Of our files; other objects in the folder are not ours. */
const OURS = 'altocert-'

/** Backups in a bucket. An object appears once its upload has ended, so there is no half one. */
export function createBucketStore(settings: BucketSettings, signal?: AbortSignal, patience?: Patience): BackupStore {
  const s3 = new S3Requests(settings, signal, patience)
  const { prefix } = settings
  // Also when `signal` has ended the upload.
  const aborter = () => new S3Requests(settings, AbortSignal.timeout(ABORT_MS), patience)
  return {
    place: s3.place,
    list: () => list(s3, prefix),
    write: (name, bytes) => write({ s3, aborter }, prefix + name, bytes),
    read: (name) => s3.bytes(prefix + name),
    async delete(name) {
      await s3.text({ method: 'DELETE', key: prefix + name })
    },
    deleteLeftovers: () => deleteLeftovers(s3, prefix),
  }
}

async function list(s3: S3Requests, prefix: string): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  let token = ''
  do {
    const query = { 'list-type': '2', prefix: prefix + OURS, ...(token === '' ? {} : { 'continuation-token': token }) }
    const { fields, records } = readReply((await s3.text({ method: 'GET', query })).text, 'Contents')
    for (const record of records)
      files.push({ name: (record.get('Key') ?? '').slice(prefix.length), bytes: Number(record.get('Size')) })
    token = fields.get('IsTruncated') === 'true' ? (fields.get('NextContinuationToken') ?? '') : ''
  } while (token !== '')
  return files.filter(({ name }) => !name.includes('/'))
}

type Writing = { readonly s3: S3Requests; readonly aborter: () => S3Requests }

async function write(writing: Writing, key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const parts = partsOf(bytes)
  const first = await parts.next()
  const body = first.done === true ? new Uint8Array() : first.value
  const second = body.length < PART_BYTES ? null : await parts.next()
  if (second === null || second.done === true) {
    await writing.s3.text({ method: 'PUT', key, body })
    return
  }
  await writeInParts(writing, key, joined([body, second.value], parts))
}

async function writeInParts({ s3, aborter }: Writing, key: string, parts: AsyncIterable<Part>): Promise<void> {
  const started = await s3.text({ method: 'POST', key, query: { uploads: '' } })
  const uploadId = readReply(started.text).fields.get('UploadId') ?? ''
  try {
    const tags: string[] = []
    let size = 0
    for await (const body of parts) {
      if (tags.length === MOST_PARTS) throw new StoreFailed('The backup is too large for a bucket: more than 78 GiB.')
      const query = { partNumber: String(tags.length + 1), uploadId }
      tags.push((await s3.text({ method: 'PUT', key, query, body })).headers.get('etag') ?? '')
      size += body.length
    }
    await complete(s3, key, { uploadId, tags, size })
  } catch (error) {
    // What cannot be ended now is a leftover, which takes space and is no object.
    await aborter()
      .text({ method: 'DELETE', key, query: { uploadId } })
      .catch(() => undefined)
    throw error
  }
}

type Upload = { readonly uploadId: string; readonly tags: readonly string[]; readonly size: number }

async function complete(s3: S3Requests, key: string, { uploadId, tags, size }: Upload): Promise<void> {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
  const body = Uint8Array.from(Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`))
  try {
    await s3.text({ method: 'POST', key, query: { uploadId }, body })
  } catch (error) {
    // The first answer may have been lost on the way: then the upload is over, and the object is there.
    if (!(error instanceof S3Refused) || error.code !== 'NoSuchUpload') throw error
    const { headers } = await s3.text({ method: 'HEAD', key })
    if (Number(headers.get('content-length')) !== size) throw error
  }
}

const escaped = (tag: string) => tag.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

type Part = Uint8Array<ArrayBuffer>

/** Cuts a stream into parts of one size; the last is smaller, and not empty. */
async function* partsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  let part = new Uint8Array(PART_BYTES)
  let filled = 0
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length;) {
      const piece = chunk.subarray(from, from + PART_BYTES - filled)
      part.set(piece, filled)
      from += piece.length
      filled += piece.length
      if (filled < PART_BYTES) continue
      yield part
      part = new Uint8Array(PART_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}

async function* joined(first: readonly Part[], rest: AsyncGenerator<Part>): AsyncGenerator<Part> {
  yield* first
  yield* rest
}

/** Codes of services and keys that do not let us look. A lifecycle rule of the bucket can do it then. */
const MAY_NOT_LOOK = ['AccessDenied', 'NotImplemented']

async function deleteLeftovers(s3: S3Requests, prefix: string): Promise<void> {
  const query = { uploads: '', prefix: prefix + OURS }
  const found = await s3.text({ method: 'GET', query }).catch((error: unknown) => {
    if (error instanceof S3Refused && MAY_NOT_LOOK.includes(error.code)) return null
    throw error
  })
  const uploads = found === null ? [] : readReply(found.text, 'Upload').records
  for (const upload of uploads) {
    if (Date.now() - new Date(upload.get('Initiated') ?? '').getTime() < LEFT_MS) continue
    await s3.text({ method: 'DELETE', key: upload.get('Key') ?? '', query: { uploadId: upload.get('UploadId') ?? '' } })
  }
}
