import { z } from 'zod'

/** The error of a page that broke. It must not contain anything that the user typed. */
export const BugReport = z.object({
  errorId: z.string().min(1).max(100),
  message: z.string().max(2000),
  stack: z.string().max(8000),
  path: z.string().max(500),
  /** Codes of the latest sign-in failures, newest last. */
  authCodes: z.array(z.string().max(100)).max(10),
})
export type BugReport = z.infer<typeof BugReport>

export const BugReported = z.object({ done: z.literal(true) })
