import { clientOf } from '../../../platform/api-client.ts'
import type { imagesApi } from './images-endpoints.server.ts'
import { IMAGE_MAX_BYTES } from './images.ts'
import { fail, type ImageView } from './images.schema.ts'

const call = clientOf<typeof imagesApi>()

/** @throws Failure picture.size before anything is sent; CallFailed with the server's sentence */
export async function sendImage(file: Blob): Promise<ImageView> {
  if (file.size > IMAGE_MAX_BYTES) throw fail('picture.size')
  return call('POST', '/api/images', { body: new Uint8Array(await file.arrayBuffer()) })
}
