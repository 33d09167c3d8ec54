import type { Email } from './mail.server.ts'

/**
 * An email with at most one action, as plain text and as HTML; every value is escaped in the HTML. `name` is null for an address that is
 * not verified: whoever typed the address also typed the name, and the email may reach a stranger.
 */
export function composeEmail(parts: {
  to: string
  subject: string
  name: string | null
  lines: readonly string[]
  action?: { label: string; url: string }
  /** For emails that come again and again: where one press ends them. */
  unsubscribe?: { label: string; url: string }
  brand: string
}): Email {
  const { action, unsubscribe } = parts
  const greeting = parts.name === null ? 'Hello,' : `Hello ${parts.name},`
  const text = [
    greeting,
    '',
    ...parts.lines.flatMap((line) => [line, '']),
    ...(action === undefined ? [] : [`${action.label}:`, action.url, '']),
    parts.brand,
    ...(unsubscribe === undefined ? [] : ['', `${unsubscribe.label}: ${unsubscribe.url}`]),
  ].join('\n')
  const html = [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:16px;line-height:26px;color:#16202e;max-width:560px;margin:0 auto;padding:24px">',
    `<p>${escapeHtml(greeting)}</p>`,
    ...parts.lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(action === undefined
      ? []
      : [
          `<p><a href="${escapeHtml(action.url)}" style="display:inline-block;background:#1d4fd7;color:#ffffff;padding:10px 18px;border-radius:6px;text-decoration:none">${escapeHtml(action.label)}</a></p>`,
          `<p style="color:#56637a;font-size:14px;line-height:22px">${escapeHtml(action.url)}</p>`,
        ]),
    `<p style="color:#56637a">${escapeHtml(parts.brand)}</p>`,
    ...(unsubscribe === undefined
      ? []
      : [
          `<p><a href="${escapeHtml(unsubscribe.url)}" style="color:#56637a;font-size:14px">${escapeHtml(unsubscribe.label)}</a></p>`,
        ]),
    '</body></html>',
  ].join('')
  const email = { to: parts.to, subject: parts.subject, text, html }
  return unsubscribe === undefined ? email : { ...email, unsubscribeUrl: unsubscribe.url }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
