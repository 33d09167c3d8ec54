import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Pool } from 'pg'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Clock } from '../platform/clock.server.ts'
import type { Log } from '../platform/log.server.ts'
import {
  mountOf,
  pageHeaders,
  replyPage,
  serveStylesheet,
  emulatorPage,
  emulatorTable,
  STYLESHEET_PATH,
  type Markup,
} from './emulator-layout.server.ts'
import { prepareEmulators } from './emulator-storage.server.ts'
import { readSwitches } from './gateway/pages/gateway-switches.server.ts'

const MAX_STORED_EMAILS = 500
const MAX_EMAIL_BYTES = 5 * 1024 * 1024

type Outbox = { pages: Hono; smtpUrl: string; stop(): Promise<void> }

/** A mail server that does not deliver: `/outbox` shows the newest 500 emails. */
export async function createOutbox(options: {
  pool: Pool
  clock: Clock
  log: Pick<Log, 'info' | 'error'>
}): Promise<Outbox> {
  await prepareEmulators(options.pool)
  const smtp = createSmtp(options)
  await new Promise<void>((resolve, reject) => {
    smtp.once('error', reject)
    // Exclusive: the workers of a cluster would share the port otherwise.
    smtp.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve)
  })
  smtp.on('error', (error) => options.log.error({ err: error }, 'demo outbox: connection failed'))
  const { port } = smtp.server.address() as AddressInfo
  return {
    pages: createPages(options.pool),
    smtpUrl: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
}

