import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCheckout, aDatabase, aGateway, goodCard, pay, submit } from '../../test-emulators.server.ts'

let database: Awaited<ReturnType<typeof aDatabase>>
beforeAll(async () => {
  database = await aDatabase()
})
afterAll(() => database.close())

/** The text of a page, without markup. */
async function words(response: Response): Promise<string> {
  const markup = await response.text()
  const text = markup.replace(/<head>.*?<\/head>/s, '').replaceAll(/<[^>]+>/g, ' ')
  return text.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim()
}

test('the page shows merchant, lines, total and the test notice, without scripts and inline styles', async () => {
  const { stripe, publicBase } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  const response = await fetch(session.url ?? '')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
  const markup = await response.clone().text()
  expect(markup).not.toMatch(/<script|<style|style=|onclick/i)
  expect(markup).toContain(`href="/demo/stand-ins.css"`)
  expect(markup).toContain('href="http://127.0.0.1:9/?checkout=cancelled"')
  const page = await words(response)
  for (const part of [
    'This is a test gateway',
    'Pay Altocert',
    'Cloud Practitioner × 2',
    '$25.00',
    'Tax & shipping',
    'Total $29.98',
    'Card number',
    'Expiry',
    'CVC',
    'Name on card',
    'Pay $29.98',
    'Cancel and return',
    '4000 0025 0000 3155',
    'What the gateway does next',
  ]) {
    expect(page).toContain(part)
  }
  const css = await fetch(`${publicBase}/stand-ins.css`)
  expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('names of items are escaped', async () => {
  const { stripe } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(
    aCheckout({
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: 100, product_data: { name: '<img src=x onerror=alert(1)>' } },
        },
      ],
    }),
  )
  expect(await (await fetch(session.url ?? '')).text()).not.toContain('<img')
})

test('a valid card pays and returns to the shop with the session id', async () => {
  const { stripe } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  const response = await pay(session)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`http://127.0.0.1:9/payment-success?session_id=${session.id}`)
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] })
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    customer_details: { email: 'ana@example.com', name: 'Ana Beispiel' },
    payment_intent: {
      latest_charge: { paid: true, payment_method_details: { card: { brand: 'visa', last4: '4242', exp_year: 2039 } } },
    },
  })
})

test('the card number and the security code are stored nowhere', async () => {
  const { stripe } = await aGateway(database.pool)
  await pay(await stripe.checkout.sessions.create(aCheckout()), { cvc: '987' })
  const { rows } = await database.pool.query<{ all: string }>(
    `select (select string_agg(payment::text, '') from demo.gateway_session)
         || (select string_agg(body, '') from demo.gateway_event) as all`,
  )
  expect(rows[0]?.all).not.toMatch(/4242 ?4242 ?4242/)
  expect(rows[0]?.all).not.toContain('"987"')
})

test.each([
  ['4000 0000 0000 0002', 'Your card was declined.', 'generic_decline'],
  ['4000 0000 0000 9995', 'Your card has insufficient funds.', 'insufficient_funds'],
  ['5555 5555 5555 4444', 'Your card was declined. This is a test gateway', 'test_mode_live_card'],
])('card %s says %s and another card can pay afterwards', async (number, sentence, code) => {
  const { stripe, events, types } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  const response = await pay(session, { card_number: number })
  const markup = await response.clone().text()
  expect(await words(response)).toContain(sentence)
  expect(markup).toContain(`value="${number}"`)
  expect(markup).toContain('value="Ana Beispiel"')
  expect(markup).toContain('value="12 / 39"')
  expect(markup).not.toContain('value="123"')
  const declined = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
  expect(declined).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: { status: 'requires_payment_method', last_payment_error: { decline_code: code } },
  })
  expect((await pay(session)).status).toBe(303)
  await events(3)
  expect(types()).toEqual(['payment_intent.payment_failed', 'payment_intent.succeeded', 'checkout.session.completed'])
})

test.each([
  [{ card_number: '' }, 'card_number', 'Enter your card number.'],
  [{ card_number: '4242 4242' }, 'card_number', 'Your card number is incomplete.'],
  [{ card_number: '4242 4242 4242 4241' }, 'card_number', 'Your card number is invalid.'],
  [{ card_number: 'visa' }, 'card_number', 'Your card number is invalid.'],
  [{ expiry: '01 / 20' }, 'expiry', "Your card's expiry date is in the past."],
  [{ expiry: '13 / 39' }, 'expiry', 'Write the expiry date as month and year, such as 08 / 30.'],
  [{ expiry: '' }, 'expiry', 'Enter the expiry date.'],
  [{ cvc: '12' }, 'cvc', "Your card's security code is incomplete."],
  [{ cvc: '' }, 'cvc', "Enter your card's security code."],
  [{ name: ' ' }, 'name', 'Enter the name on the card.'],
])('%o is explained at its field', async (wrong, field, sentence) => {
  const { stripe, received } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  const response = await pay(session, wrong)
  const markup = await response.text()
  const input = new RegExp(`<input\\s[^>]*id="${field}"[^>]*>`).exec(markup)?.[0] ?? ''
  expect(input).toContain('aria-invalid="true"')
  expect(input).toContain(`${field}-error`)
  expect(input).toContain('autofocus')
  const message = new RegExp(`id="${field}-error">([^<]*)<`).exec(markup)?.[1]?.replaceAll('&#39;', "'")
  expect(message).toBe(sentence)
  expect((await stripe.checkout.sessions.retrieve(session.id)).payment_intent).toBeNull()
  expect(received).toEqual([])
})

