import { randomBytes } from 'node:crypto'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startS3 } from '../../../emulators/s3/s3-emulator.server.ts'
import { DAY_MS } from '../../../lib/time.ts'
import type { BucketSettings } from '../../../platform/backup-settings.server.ts'
import { createBucketStore } from './bucket-store.server.ts'

const MIB = 1024 * 1024
const key = { accessKeyId: 'AKIATEST', secretAccessKey: 'the/secret+key', region: 'eu-central-1' }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A bucket, and a store in one of its folders. Tries again at once. */
async function aBucket(
  change: Partial<BucketSettings> = {},
  { silenceMs = 60_000, signal }: { silenceMs?: number; signal?: AbortSignal } = {},
) {
  const s3 = await startS3({ ...key, bucket: 'backups' })
  closers.push(() => s3.close())
  const settings = {
    ...key,
    bucket: 'backups',
    prefix: 'shop/',
    endpoint: s3.endpoint,
    sessionToken: undefined,
    ...change,
  }
  const store = createBucketStore(settings, signal, { silenceMs, retryMs: 0 })
  return { s3, store, objects: s3.bucket.objects, uploads: s3.bucket.uploads }
}

async function* inChunks(bytes: Buffer, size = 1_000_003) {
  for (let from = 0; from < bytes.length; from += size) yield await Promise.resolve(bytes.subarray(from, from + size))
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

const sentenceOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it worked',
    (error: Error) => error.message,
  )

test.each([0, 1, 8 * MIB, 8 * MIB + 1, 21 * MIB])(
  '%i bytes are the same after writing and reading them',
  async (size) => {
    const { store, objects, uploads, s3 } = await aBucket()
    const bytes = randomBytes(size)
    await store.write('altocert-a.backup', inChunks(bytes))
    expect([...objects.keys()]).toEqual(['shop/altocert-a.backup'])
    expect(uploads.size).toBe(0)
    expect(await store.list()).toEqual([{ name: 'altocert-a.backup', bytes: size }])
    expect((await readAll(store.read('altocert-a.backup'))).equals(bytes)).toBe(true)
    expect(s3.operations.filter((one) => one === 'UploadPart')).toHaveLength(
      size > 8 * MIB ? Math.ceil(size / (8 * MIB)) : 0,
    )
    await store.delete('altocert-a.backup')
    await store.delete('altocert-a.backup')
    expect(objects.size).toBe(0)
  },
)

test('a bucket with more than a thousand objects is listed whole; those of others are left out', async () => {
  const { store, objects } = await aBucket()
  for (let at = 0; at < 2500; at++) objects.set(`shop/altocert-${at}`, Buffer.from('x'))
  for (const name of ['altocert-x', 'shop/notes', 'shop/altocert-old/x']) objects.set(name, Buffer.from('x'))
  expect(await store.list()).toHaveLength(2500)
})

test('an upload whose source fails in the middle leaves no object and no part', async () => {
  const { store, objects, uploads, s3 } = await aBucket()
  async function* failing() {
    yield* inChunks(randomBytes(17 * MIB))
    throw new Error('The database is away.')
  }
  expect(await sentenceOf(store.write('altocert-a.backup', failing()))).toBe('The database is away.')
  expect(s3.operations).toContain('UploadPart')
  expect([objects.size, uploads.size]).toEqual([0, 0])
})

test('what an upload of a killed process has left is deleted after a day; one that may be under way stays', async () => {
  const { store, uploads } = await aBucket()
  const [old, fresh] = [new Date(Date.now() - DAY_MS - 1000), new Date()]
  uploads.set('1', { key: 'shop/altocert-a.backup', startedAt: old, parts: new Map() })
  uploads.set('2', { key: 'shop/altocert-b.backup', startedAt: fresh, parts: new Map() })
  uploads.set('3', { key: 'shop/of-another', startedAt: old, parts: new Map() })
  expect(await store.list()).toEqual([])
  await store.deleteLeftovers()
  expect([...uploads.keys()]).toEqual(['2', '3'])
})

