import { check } from './check.server.ts'
import type { Verb } from './verb.server.ts'

/** Every verb by its name, in the order in which help lists them. */
export const verbs: ReadonlyMap<string, Verb> = new Map([['check', check]])
