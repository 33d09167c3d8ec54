import { z } from 'zod'
import { EditFlag, EditText, editedFields, editFields } from '../question-edit-base.schema.ts'
import { PartId } from '../question-base.schema.ts'
import { EditedRow, EditRow } from '../parts/row-editing.ts'
import { copy } from './hot-spot-edit.copy.ts'
import { AREA_SHAPES, MAX_AREAS } from './hot-spot.schema.ts'

const area = {
  shape: z.enum(AREA_SHAPES, copy['area.shape']),
  /** As they are typed: `10, 20, 110, 80`. */
  numbers: EditText,
}

/** A hot spot from a form. */
export const HotSpotEdit = z.object({
  type: z.literal('hot-spot'),
  ...editFields,
  image: EditText,
  width: EditText,
  height: EditText,
  areas: z.array(EditRow.extend({ ...area, isRight: EditFlag }), copy['areas.list']).max(MAX_AREAS, copy['areas.many']),
})
export type HotSpotEdit = z.infer<typeof HotSpotEdit>

export const EditedArea = EditedRow.extend({ shape: z.enum(AREA_SHAPES), numbers: z.string(), isRight: z.boolean() })
export type EditedArea = z.infer<typeof EditedArea>

/** A hot spot in the form of the editor. */
export const EditedHotSpot = z.object({
  type: z.literal('hot-spot'),
  ...editedFields,
  image: z.string(),
  width: z.string(),
  height: z.string(),
  areas: z.array(EditedArea).readonly(),
})
export type EditedHotSpot = z.infer<typeof EditedHotSpot>

/** The areas that become the right ones, as a set. */
export const HotSpotKey = z.object({
  type: z.literal('hot-spot'),
  areaIds: z
    .array(PartId, copy['key.none'])
    .min(1, copy['key.none'])
    .max(MAX_AREAS, copy['key.unknown'])
    .transform((ids) => [...new Set(ids)].sort()),
})