test('a card that asks for confirmation pays only after it', async () => {
  const { stripe, events, types } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  const asked = await pay(session, { card_number: '4000 0025 0000 3155' })
  const confirmation = new URL(asked.headers.get('location') ?? '', session.url ?? '').href
  expect(confirmation).toBe(`${session.url}/confirm`)
  const page = await words(await fetch(confirmation))
  expect(page).toContain('Complete authentication')
  expect(page).toContain('Fail authentication')
  const waiting = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
  expect(waiting).toMatchObject({ payment_status: 'unpaid', payment_intent: { status: 'requires_action' } })

  const failed = await words(await submit(confirmation, { answer: 'fail' }))
  expect(failed).toContain('We are unable to authenticate your payment method.')
  await pay(session, { card_number: '4000 0025 0000 3155' })
  const done = await submit(confirmation, { answer: 'complete' })
  expect(done.headers.get('location')).toContain(session.id)
  await events(3)
  expect(types()).toEqual(['payment_intent.payment_failed', 'payment_intent.succeeded', 'checkout.session.completed'])
})

test('an unexpected confirmation pays nothing', async () => {
  const { stripe } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  await submit(`${session.url}/confirm`, { answer: 'complete' })
  expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('unpaid')
  expect((await fetch(`${session.url}/confirm`, { redirect: 'manual' })).status).toBe(303)
})

test('ten simultaneous submissions pay once', async () => {
  const { stripe, events, received } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout())
  const presses = await Promise.all(Array.from({ length: 10 }, () => pay(session)))
  expect(presses.filter(({ status }) => status === 303)).toHaveLength(1)
  await events(2)
  expect(received.filter(({ event }) => event.type === 'checkout.session.completed')).toHaveLength(1)
})

test('paid, expired and unknown sessions show a matching page', async () => {
  const { stripe, publicBase } = await aGateway(database.pool)
  const paid = await stripe.checkout.sessions.create(aCheckout())
  await pay(paid)
  expect(await words(await fetch(paid.url ?? ''))).toContain('This order has already been paid')
  expect(await words(await pay(paid))).toContain('This order has already been paid')
  const expired = await stripe.checkout.sessions.create(aCheckout())
  await stripe.checkout.sessions.expire(expired.id)
  expect(await words(await fetch(expired.url ?? ''))).toContain('This checkout has expired')
  const unknown = await fetch(`${publicBase}/pay/cs_test_invented`)
  expect(unknown.status).toBe(404)
  expect(await words(unknown)).toContain('No such checkout')
})

test('a session for cards only offers no bank debit', async () => {
  const { stripe } = await aGateway(database.pool)
  const session = await stripe.checkout.sessions.create(aCheckout({ allowed_payment_method_types: ['card'] }))
  expect(await (await fetch(session.url ?? '')).text()).not.toContain('value="bank"')
  await submit(session.url ?? '', { method: 'bank', ...goodCard })
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] })
  expect(paid).toMatchObject({ payment_intent: { latest_charge: { payment_method_details: { type: 'card' } } } })
})

test('switches are read and changed as JSON and by a form, for every process', async () => {
  const { publicBase, control } = await aGateway(database.pool)
  const address = `${publicBase}/gateway/switches`
  expect(await (await fetch(address)).json()).toMatchObject({ delivery: 'normal', api: 'normal', mail: 'accepts' })
  expect(await (await control('switches', { delivery: 'late', lateMs: 10 })).json()).toMatchObject({ lateMs: 10 })
  const form = await submit(address, { bankDebit: 'fails', settleMs: '70', back: '/gateway' })
  expect(form.headers.get('location')).toBe('/demo/gateway')
  expect(await (await fetch(address)).json()).toMatchObject({ delivery: 'late', bankDebit: 'fails', settleMs: 70 })
  const astray = await submit(address, { back: '//elsewhere.example/pay' })
  expect(astray.headers.get('location')).toBe('/demo/gateway')
})

test.each([
  [{ delivery: 'sometimes' }, 'delivery'],
  [{ lateMs: -1 }, 'lateMs'],
  [{ lateMs: 1e9 }, 'lateMs'],
  [{ colour: 'red' }, 'colour'],
])('the switch change %o is refused with its field', async (change, field) => {
  const { control } = await aGateway(database.pool)
  const response = await control('switches', change)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ field })
})

test('a body that is not JSON is refused', async () => {
  const { publicBase } = await aGateway(database.pool)
  for (const path of ['switches', 'settle', 'dispute']) {
    const response = await fetch(`${publicBase}/gateway/${path}`, { method: 'POST', body: '{' })
    expect(response.status).toBe(400)
  }
})

test('a body over the limit is refused', async () => {
  const { publicBase, api } = await aGateway(database.pool)
  const body = 'x'.repeat(300 * 1024)
  expect((await fetch(`${publicBase}/gateway/switches`, { method: 'POST', body })).status).toBe(413)
  const headers = { authorization: 'Bearer sk_test_standins' }
  const refused = await fetch(`http://${api.host}:${api.port}/v1/refunds`, { method: 'POST', body, headers })
  expect(refused.status).toBe(413)
})

test('the overview shows payments with their state and events with their delivery', async () => {
  const { stripe, publicBase, events } = await aGateway(database.pool)
  expect(await words(await fetch(`${publicBase}/gateway`))).toContain('Nobody has checked out yet.')
  await pay(await stripe.checkout.sessions.create(aCheckout()))
  await events(2)
  const page = await words(await fetch(`${publicBase}/gateway`))
  expect(page).toContain('paid')
  expect(page).toContain('checkout.session.completed')
})
