/** When a pack came to the device, by both clocks, and the latest instant that the device has seen since. */
export type PackClock = { readonly serverMs: number; readonly deviceMs: number; readonly seenMs: number }

/**
 * What time it is for a pack: the server's time when it was packed, and what has gone by on the device since. A clock that
 * is set back gains nothing, because time never goes behind what was seen; one that is set forward ends the pack early.
 */
export function packTime(clock: PackClock, deviceNowMs: number): number {
  return Math.max(clock.seenMs, clock.serverMs, clock.serverMs + (deviceNowMs - clock.deviceMs))
}
