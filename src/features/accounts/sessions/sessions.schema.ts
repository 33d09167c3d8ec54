import { z } from 'zod'
import { copy } from '../accounts.copy.ts'
import { PASSWORD_MAX } from '../credentials.ts'

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

export const Confirmation = z.object({
  password: z.string(copy['login.invalid']).min(1, copy['login.invalid']).max(PASSWORD_MAX, copy['login.invalid']),
})