function createSmtp({ pool, clock, log }: { pool: Pool; clock: Clock; log: Pick<Log, 'error'> }): SMTPServer {
  return new SMTPServer({
    name: 'outbox.localhost',
    banner: 'Demo outbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_EMAIL_BYTES,
    closeTimeout: 500,
    onMailFrom: (_address, _session, callback) => {
      readSwitches(pool).then(
        ({ mail }) =>
          callback(
            mail === 'refuses' ? refusal(451, 'The demo outbox refuses emails, because its switch says so') : null,
          ),
        (error: unknown) => callback(broken(log, error)),
      )
    },
    onData: (stream, session, callback) => {
      const parts: Buffer[] = []
      // Read and discard the data after the limit, or the client would never receive our reply.
      stream.on('data', (part: Buffer) => void (stream.sizeExceeded ? undefined : parts.push(part)))
      stream.on('end', () => {
        if (stream.sizeExceeded) return callback(refusal(552, 'The email is too large'))
        const recipients = session.envelope.rcptTo.map(({ address }) => address).join(', ')
        return void storeEmail(pool, { raw: Buffer.concat(parts), recipients, sentAt: clock.now() }).then(
          () => callback(null, 'Stored in the demo outbox'),
          (error: unknown) => callback(broken(log, error)),
        )
      })
    },
  })
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

function broken(log: Pick<Log, 'error'>, error: unknown): Error {
  log.error({ err: error }, 'demo outbox: email not stored')
  return refusal(451, 'The demo outbox could not store the email')
}

async function storeEmail(pool: Pool, mail: { raw: Buffer; recipients: string; sentAt: Date }): Promise<void> {
  const email = await PostalMime.parse(mail.raw)
  // PostgreSQL cannot store the character U+0000.
  const clean = (text: string | undefined) => (text ?? '').replaceAll('\0', '')
  await pool.query(
    'insert into demo.outbox (recipients, subject, body_text, body_html, sent_at) values ($1, $2, $3, $4, $5)',
    [
      clean(mail.recipients),
      clean(email.subject),
      clean(email.text).trimEnd(),
      clean(email.html).trimEnd(),
      mail.sentAt,
    ],
  )
  await pool.query(
    'delete from demo.outbox where id <= (select id from demo.outbox order by id desc offset $1 limit 1)',
    [MAX_STORED_EMAILS],
  )
}

type Mail = { id: string; to: string; subject: string; text: string; html: string; sentAt: Date }
const columns = `id, recipients as "to", subject, body_text as text, body_html as html, sent_at as "sentAt"`

function createPages(pool: Pool): Hono {
  const pages = new Hono()
  serveStylesheet(pages)

  pages.get('/outbox', async (c) => {
    const { rows } = await pool.query<Mail>(`select ${columns} from demo.outbox order by id desc limit $1`, [
      MAX_STORED_EMAILS,
    ])
    c.header('vary', 'accept')
    if (wantsJson(c.req.header('accept'))) {
      c.header('cache-control', 'no-store')
      return c.json(
        rows.map(({ to, subject, text, html, sentAt }) => ({ to, subject, text, html, sentAt: sentAt.toISOString() })),
      )
    }
    const { mail } = await readSwitches(pool)
    return replyPage(c, listPage({ base: mountOf(c, '/outbox'), mails: rows, isRefusing: mail === 'refuses' }))
  })

  pages.get('/outbox/:id{[0-9]{1,15}}', async (c) => {
    const mail = await findEmail(pool, c.req.param('id'))
    const base = mountOf(c, '/outbox')
    if (mail === null) return replyPage(c, missingEmailPage(base), { status: 404 })
    return replyPage(c, emailPage(base, mail))
  })

  pages.get('/outbox/:id{[0-9]{1,15}}/html', async (c) => {
    const mail = await findEmail(pool, c.req.param('id'))
    if (mail === null) return replyPage(c, missingEmailPage(mountOf(c, '/outbox')), { status: 404 })
    return c.body(mail.html, 200, {
      ...pageHeaders(),
      // The HTML is untrusted: forbid scripts, forms and requests, and give it an origin of its own. Only links work.
      'content-security-policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'",
    })
  })

  return pages
}

/** Whether the client prefers JSON: browsers list HTML first, other programs list it after JSON or not at all. */
function wantsJson(accept = ''): boolean {
  const json = accept.indexOf('application/json')
  const page = accept.indexOf('text/html')
  return json >= 0 && (page < 0 || json < page)
}

async function findEmail(pool: Pool, id: string): Promise<Mail | null> {
  const { rows } = await pool.query<Mail>(`select ${columns} from demo.outbox where id = $1`, [id])
  return rows[0] ?? null
}

function listPage(page: { base: string; mails: readonly Mail[]; isRefusing: boolean }): Markup {
  const { base, mails } = page
  const next = page.isRefusing ? 'accepts' : 'refuses'
  return frame(
    'Demo outbox',
    base,
    html`<div class="wide">
      <h1>Demo outbox</h1>
      ${
        mails.length === 0
          ? html`<p>No emails yet. Emails that the shop sends appear here.</p>`
          : emulatorTable(
              'Emails',
              [{ name: 'Subject' }, { name: 'To' }, { name: 'Sent', isNumber: true }],
              mails.map(
                (mail) =>
                  html`<tr>
                    <td><a href="${base}/outbox/${mail.id}">${subjectOf(mail)}</a></td>
                    <td>${mail.to}</td>
                    <td class="sum">${timeOf(mail)}</td>
                  </tr>`,
              ),
            )
      }
      <form method="post" action="${base}/gateway/switches">
        <input type="hidden" name="back" value="/outbox" />
        ${page.isRefusing ? html`<p>New emails are refused (451) at the moment.</p>` : ''}
        <button class="plain" name="mail" value="${next}">
          ${page.isRefusing ? 'Accept emails again' : 'Refuse emails from now on'}
        </button>
      </form>
    </div>`,
  )
}

function emailPage(base: string, mail: Mail): Markup {
  const links = linksOf(mail.html).filter((link) => !mail.text.includes(link))
  return frame(
    subjectOf(mail),
    base,
    html`<div class="wide">
      <h1>${subjectOf(mail)}</h1>
      <dl>
        <dt>To</dt>
        <dd>${mail.to}</dd>
        <dt>Sent</dt>
        <dd>${timeOf(mail)}</dd>
      </dl>
      ${mail.text === '' ? html`<p class="quiet">This email has no text part.</p>` : html`<pre>${linked(mail.text)}</pre>`}
      ${
        links.length === 0
          ? ''
          : html`<h2>Links in the HTML part</h2>
              <ul>
                ${links.map((link) => html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`)}
              </ul>`
      }
      ${mail.html === '' ? '' : html`<p class="way"><a href="${base}/outbox/${mail.id}/html">Show the HTML part</a></p>`}
      <p class="way"><a href="${base}/outbox">All emails</a></p>
    </div>`,
  )
}

function missingEmailPage(base: string): Markup {
  return frame(
    'No such email',
    base,
    html`<h1>No such email</h1>
      <p>The outbox stores the newest ${MAX_STORED_EMAILS} emails.</p>
      <p class="way"><a href="${base}/outbox">All emails</a></p>`,
  )
}

function frame(title: string, base: string, body: Markup): Markup {
  return emulatorPage({
    title,
    label: 'Demo outbox',
    notice: 'Emails from this shop end here. None is delivered.',
    stylesheet: `${base}${STYLESHEET_PATH}`,
    body,
  })
}

function subjectOf(mail: Mail): string {
  return mail.subject === '' ? '(no subject)' : mail.subject
}

function timeOf(mail: Mail): Markup {
  const iso = mail.sentAt.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

const address = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g

/** The text with its web addresses as links. */
function linked(text: string): Markup[] {
  const parts: Markup[] = []
  let end = 0
  for (const match of text.matchAll(address)) {
    parts.push(html`${text.slice(end, match.index)}<a href="${match[0]}" rel="noreferrer">${match[0]}</a>`)
    end = match.index + match[0].length
  }
  return [...parts, html`${text.slice(end)}`]
}

/** The web addresses that the HTML part links to, without other schemes such as javascript:. */
function linksOf(markup: string): string[] {
  const links = [...markup.matchAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
    .map((match) => (match[1] ?? match[2] ?? '').replaceAll('&amp;', '&').trim())
    .filter((link) => /^https?:\/\//i.test(link) && URL.canParse(link))
  return [...new Set(links)]
}
