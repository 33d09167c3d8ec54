import { z } from 'zod'

/** What every page knows of the installation. */
export const SiteFacts = z.object({
  appUrl: z.string(),
  brandName: z.string(),
  brandShort: z.string(),
  /** The stand-ins that serve, by name; empty in production. */
  emulators: z.array(z.enum(['payment', 'mail', 'google'])),
})
export type SiteFacts = z.infer<typeof SiteFacts>

/** One call of the API, as its page shows it. `body` and `reply` are JSON Schema as text. */
export type ApiCall = {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly who: 'anyone' | 'signed-in' | 'admin'
  readonly about: string
  readonly isTagged: boolean
  readonly parameters: readonly { readonly name: string; readonly place: string; readonly isRequired: boolean }[]
  readonly body: string | null
  readonly reply: string
}
