import { z } from 'zod'

/** A change of the catalogue as it is sent to browsers: names the row and holds no content. */
export const CatalogueChange = z.object({
  table: z.enum(['courses', 'test_questions']),
  op: z.enum(['insert', 'update', 'delete']),
  id: z.string(),
  course_id: z.string(),
  row_version: z.number(),
})
export type CatalogueChange = z.infer<typeof CatalogueChange>

/** A change of a row that belongs to one user, sent to that user's streams only: names the row and holds no content. */
export const OwnChange = z.object({ table: z.enum(['attempts']), id: z.string() })
export type OwnChange = z.infer<typeof OwnChange>

/** A change with its number in commit order. */
export type NumberedChange = {
  readonly number: number
  /** Whether guests can see the row, before or after. */
  readonly isPublic: boolean
  readonly change: CatalogueChange
}

/** The `handle` of a page that changes of the catalogue refresh. */
export type LiveHandle = {
  /** The courses on the page, from its loader's data; `courseIds` is null when every change concerns it. */
  readonly live: (data: unknown) => { readonly courseIds: readonly string[] | null; readonly courses: number }
}
