import { clientOf } from '../../../platform/client.ts'
import type { picturesApi } from './api.server.ts'
import { PICTURE_MAX_BYTES } from './rules.ts'
import { fail, type PictureView } from './schema.ts'

const call = clientOf<typeof picturesApi>()

/** @throws Failure picture.size before anything is sent; CallFailed with the server's sentence */
export async function sendPicture(file: Blob): Promise<PictureView> {
  if (file.size > PICTURE_MAX_BYTES) throw fail('picture.size')
  return call('POST', '/api/pictures', { body: new Uint8Array(await file.arrayBuffer()) })
}
