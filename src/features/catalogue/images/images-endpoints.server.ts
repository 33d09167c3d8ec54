import { z } from 'zod'
import { requireAdmin } from '../../../platform/http/request-context.server.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { copy } from './images.copy.ts'
import { findImageBytes } from './images-queries.server.ts'
import { IMAGE_MAX_BYTES } from './images.ts'
import { fail, ImagePath, ImageView } from './images.schema.ts'
import { storeImage } from './images-commands.server.ts'

export function imagesApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/images',
      formerPaths: ['/api/pictures'],
      who: 'admin',
      about: 'Keeps a picture (PNG, JPEG, WebP or GIF, at most 5 MB), redrawn, and says its address.',
      body: z.custom<Uint8Array<ArrayBuffer>>(),
      bodyType: 'image/*',
      bodyLimitBytes: IMAGE_MAX_BYTES,
      bodyLimitSentence: copy['picture.size'],
      reply: ImageView,
      handle: ({ body }, context) =>
        storeImage(context.db, body, { actorId: requireAdmin(context).id, now: context.clock.now() }),
    }),
    endpoint({
      method: 'GET',
      path: '/pictures/:file',
      // Guests too: free exams have pictures. The address is a hash of the picture: who knows it has seen it.
      who: 'anyone',
      about: 'A picture of a question. What an address shows never changes.',
      params: ImagePath,
      reply: z.custom<Uint8Array>(),
      replyType: 'image/webp',
      async handle({ params }, { db }) {
        const found = await findImageBytes(db, params.file.slice(0, 64))
        if (found === null) throw fail('picture.missing')
        return new Response(new Uint8Array(found.bytes), {
          headers: {
            'content-type': found.contentType,
            'content-length': String(found.bytes.byteLength),
            'cache-control': 'public, max-age=31536000, immutable',
          },
        })
      },
    }),
  ]
}
