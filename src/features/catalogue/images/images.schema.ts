import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { copy } from './images.copy.ts'

/** A stored image and its address, for Markdown: `![description](address)`. */
export const ImageView = z.object({
  id: z.string(),
  address: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  isStill: z.boolean().describe('False: the file is animated, and its first frame was stored.'),
})
export type ImageView = z.infer<typeof ImageView>

export const ImagePath = z.object({ file: z.string().regex(/^[0-9a-f]{64}\.(?:webp|svg)$/) })

export const fail = failureTable({
  'picture.kind': { status: 400, kind: 'validation', sentence: copy['picture.kind'] },
  'picture.size': { status: 413, kind: 'validation', sentence: copy['picture.size'] },
  'picture.points': { status: 400, kind: 'validation', sentence: copy['picture.points'] },
  'picture.broken': { status: 400, kind: 'validation', sentence: copy['picture.broken'] },
  'picture.drawing': { status: 400, kind: 'validation', sentence: copy['picture.drawing'] },
  'picture.missing': { status: 404, kind: 'database', sentence: copy['picture.missing'] },
})