test('a key that may not list uploads does not prevent backups', async () => {
  const { store, s3 } = await aBucket()
  s3.failNext('ListMultipartUploads', { status: 403, code: 'AccessDenied' })
  expect(await sentenceOf(store.deleteLeftovers())).toBe('it worked')
})

test('errors of the service and lost connections are tried again, also when the answer to the last part or to the end is lost', async () => {
  const { store, objects, uploads, s3 } = await aBucket()
  const bytes = randomBytes(9 * MIB)
  s3.failNext('CreateMultipartUpload', { status: 503, code: 'SlowDown' }, 'cut before')
  s3.failNext('UploadPart', 'cut after', { status: 500, code: 'InternalError' })
  s3.failNext('CompleteMultipartUpload', 'cut after')
  await store.write('altocert-a.backup', inChunks(bytes))
  expect(objects.get('shop/altocert-a.backup')?.equals(bytes)).toBe(true)
  expect(uploads.size).toBe(0)
  s3.failNext('CompleteMultipartUpload', 'late error')
  await store.write('altocert-b.backup', inChunks(bytes))
  expect(objects.get('shop/altocert-b.backup')?.equals(bytes)).toBe(true)
})

test('a download whose connection is lost again and again goes on where it was', async () => {
  const { store, s3 } = await aBucket()
  const bytes = randomBytes(6 * MIB)
  await store.write('altocert-a.backup', inChunks(bytes))
  s3.failNext('GetObject', 'cut body', 'cut body', 'cut body', 'cut body')
  expect((await readAll(store.read('altocert-a.backup'))).equals(bytes)).toBe(true)
})

test.each([
  [{ accessKeyId: 'AKIAOTHER' }, 'the service does not know AWS_ACCESS_KEY_ID'],
  [{ secretAccessKey: 'another' }, 'AWS_SECRET_ACCESS_KEY is not the secret of AWS_ACCESS_KEY_ID'],
  [{ sessionToken: 'of another time' }, 'AWS_SESSION_TOKEN is not valid'],
  [{ region: 'us-east-1' }, 'the bucket is in another region than BACKUP_S3_REGION says'],
  [{ bucket: 'other' }, 'there is no such bucket'],
])('a wrong setting %j is refused with its reason, at once', async (change, reason) => {
  const { store, s3 } = await aBucket(change)
  const place = `s3://${'bucket' in change ? 'other' : 'backups'}/shop/ at ${new URL(s3.endpoint).host}`
  for (const work of [() => store.write('altocert-a', inChunks(Buffer.from('x'))), () => store.list()])
    expect(await sentenceOf(work())).toBe(`The bucket ${place} refused: ${reason}.`)
  expect(s3.operations).toEqual(['PutObject', 'ListObjectsV2'])
  expect(s3.bucket.objects.size).toBe(0)
})

test('a bucket that is full says so, and keeps nothing of the backup', async () => {
  const { store, s3, objects, uploads } = await aBucket()
  s3.bucket.quotaBytes = 12 * MIB
  const writing = store.write('altocert-a.backup', inChunks(randomBytes(17 * MIB)))
  expect(await sentenceOf(writing)).toMatch(/ refused: it is full\.$/)
  expect([objects.size, uploads.size]).toEqual([0, 0])
})

test('a service that is not there, one that is silent, and one that ends each connection are told apart', async () => {
  const closed = await aBucket()
  await closed.s3.close()
  expect(await sentenceOf(closed.store.list())).toMatch(/ at 127\.0\.0\.1:\d+ is away: nothing listens there\.$/)
  const silent = await aBucket({}, { silenceMs: 200 })
  silent.s3.failNext('ListObjectsV2', 'silence', 'silence', 'silence')
  expect(await sentenceOf(silent.store.list())).toMatch(/ did not answer within 1 second\.$/)
  const cutting = await aBucket()
  cutting.s3.failNext('ListObjectsV2', 'cut before', 'cut before', 'cut before')
  expect(await sentenceOf(cutting.store.list())).toMatch(/ is away: the connection was lost\.$/)
  const wrong = await aBucket()
  wrong.s3.failNext('ListObjectsV2', ...Array.from({ length: 3 }, () => ({ status: 500, code: 'InternalError' })))
  expect(await sentenceOf(wrong.store.list())).toMatch(/ refused: the service answered 500 InternalError\.$/)
})

