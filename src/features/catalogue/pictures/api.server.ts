import { z } from 'zod'
import { requireAdmin } from '../../../platform/context.server.ts'
import { endpoint } from '../../../platform/endpoint.server.ts'
import { copy } from './copy.ts'
import { findPictureBytes } from './read.server.ts'
import { PICTURE_MAX_BYTES } from './rules.ts'
import { fail, PicturePath, PictureView } from './schema.ts'
import { keepPicture } from './write.server.ts'

export function picturesApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/pictures',
      who: 'admin',
      about: 'Keeps a picture (PNG, JPEG, WebP or GIF, at most 5 MB), redrawn, and says its address.',
      body: z.custom<Uint8Array<ArrayBuffer>>(),
      bodyType: 'image/*',
      bodyLimitBytes: PICTURE_MAX_BYTES,
      bodyLimitSentence: copy['picture.size'],
      reply: PictureView,
      handle: ({ body }, context) =>
        keepPicture(context.db, body, { actorId: requireAdmin(context).id, now: context.clock.now() }),
    }),
    endpoint({
      method: 'GET',
      path: '/pictures/:file',
      // Guests too: free exams have pictures. The address is a hash of the picture: who knows it has seen it.
      who: 'anyone',
      about: 'A picture of a question. What an address shows never changes.',
      params: PicturePath,
      reply: z.custom<Uint8Array>(),
      replyType: 'image/webp',
      async handle({ params }, { db }) {
        const found = await findPictureBytes(db, params.file.slice(0, 64))
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
