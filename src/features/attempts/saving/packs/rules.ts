type Times = { readonly startedAt: Date; readonly finishedAt: Date }

/** The times that a device says, as far as they can be true: its clock may be set to anything. */
export function timesWithin(said: Times, { from, until }: { readonly from: Date; readonly until: Date }): Times {
  const bounded = (at: Date) => (at < from ? from : at > until ? until : at)
  const finishedAt = bounded(said.finishedAt)
  const startedAt = bounded(said.startedAt)
  return { startedAt: startedAt < finishedAt ? startedAt : finishedAt, finishedAt }
}

/** When a pack came to the device, by both clocks, and the latest instant that the device has seen since. */
export type PackClock = { readonly serverMs: number; readonly deviceMs: number; readonly seenMs: number }

/**
 * What time it is for a pack: the server's time when it was packed, and what has gone by on the device since. A clock that
 * is set back gains nothing, because time never goes behind what was seen; one that is set forward ends the pack early.
 */
export function packTime(clock: PackClock, deviceNowMs: number): number {
  return Math.max(clock.seenMs, clock.serverMs, clock.serverMs + (deviceNowMs - clock.deviceMs))
}
