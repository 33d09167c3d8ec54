import { z } from 'zod'
import { wordLost } from './formats.copy.ts'

/** Facts of a file for which the bank has no field. */
const LOST_CODES = [
  'field',
  'column',
  'name',
  'tag',
  'script',
  'markup',
  'table',
  'link',
  'credit',
  'weights',
  'shuffle',
  'card',
] as const
export type LostCode = (typeof LOST_CODES)[number]

export const LostPart = z.object({ code: z.enum(LOST_CODES), facts: z.array(z.string()) })
export type LostPart = z.infer<typeof LostPart>

export function lostPart(code: LostCode, ...facts: string[]): LostPart {
  return { code, facts }
}

/** Without the repetitions. */
export function distinctParts(parts: readonly LostPart[]): LostPart[] {
  return [...new Map(parts.map((part) => [wordLost(part), part])).values()]
}
