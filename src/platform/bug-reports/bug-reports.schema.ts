import { z } from 'zod'

/** What a person's browser saw when a page broke, and no more: nothing that they typed. */
export const BugReport = z.object({
  errorId: z.string().min(1).max(100),
  message: z.string().max(2000),
  stack: z.string().max(8000),
  path: z.string().max(500),
  /** The codes of the latest failures of signing in, newest last. */
  authCodes: z.array(z.string().max(100)).max(10),
})
export type BugReport = z.infer<typeof BugReport>

export const BugReported = z.object({ done: z.literal(true) })