/** Time passes when the test says so, not when the machine is busy. */
function standTimersStill() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}

test('an upload that is slow goes on as long as anything moves, however long it takes', async () => {
  const silenceMs = 100_000
  standTimersStill()
  const begun = vi.spyOn(globalThis, 'setTimeout')
  const { store, s3, objects } = await aBucket({}, { silenceMs })
  const startedAt = performance.now()
  let seen = 0
  /** Each time the upload has gone on, nothing moves for nearly as long as may be. */
  async function* slowly(body: AsyncIterable<Buffer>) {
    for await (const chunk of body) {
      yield chunk
      const times = begun.mock.calls.filter(([, milliseconds]) => milliseconds === silenceMs).length
      if (times > seen) vi.advanceTimersByTime(0.9 * silenceMs)
      seen = times
    }
    // What the system held when the last was handed over takes as long again.
    vi.advanceTimersByTime(Math.max(...begun.mock.calls.map(([, milliseconds = 0]) => milliseconds)) - silenceMs)
  }
  s3.failNext('UploadPart', { read: slowly })
  const bytes = randomBytes(9 * MIB)
  await store.write('altocert-a.backup', inChunks(bytes))
  expect(performance.now() - startedAt).toBeGreaterThan(2 * silenceMs)
  expect(s3.operations.filter((one) => one === 'UploadPart')).toHaveLength(2)
  expect(objects.get('shop/altocert-a.backup')?.equals(bytes)).toBe(true)
})

test('an upload of which nothing more is taken ends with a sentence, and is tried again first', async () => {
  const silenceMs = 100_000
  standTimersStill()
  const { store, s3, objects, uploads } = await aBucket({}, { silenceMs })
  let tries = 0
  async function* standingStill(body: AsyncIterable<Buffer>) {
    tries += 1
    for await (const chunk of body) {
      yield chunk
      vi.advanceTimersByTime(silenceMs)
      await new Promise(() => {})
    }
  }
  s3.failNext('UploadPart', ...Array.from({ length: 3 }, () => ({ read: standingStill })))
  expect(await sentenceOf(store.write('altocert-a.backup', inChunks(randomBytes(9 * MIB))))).toMatch(
    / took no more of an upload within 100 seconds\.$/,
  )
  expect(tries).toBe(3)
  expect([objects.size, uploads.size]).toEqual([0, 0])
})

test('a stop ends a request that is under way', async () => {
  const stopping = new AbortController()
  const { store, s3 } = await aBucket({}, { signal: stopping.signal })
  s3.failNext('PutObject', 'silence')
  const writing = sentenceOf(store.write('altocert-a', inChunks(Buffer.from('x'))))
  await expect.poll(() => s3.operations).toEqual(['PutObject'])
  stopping.abort()
  expect(await writing).toMatch(/abort/)
})

test('the emulator refuses a request that was changed on its way', async () => {
  const { s3, store } = await aBucket()
  await store.write('altocert-a', inChunks(Buffer.from('x')))
  const { AwsV4Signer } = await import('aws4fetch')
  const hash = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'
  const sign = () =>
    new AwsV4Signer({
      ...key,
      service: 's3',
      method: 'PUT',
      url: `${s3.endpoint}/backups/b`,
      headers: { 'x-amz-content-sha256': hash },
    }).sign()
  const { url, headers } = await sign()
  const put = async (target: string, body: string) => (await fetch(target, { method: 'PUT', headers, body })).text()
  expect(await put(`${s3.endpoint}/backups/other`, 'x')).toContain('SignatureDoesNotMatch')
  expect(await put(`${url.href}?acl=`, 'x')).toContain('SignatureDoesNotMatch')
  expect(await put(url.href, 'y')).toContain('XAmzContentSHA256Mismatch')
  expect(await put(url.href, 'x')).toBe('')
  headers.set('x-amz-date', '20200101T000000Z')
  expect(await put(url.href, 'x')).toContain('RequestTimeTooSkewed')
})
