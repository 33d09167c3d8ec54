import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { stylesheet } from './emulator-style.server.ts'

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

export const STYLESHEET_PATH = '/stand-ins.css'

/** The layout of all emulator pages, without scripts and inline styles. */
export function emulatorPage(page: {
  title: string
  /** The emulator's name, such as 'Test gateway'. */
  label: string
  /** Shown at the top, so that nobody mistakes the page for the real service. */
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
        <header class="band"><strong>${page.label}</strong> <span>${page.notice}</span></header>
        <main>${page.body}</main>
      </body>
    </html>`
}

/**
 * The headers of an emulator page. `formTargets` are the addresses to which forms may redirect, because browsers apply
 * `form-action` to redirects as well.
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
    // With 'no-referrer', browsers would send `Origin: null` with forms, and the Origin check would refuse them.
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

/** The path at which the pages are mounted, such as '/demo' for a request to '/demo/outbox/7' and `ownPath` '/outbox'. */
export function mountOf(c: Context, ownPath: string): string {
  return c.req.path.slice(0, c.req.path.indexOf(ownPath))
}

/** A table that scrolls sideways on narrow screens. */
export function emulatorTable(
  label: string,
  columns: readonly { readonly name: string; readonly isNumber?: boolean }[],
  rows: readonly Markup[],
): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map(({ name, isNumber }) => html`<th scope="col" class="${isNumber === true ? 'sum' : ''}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

export function formatMoney(cents: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(cents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
