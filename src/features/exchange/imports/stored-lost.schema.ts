import { z } from 'zod'
import { fill } from '../../../lib/failure.ts'
import { copy as imageCopy } from '../../catalogue/images/images.copy.ts'
import { wordLost } from '../../questions/formats/formats.copy.ts'
import { LostPart } from '../../questions/formats/lost-parts.schema.ts'
import { copy } from './imports.copy.ts'

/** The title of the case study that shows the image; without it the question does. */
const caseStudy = z.string().optional()

const LostImage = z.discriminatedUnion('code', [
  z.object({ code: z.literal('image-animated'), name: z.string(), caseStudy }),
  z.object({ code: z.literal('image-refused'), name: z.string(), failure: z.string(), caseStudy }),
])
export type LostImage = z.infer<typeof LostImage>

/** A part that the bank cannot hold, in words. It is stored as a code with facts; earlier builds stored the sentence. */
export const StoredLost = z.union([z.string(), LostPart.transform(wordLost), LostImage.transform(wordImage)])

function wordImage(lost: LostImage): string {
  const said = wordImageItself(lost)
  return lost.caseStudy === undefined
    ? said
    : fill(copy['import.picture-of-case-study'], { title: lost.caseStudy, said })
}

function wordImageItself(lost: LostImage): string {
  if (lost.code === 'image-animated') return fill(copy['import.picture-moves'], { name: lost.name })
  const sentences: Readonly<Record<string, string>> = imageCopy
  return fill(copy['import.picture-left'], { name: lost.name, why: sentences[lost.failure] ?? lost.failure })
}
