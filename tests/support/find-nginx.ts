import { existsSync } from 'node:fs'

/** The path of the system's nginx; null when there is none. */
export function findNginx(): string | null {
  return (
    ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync) ?? null
  )
}
