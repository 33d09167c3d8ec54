import type { Env } from '../../platform/env.server.ts'

/** Where operators of other services reach ours: mailto: or https:. */
export function contactOf({ securityContact }: Env, mail: { readonly from: string }): string {
  return securityContact ?? `mailto:${addressOf(mail.from)}`
}

/** The bare address of a sender such as 'Altocert <hello@example.com>'. */
function addressOf(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim()
}
