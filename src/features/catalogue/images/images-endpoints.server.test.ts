import { deflateSync, crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startApp } from '../../../../tests/support/start-app.ts'
import { anAdmin, aStudent } from '../../../../tests/support/users.ts'
import { findImageBytes } from './images-queries.server.ts'
import { IMAGE_MAX_BYTES, IMAGE_MAX_SIDE, imageKind } from './images.ts'
import type { ImageView } from './images.schema.ts'
import { storeImage, storeImageOfFile } from './images-commands.server.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const by = { actorId: admin.id, now: app.clock.now() }

const drawn = (width: number, height: number, background = '#3468c0') =>
  sharp({ create: { width, height, channels: 3, background } })

/** Sends a file as the editor does. */
async function send(bytes: Uint8Array, { browser } = admin) {
  const response = await fetch(`${app.url}/api/images`, {
    method: 'POST',
    headers: { origin: app.url, cookie: browser.cookies, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  return { status: response.status, body: (await response.json()) as ImageView & { error?: { message: string } } }
}

test('the first frame of an animated image is stored, and each uploader is told', async () => {
  const frames = await Promise.all(['#ff0000', '#0000ff'].map((colour) => drawn(8, 8, colour).raw().toBuffer()))
  const moving = await sharp(Buffer.concat(frames), { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
    .gif({ delay: [100, 100] })
    .toBuffer()
  for (let time = 0; time < 2; time++) expect((await send(moving)).body).toMatchObject({ height: 8, isStill: false })
  const still = await drawn(8, 8, '#00ff00').gif().toBuffer()
  expect((await send(still)).body).toMatchObject({ height: 8, isStill: true })
})

test('everybody can read an image at its address, as an image that never changes', async () => {
  const { status, body } = await send(await drawn(40, 20).png().toBuffer())
  expect({ status, width: body.width, height: body.height }).toEqual({ status: 200, width: 40, height: 20 })
  expect(body.address).toBe(`/pictures/${body.id}.webp`)
  const shown = await fetch(app.url + body.address)
  expect(shown.status).toBe(200)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).toMatchObject({ format: 'webp', width: 40 })
})

test.each(['png', 'jpeg', 'webp', 'gif'] as const)('a %s file is a picture', async (format) => {
  const bytes = await drawn(12, 9, '#808080').toFormat(format).toBuffer()
  expect(imageKind(bytes)).toBe(format)
  expect(await storeImage(db, bytes, by)).toMatchObject({ width: 12, height: 9 })
})

test('the same file has one address and one row, however often it is sent', async () => {
  const bytes = await drawn(33, 33, '#123456').png().toBuffer()
  const first = await storeImage(db, bytes, by)
  expect(await storeImage(db, bytes, by)).toEqual(first)
  // Other bytes of the same image.
  const again = await sharp(bytes).png({ compressionLevel: 0 }).toBuffer()
  expect(await storeImage(db, again, by)).toEqual(first)
  const { count } = await db
    .selectFrom('images')
    .where('id', '=', first.id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

test('a photo is stored upright, within the size limit, without place and camera', async () => {
  const photo = await drawn(2400, 1200)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Copyright: 'SECRET-PLACE' } })
    .toBuffer()
  expect(photo.includes('SECRET-PLACE')).toBe(true)
  const { id, width, height } = await storeImage(db, photo, by)
  expect({ width, height }).toEqual({ width: IMAGE_MAX_SIDE / 2, height: IMAGE_MAX_SIDE })
  const { bytes } = (await findImageBytes(db, id))!
  expect(bytes.includes('SECRET-PLACE')).toBe(false)
  expect((await sharp(bytes).metadata()).exif).toBeUndefined()
})

test('bytes after the end of an image are not stored', async () => {
  const polyglot = Buffer.concat([await drawn(5, 5).png().toBuffer(), Buffer.from('<script>alert(1)</script>')])
  const { id } = await storeImage(db, polyglot, by)
  expect((await findImageBytes(db, id))!.bytes.includes('<script>')).toBe(false)
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
test.each([
  ['SVG', Buffer.from(svg)],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['nothing', Buffer.alloc(0)],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['a TIFF', Buffer.from('II*\0\0\0\0\0', 'latin1')],
])('%s is no picture, whatever it says', async (_what, bytes) => {
  expect(await send(bytes)).toMatchObject({
    status: 400,
    body: { error: { message: 'This file is not an accepted image. Use a PNG, JPEG, WebP or GIF file.' } },
  })
})

test('an SVG file that comes with questions is rewritten, and served so that nothing in it could run', async () => {
  const file = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><!-- x --><rect width="4"/></svg>',
  )
  const { address, ...image } = await storeImageOfFile(db, file, by)
  expect(image).toMatchObject({ width: 40, height: 20, isStill: true })
  expect(await storeImageOfFile(db, file, by)).toMatchObject({ address })
  const shown = await fetch(app.url + address)
  expect([shown.status, await shown.text()]).toEqual([
    200,
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20"><rect width="4"/></svg>\n',
  ])
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  })
  await expect(storeImageOfFile(db, Buffer.from(svg), by)).rejects.toMatchObject({ code: 'picture.drawing' })
})

test('a damaged image is refused and not stored', async () => {
  const whole = await sharp({
    create: { width: 200, height: 200, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 9, sigma: 9 } },
  })
    .png()
    .toBuffer()
  expect(await send(whole.subarray(0, whole.byteLength / 2))).toMatchObject({
    status: 400,
    body: { error: { message: 'This image is damaged and could not be read.' } },
  })
})

test('a small file that would decode to billions of pixels is refused by its header', async () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.byteLength, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(60_000, 0)
  header.writeUInt32BE(60_000, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const bomb = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  expect(await send(bomb)).toMatchObject({
    status: 400,
    body: { error: { message: 'An image can have at most 24 million pixels. Make it smaller first.' } },
  })
})

test('a file above 5 MB is refused', async () => {
  expect(await send(Buffer.alloc(IMAGE_MAX_BYTES + 1))).toMatchObject({
    status: 413,
    body: { error: { message: 'An image can have at most 5 MB.' } },
  })
})

test('an unknown address is not found', async () => {
  for (const file of ['x', 'x.webp', `${'0'.repeat(64)}.webp`, `${'0'.repeat(64)}.png`, '%00', '%ff', "'--"])
    expect((await app.visitor().get(`/pictures/${file}`)).status).toBe(404)
})

test('only admins can store images', async () => {
  const png = await drawn(3, 3).png().toBuffer()
  expect((await send(png, await aStudent(app))).status).toBe(403)
  expect((await send(png, { ...admin, browser: app.visitor() })).status).toBe(401)
})
