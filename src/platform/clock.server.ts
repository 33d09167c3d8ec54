/** The only source of the present instant on the server. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
