import { z } from 'zod'

/** What every page knows of the installation. */
export const SiteFacts = z.object({
  appUrl: z.string(),
  brandName: z.string(),
  brandShort: z.string(),
  /** The stand-ins that serve, by name; empty in production. */
  standIns: z.array(z.enum(['payment', 'mail', 'google'])),
})
export type SiteFacts = z.infer<typeof SiteFacts>
