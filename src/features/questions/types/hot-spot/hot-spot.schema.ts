import { z } from 'zod'
import { PartId, questionFields, reviewFields, takingFields } from '../question-base.schema.ts'
import { copy } from '../parts/answers.copy.ts'

export const MIN_AREAS = 2
export const MAX_AREAS = 20
/** The largest width and height of an image, in pixels of the areas' numbers. */
export const MAX_SIDE = 4000
const MAX_NUMBERS = 40

export const AREA_SHAPES = ['rect', 'circle', 'polygon'] as const
export type AreaShape = (typeof AREA_SHAPES)[number]

/**
 * A part of the image under a name. The numbers are pixels from the top left corner: left, top, right and bottom of a rectangle; x, y
 * and radius of a circle; x and y of each corner of a polygon.
 */
const shownArea = {
  id: PartId,
  text: z.string().min(1),
  shape: z.enum(AREA_SHAPES),
  numbers: z.array(z.number().min(0).max(MAX_SIDE)).min(3).max(MAX_NUMBERS),
}
const ShownArea = z.object(shownArea)
export type ShownArea = z.infer<typeof ShownArea>
export const Area = z.object({ ...shownArea, isRight: z.boolean() })
export type Area = z.infer<typeof Area>

const image = {
  /** A Markdown text that shows one image, described in words. */
  image: z.string().min(1),
  width: z.number().int().min(1).max(MAX_SIDE),
  height: z.number().int().min(1).max(MAX_SIDE),
}

/** An image with areas of which one or more are right. */
export const HotSpotQuestion = z.object({
  type: z.literal('hot-spot'),
  ...questionFields,
  ...image,
  areas: z.array(Area).min(MIN_AREAS).max(MAX_AREAS),
})
export type HotSpotQuestion = z.infer<typeof HotSpotQuestion>

export const HotSpotForTaking = z.object({
  type: z.literal('hot-spot'),
  ...takingFields,
  ...image,
  areas: z.array(ShownArea),
  /** How many areas are right. */
  choiceCount: z.number().int(),
})
export type HotSpotForTaking = z.infer<typeof HotSpotForTaking>

export const HotSpotForReview = HotSpotForTaking.extend({ ...reviewFields, rightAreaIds: z.array(z.string()) })
export type HotSpotForReview = z.infer<typeof HotSpotForReview>

/** Area ids as a set: sorted, each once, so that equal answers are equal arrays. */
const AreaIds = z
  .array(z.string().min(1).max(100))
  .max(MAX_AREAS, copy['answer.parts'])
  .transform((ids) => [...new Set(ids)].sort())

export const HotSpotAnswer = z.object({
  type: z.literal('hot-spot'),
  areaIds: AreaIds.refine((ids) => ids.length > 0),
})
export type HotSpotAnswer = z.infer<typeof HotSpotAnswer>

/** The areas in the order in which their names are listed. */
export const HotSpotShape = z.object({
  type: z.literal('hot-spot'),
  areaIds: z.array(z.string()),
  isMultiple: z.boolean(),
})
export type HotSpotShape = z.infer<typeof HotSpotShape>
