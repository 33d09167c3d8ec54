import { z } from 'zod'

/** A change of the catalogue as everybody may hear it: which row, never what is in it. */
export const CatalogueChange = z.object({
  table: z.enum(['courses', 'test_questions']),
  op: z.enum(['insert', 'update', 'delete']),
  id: z.string(),
  course_id: z.string(),
  row_version: z.number(),
})
export type CatalogueChange = z.infer<typeof CatalogueChange>

/** A change with its place in the order of the commits. */
export type NumberedChange = {
  readonly number: number
  /** Whether guests can see the row, before or after. */
  readonly isPublic: boolean
  readonly change: CatalogueChange
}

/** What a page's `handle` says when it wants to be refreshed by changes of the catalogue. */
export type LiveHandle = {
  /** The courses that the page shows, out of its loader's data; null: whatever changes concerns it. */
  readonly live: (data: unknown) => { readonly courseIds: readonly string[] | null; readonly courses: number }
}
