import { z } from 'zod'
import { isUuid } from '../../lib/ids.ts'
import { isPageInstant } from '../../lib/paging.ts'

/** The entry after which the next page begins, newest first. With microseconds, as in the database. */
const Cursor = z.string().transform((text, issues) => {
  const [at = '', id = ''] = text.split('~')
  if (isPageInstant(at) && /^\d{1,15}$/.test(id)) return { at, id: Number(id) }
  issues.addIssue({ code: 'custom', message: 'must be the end of a page' })
  return z.NEVER
})

const Name = z
  .string()
  .trim()
  .max(100)
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .catch(null)
const Day = z.iso.date().nullable().catch(null)

/** The filters in the address of the log; invalid values are ignored. */
export const AuditFilter = z.object({
  /** A user's id, or 'shell' for actions on the command line and by deleted accounts. */
  actor: z
    .string()
    .refine((text) => text === 'shell' || isUuid(text))
    .nullable()
    .catch(null),
  action: Name,
  /** The table of the changed row. */
  table: Name,
  /** The id of the changed row, or its beginning. */
  subject: Name,
  from: Day,
  to: Day,
  kind: z.enum(['changes', 'all']).catch('changes'),
  after: Cursor.nullable().catch(null),
})
export type AuditFilter = z.output<typeof AuditFilter>

/** An entry of the audit log as admins read it. */
export const AuditEntry = z.object({
  id: z.number().int(),
  at: z.string(),
  /** The email address; null for the command line and for deleted accounts. */
  actor: z.string().nullable(),
  action: z.string(),
  table: z.string(),
  subjectId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
