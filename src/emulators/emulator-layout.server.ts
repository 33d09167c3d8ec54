import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { stylesheet } from './emulator-style.server.ts'

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

export const STYLESHEET_PATH = '/stand-ins.css'

/** The one frame of all stand-in pages: no script, no inline style. */
export function emulatorPage(page: {
  title: string
  /** Which stand-in speaks, such as 'Test gateway'. */
  speaker: string
  /** Said at the top, so that nobody takes the page for the real thing. */
  notice: string
  stylesheet: string
  body: Markup
}): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${page.stylesheet}" />
      </head>
      <body>
        <header class="band"><strong>${page.speaker}</strong> <span>${page.notice}</span></header>
        <main>${page.body}</main>
      </body>
    </html>`
}

/**
 * The headers of a stand-in page. A form's answer may redirect to `formTargets`, because browsers hold the redirect
 * after a form to `form-action` as well.
 */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  const targets = ["'self'", ...new Set(formTargets.map((address) => new URL(address).origin))]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      'img-src data:',
      `form-action ${targets.join(' ')}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    // Not 'no-referrer': browsers would then send `Origin: null` with the forms, and the Origin check would refuse them.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
}

export async function replyPage(
  c: Context,
  page: Markup,
  options: { status?: 200 | 400 | 404; formTargets?: readonly string[] } = {},
): Promise<Response> {
  return c.body(String(await page), options.status ?? 200, pageHeaders(options.formTargets))
}

export function serveStylesheet(pages: Hono): void {
  pages.get(STYLESHEET_PATH, (c) =>
    c.body(stylesheet, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' }),
  )
}

/** Where the pages are mounted: '/demo' for a request to '/demo/outbox/7' and the own path '/outbox'. */
export function mountOf(c: Context, ownPath: string): string {
  return c.req.path.slice(0, c.req.path.indexOf(ownPath))
}

export function formatMoney(cents: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(cents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
