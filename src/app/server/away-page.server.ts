import { createHash, randomInt } from 'node:crypto'
import { paths } from '../../lib/paths.ts'
import { copy } from '../app.copy.ts'
import { themeScript } from '../layout/theme-client.ts'

/** The page tries again after this time, not all of them at once. */
const [FIRST_SECONDS, LAST_SECONDS] = [5, 10]

/** The colors of tokens.css that this page needs: no other file has to load. */
const styles = `
:root{color-scheme:light dark;--paper:light-dark(#f6f8fc,#0e1420);--surface:light-dark(#fff,#151d2c);--ink:light-dark(#121b2b,#e9eef7);--soft:light-dark(#465470,#a8b5cc);--line:light-dark(#d5ddea,#2b3850);--accent:light-dark(#1c4fd0,#8db0ff);--on-accent:light-dark(#fff,#0b1530)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/26px system-ui,sans-serif}
header{border-bottom:1px solid var(--line);background:var(--surface)}
header a{display:flex;align-items:center;max-width:1280px;height:64px;margin:auto;padding:0 16px;color:inherit;font-weight:700;text-decoration:none}
main{max-width:37em;margin:auto;padding:48px 16px}
h1{margin:0;font-size:28px;line-height:36px;letter-spacing:-.012em;text-wrap:balance}
p{margin:12px 0 0}
p+p{color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}
nav a{display:inline-flex;align-items:center;min-height:44px;padding:0 16px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:inherit;font-weight:600;text-decoration:none}
nav a:first-child{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = [
  "default-src 'none'",
  `style-src ${hash(styles)}`,
  `script-src ${hash(themeScript)}`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The page in place of one that needs the database while that is away. It needs nothing but itself: no script, no session and no
 * other file. After a posted form it does not load again, which would forget what was typed.
 */
export function createAwayPage(brandName: string): (isPosted: boolean) => Response {
  const brand = escape(brandName)
  return (isPosted) => {
    const seconds = randomInt(FIRST_SECONDS, LAST_SECONDS)
    const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${isPosted ? '' : `<meta http-equiv="refresh" content="${seconds}">`}
<script>${themeScript}</script>
<style>${styles}</style>
<title>${copy['away.title']} · ${brand}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<header><a href="${paths.home}">${brand}</a></header>
<main>
<h1>${copy['away.title']}</h1>
<p>${copy['away.text']}</p>
<p>${isPosted ? copy['away.posted'] : copy['away.again']}</p>
<nav aria-label="What now">${isPosted ? '' : `<a href="">${copy['boundary.retry']}</a>`}<a href="${paths.home}">${copy['boundary.home']}</a></nav>
</main>
</body>
</html>
`
    return new Response(html, {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        // The compression of replies leaves it alone, also when it comes late to a request that has ended.
        'cache-control': 'no-store, no-transform',
        'retry-after': String(FIRST_SECONDS),
        'content-security-policy': policy,
      },
    })
  }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
