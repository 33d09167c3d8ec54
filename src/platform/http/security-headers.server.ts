import { createHash } from 'node:crypto'

/** Headers of every reply. */
export function baseHeaders(options: { isHttps: boolean; withSubdomains: boolean }): Record<string, string> {
  const hsts = `max-age=31536000${options.withSubdomains ? '; includeSubDomains' : ''}`
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'x-frame-options': 'DENY',
    ...(options.isHttps ? { 'strict-transport-security': hsts } : {}),
  }
}

/** The value of Clear-Site-Data: copies of pages go; the cart, the theme and unsent answers are in the storage and stay. */
export const CLEARED_AT_SIGN_OUT = '"cache"'

type Allowed = {
  readonly scriptHashes: readonly string[]
  readonly styleHashes: readonly string[]
  /** The origin of the payment page, to which forms redirect: browsers hold redirects of a form to the policy, too. */
  readonly paymentPage: string
}

/** Allows no inline script and no inline style sheet except those with these hashes. */
export function contentSecurityPolicy({ scriptHashes, styleHashes, paymentPage }: Allowed): string {
  const allow = (hashes: readonly string[]) => ["'self'", ...hashes.map((hash) => `'${hash}'`)].join(' ')
  return [
    "default-src 'self'",
    `script-src ${allow(scriptHashes)}`,
    `style-src ${allow(styleHashes)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self' ${paymentPage}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Replaces the nonce of our own inline scripts by hashes, so that the page can be cached. A script without the nonce gets no hash
 * and never runs.
 */
export function hashInlineScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const hashes: string[] = []
  const pattern = new RegExp(`<script([^>]*?) nonce="${nonce}"([^>]*)>([\\s\\S]*?)</script>`, 'g')
  const clean = html.replaceAll(pattern, (_whole, before: string, afterwards: string, code: string) => {
    if (code !== '') hashes.push(`sha256-${createHash('sha256').update(code).digest('base64')}`)
    return `<script${before}${afterwards}>${code}</script>`
  })
  return { html: clean.replaceAll(` nonce="${nonce}"`, ''), hashes: [...new Set(hashes)] }
}
