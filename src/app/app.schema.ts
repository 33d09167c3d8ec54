import { z } from 'zod'

/** Facts about the installation that every page has. */
export const SiteFacts = z.object({
  appUrl: z.string(),
  brandName: z.string(),
  brandShort: z.string(),
  /** The emulators that run; empty in production. */
  emulators: z.array(z.enum(['payment', 'mail', 'google'])),
})
export type SiteFacts = z.infer<typeof SiteFacts>

/** An API call as the documentation page shows it. `body` and `reply` are JSON Schemas as text. */
export type ApiCall = {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly who: 'anyone' | 'signed-in' | 'admin'
  readonly about: string
  readonly isTagged: boolean
  /** The limit in words; null without one. */
  readonly limit: string | null
  readonly parameters: readonly { readonly name: string; readonly place: string; readonly isRequired: boolean }[]
  readonly body: string | null
  readonly reply: string
}
