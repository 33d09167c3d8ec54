import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createTransport } from 'nodemailer'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createOutbox } from './outbox.server.ts'
import { changeSwitches } from './gateway/pages/gateway-switches.server.ts'
import { aDatabase, quietLog, serve } from './test-emulators.server.ts'

let database: Awaited<ReturnType<typeof aDatabase>>
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(() => database.close())

const sentAt = new Date('2030-05-06T07:08:09.010Z')

async function anOutbox(pool: Pool) {
  await pool.query('truncate demo.outbox, demo.switch_board')
  const outbox = await createOutbox({ pool, clock: { now: () => sentAt }, log: quietLog })
  const app = new Hono()
  app.route('/demo', outbox.pages)
  const server = await serve(getRequestListener(app.fetch))
  const transport = createTransport(outbox.smtpUrl)
  onTestFinished(async () => {
    transport.close()
    await outbox.stop()
    await server.close()
  })
  const address = `${server.origin}/demo/outbox`
  return {
    transport,
    address,
    mails: async () => (await fetch(address, { headers: { accept: 'application/json' } })).json() as Promise<unknown>,
  }
}

test('emails sent by SMTP are listed as JSON, newest first', async () => {
  const { transport, mails } = await anOutbox(database.pool)
  expect(await mails()).toEqual([])
  await transport.sendMail({
    from: 'Altocert <noreply@altocert.example>',
    to: 'Ana Beispiel <ana@example.com>',
    subject: 'Verify your address ✓',
    text: 'Grüße\n\nhttps://shop.example/verify?token=a&b=c\n',
    html: '<p>Grüße</p>',
  })
  await transport.sendMail({
    from: 'a@b.example',
    to: ['ben@example.com', 'cy@example.com'],
    subject: '',
    text: 'Only text',
  })
  expect(await mails()).toEqual([
    { to: 'ben@example.com, cy@example.com', subject: '', text: 'Only text', html: '', sentAt: sentAt.toISOString() },
    {
      to: 'ana@example.com',
      subject: 'Verify your address ✓',
      text: 'Grüße\n\nhttps://shop.example/verify?token=a&b=c',
      html: '<p>Grüße</p>',
      sentAt: sentAt.toISOString(),
    },
  ])
})

test('a browser gets a page, also when there are no emails', async () => {
  const { address, transport } = await anOutbox(database.pool)
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8' } }
  const empty = await fetch(address, browser)
  expect(empty.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await empty.text()).toContain('No emails yet.')
  await transport.sendMail({ from: 'a@b.example', to: 'ana@example.com', subject: 'Hello <b>', text: 'x' })
  const list = await (await fetch(address, browser)).text()
  expect(list).toContain('Hello &lt;b&gt;')
  expect(list).toMatch(/href="\/demo\/outbox\/\d+"/)
  expect(list).toContain('href="/demo/stand-ins.css"')
})

test('an email is shown as text with its links, and its HTML part only in a sandbox', async () => {
  const { address, transport } = await anOutbox(database.pool)
  await transport.sendMail({
    from: 'a@b.example',
    to: 'ana@example.com',
    subject: 'Links',
    text: 'Open https://shop.example/verify?a=1&b=2. <script>alert(1)</script>',
    html: `<a href="https://shop.example/other?x=1&amp;y=2">other</a> <a href="javascript:alert(1)">bad</a><script>alert(2)</script>`,
  })
  const list = await (await fetch(address)).text()
  const path = /href="\/demo\/outbox\/(\d+)"/.exec(list)?.[1] ?? ''
  const page = await (await fetch(`${address}/${path}`)).text()
  expect(page).toContain('<a href="https://shop.example/verify?a=1&amp;b=2" rel="noreferrer">')
  expect(page).toContain('<a href="https://shop.example/other?x=1&amp;y=2" rel="noreferrer">')
  expect(page).not.toContain('javascript:')
  expect(page).not.toContain('<script')
  const part = await fetch(`${address}/${path}/html`)
  expect(part.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
  expect(part.headers.get('content-security-policy')).not.toContain('allow-scripts')
  expect(await part.text()).toContain('<script>alert(2)</script>')
})

test('an unknown email is not found', async () => {
  const { address } = await anOutbox(database.pool)
  expect((await fetch(`${address}/123456`)).status).toBe(404)
  expect((await fetch(`${address}/123456/html`)).status).toBe(404)
  expect((await fetch(`${address}/abc`)).status).toBe(404)
})

test('the newest 500 emails are stored', async () => {
  const { transport, mails } = await anOutbox(database.pool)
  await database.pool.query(
    `insert into demo.outbox (recipients, subject, body_text, body_html, sent_at)
     select 'x@example.com', 'old ' || n, '', '', now() from generate_series(1, 600) n`,
  )
  await transport.sendMail({ from: 'a@b.example', to: 'ana@example.com', subject: 'newest', text: 'x' })
  const kept = (await mails()) as { subject: string }[]
  expect(kept).toHaveLength(500)
  expect(kept[0]?.subject).toBe('newest')
  expect(kept[499]?.subject).toBe('old 102')
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from demo.outbox')
  expect(rows[0]?.count).toBe(500)
})

test('the switch makes the server refuse emails', async () => {
  const { transport, mails } = await anOutbox(database.pool)
  const email = { from: 'a@b.example', to: 'ana@example.com', subject: 'Hello', text: 'x' }
  await changeSwitches(database.pool, { mail: 'refuses' })
  await expect(transport.sendMail(email)).rejects.toMatchObject({ responseCode: 451 })
  expect(await mails()).toEqual([])
  await changeSwitches(database.pool, { mail: 'accepts' })
  await transport.sendMail(email)
  expect(await mails()).toHaveLength(1)
})

test('an email that is too large is refused, and the next one is accepted', async () => {
  const { transport, mails } = await anOutbox(database.pool)
  const email = { from: 'a@b.example', to: 'ana@example.com', subject: 'Big', text: 'x'.repeat(6 * 1024 * 1024) }
  await expect(transport.sendMail(email)).rejects.toMatchObject({ responseCode: 552 })
  await transport.sendMail({ ...email, text: 'small' })
  expect(await mails()).toHaveLength(1)
})
