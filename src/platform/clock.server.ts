/** The only source of the current time on the server. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
