import { z } from 'zod'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { copy } from './images.copy.ts'
import { findImageBytes } from './images-queries.server.ts'
import { IMAGE_MAX_BYTES } from './images.ts'
import { fail, ImagePath, ImageView } from './images.schema.ts'
import { storeImage } from './images-commands.server.ts'

/** For an SVG file that is opened as a page of its own: its style applies, and nothing runs or loads. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

export function imagesApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/images',
      formerPaths: ['/api/pictures'],
      who: 'admin',
      about: 'Re-encodes and stores an image (PNG, JPEG, WebP or GIF, at most 5 MB) and returns its address.',
      body: z.custom<Uint8Array<ArrayBuffer>>(),
      bodyType: 'image/*',
      bodyLimitBytes: IMAGE_MAX_BYTES,
      bodyLimitSentence: copy['picture.size'],
      reply: ImageView,
      handle: ({ body }, context) => storeImage(context.db, body, actionBy(context)),
    }),
    endpoint({
      method: 'GET',
      path: '/pictures/:file',
      // Free exams have images, so guests may read them. An address is a hash and cannot be guessed.
      who: 'anyone',
      about: 'Returns an image of a question. The image at an address never changes.',
      params: ImagePath,
      reply: z.custom<Uint8Array>(),
      replyType: 'image/webp',
      async handle({ params }, { db }) {
        const image = await findImageBytes(db, params.file.slice(0, 64))
        if (image === null) throw fail('picture.missing')
        return new Response(new Uint8Array(image.bytes), {
          headers: {
            'content-type': image.contentType,
            'content-length': String(image.bytes.byteLength),
            ...(image.contentType === 'image/svg+xml' ? { 'content-security-policy': DRAWING_POLICY } : {}),
            'cache-control': 'public, max-age=31536000, immutable',
          },
        })
      },
    }),
  ]
}
