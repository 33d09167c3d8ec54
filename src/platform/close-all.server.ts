import type { Log } from './log.server.ts'

/** Closes one after the other. What fails is logged, and the others are closed all the same. */
export async function closeAll(closers: readonly (() => Promise<void> | void)[], log: Log): Promise<void> {
  for (const close of closers)
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'a part of the server failed to close')
    }
}
