import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { isUuid } from '../../../lib/ids.ts'
import { copy } from './sessions.copy.ts'

/** An open session as its owner sees it. */
export const SessionEntry = z.object({
  id: z.string(),
  /** Such as 'Firefox on Windows'; null when unknown. */
  device: z.string().nullable(),
  networkAddress: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  isCurrent: z.boolean(),
})
export type SessionEntry = z.infer<typeof SessionEntry>

export const SessionList = z.object({ sessions: z.array(SessionEntry) })
export const SessionPath = z.object({ sessionId: z.string().refine(isUuid) })
export const EndedSessions = z.object({ ended: z.int() })

export const fail = failureTable({
  'session.ended': { status: 404, kind: 'authentication', sentence: copy['sessions.ended'] },
})
