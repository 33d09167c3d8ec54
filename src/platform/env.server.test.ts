import { expect, test } from 'vitest'
import { BadEnvironment, listUnencrypted, readEnv } from './env.server.ts'

function refusal(source: Record<string, string>): string {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message
    throw error
  }
  throw new Error('the environment was accepted')
}

test('without any variable the demo runs on port 3000 with every emulator', () => {
  expect(readEnv({})).toMatchObject({
    port: 3000,
    appUrl: 'http://localhost:3000',
    dataDir: './data',
    stripe: null,
    mail: null,
    google: null,
    admin: null,
    trustedProxies: [],
    demoCatalogue: true,
    brandName: 'Altocert',
    brandShort: 'Alto',
    logLevel: 'info',
    isLoopback: true,
  })
  expect(readEnv({ PORT: '8080' }).appUrl).toBe('http://localhost:8080')
  expect(readEnv({ PORT: '', DEMO_CATALOGUE: 'off' })).toMatchObject({ port: 3000, demoCatalogue: false })
})

test('an address that is not loopback needs every real service, and the error lists what is missing', () => {
  const message = refusal({ APP_URL: 'https://shop.example.com' })
  for (const name of [
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SMTP_URL',
    'MAIL_FROM',
    'GOOGLE_CLIENT_ID',
    'AUTH_SECRET',
  ])
    expect(message).toContain(name)
  const real = {
    APP_URL: 'https://shop.example.com/',
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'hello@example.com',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
    AUTH_SECRET: 'x'.repeat(32),
  }
  expect(readEnv(real)).toMatchObject({ appUrl: 'https://shop.example.com', isLoopback: false })
})

test('the error names every problem, incomplete services included', () => {
  const message = refusal({
    PORT: 'abc',
    APP_URL: 'ftp://x',
    SMTP_URL: 'smtp://x',
    AUTH_SECRET: 'short',
    LOG_LEVEL: 'loud',
  })
  for (const name of ['PORT', 'APP_URL', 'MAIL_FROM', 'AUTH_SECRET', 'LOG_LEVEL']) expect(message).toContain(name)
})

test('a host that only resembles a loopback address is refused', () => {
  expect(refusal({ APP_URL: 'http://127.0.0.1.example.com' })).toContain('STRIPE_SECRET_KEY')
  expect(refusal({ APP_URL: 'http://localhost.example.com' })).toContain('SMTP_URL')
  expect(readEnv({ APP_URL: 'http://[::1]:3000' }).isLoopback).toBe(true)
})

test('LIMITS that cannot be meant stop the start with a sentence', () => {
  expect(readEnv({}).limits).toMatchObject({ checkout: 10, stream: 6, network: 50 })
  expect(readEnv({ LIMITS: 'checkout=20' }).limits).toMatchObject({ checkout: 20, search: 60 })
  const message = refusal({ LIMITS: 'chekout=20,search=many' })
  expect(message).toContain("- LIMITS: 'chekout' is not a limit; known are checkout, coupon")
  expect(message).toContain("- LIMITS: 'search=many' must be search= and a whole number from 1 to 1000000")
})

test('while a service is emulated, only this machine may be listened to', () => {
  expect(readEnv({ LISTEN_HOST: '127.0.0.1' }).listenHost).toBe('127.0.0.1')
  expect(readEnv({ LISTEN_HOST: '::1' }).listenHost).toBe('::1')
  for (const host of ['0.0.0.0', '::', '192.0.2.1'])
    expect(refusal({ LISTEN_HOST: host })).toContain(`LISTEN_HOST is ${host}, which other machines may reach`)
  expect(refusal({ LISTEN_HOST: 'shop.example.com' })).toContain('LISTEN_HOST: is not an address of this machine')
})

test('the contact for security problems is an email or https address', () => {
  expect(readEnv({}).securityContact).toBeUndefined()
  expect(readEnv({ SECURITY_CONTACT: 'ana@example.com' }).securityContact).toBe('mailto:ana@example.com')
  expect(readEnv({ SECURITY_CONTACT: 'mailto:ana@example.com' }).securityContact).toBe('mailto:ana@example.com')
  expect(readEnv({ SECURITY_CONTACT: 'https://example.com/a' }).securityContact).toBe('https://example.com/a')
  for (const contact of [
    'call us',
    'http://example.com',
    'javascript:alert(1)',
    'a@example.com\nContact: b@example.com',
  ])
    expect(refusal({ SECURITY_CONTACT: contact })).toContain('SECURITY_CONTACT')
})

test('connections to other machines that are not encrypted are named, those of this machine are not', () => {
  const shop = (variables: Record<string, string>) =>
    listUnencrypted(
      readEnv({
        APP_URL: 'https://shop.example.com',
        STRIPE_SECRET_KEY: 'sk_live_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_x',
        SMTP_URL: 'smtp://mail.example.com',
        MAIL_FROM: 'hello@example.com',
        GOOGLE_CLIENT_ID: 'id',
        GOOGLE_CLIENT_SECRET: 'secret',
        AUTH_SECRET: 'x'.repeat(32),
        ...variables,
      }),
    )
  expect(listUnencrypted(readEnv({}))).toEqual([])
  expect(shop({ DATABASE_URL: 'postgres://db.example.com/shop?sslmode=verify-full' })).toEqual([])
  const here = { STRIPE_API_BASE: 'http://127.0.0.1:12111', GOOGLE_ISSUER: 'http://localhost:9' }
  expect(shop({ ...here, SMTP_URL: 'smtp://localhost:25', DATABASE_URL: 'postgres://127.0.0.1/shop' })).toEqual([])
  const away = {
    APP_URL: 'http://shop.example.com',
    STRIPE_API_BASE: 'http://stripe.example.com',
    GOOGLE_ISSUER: 'http://google.example.com',
    SMTP_URL: 'smtp://mail.example.com?ignoreTLS=true',
    DATABASE_URL: 'postgres://db.example.com/shop',
  }
  expect(shop(away)).toEqual(Object.keys(away))
  expect(shop({ SMTP_URL: 'smtp://mail.example.com?requireTLS=false' })).toEqual(['SMTP_URL'])
})

test("the payment page is Stripe's, or on the account's own domain", () => {
  expect(readEnv({}).paymentPage).toBe('https://checkout.stripe.com')
  expect(readEnv({ STRIPE_CHECKOUT_DOMAIN: 'Pay.example.com' }).paymentPage).toBe('https://pay.example.com')
  for (const domain of [
    'https://pay.example.com',
    'pay.example.com/x',
    "pay.example.com; script-src 'self'",
    '*',
    'pay',
  ])
    expect(refusal({ STRIPE_CHECKOUT_DOMAIN: domain })).toContain('STRIPE_CHECKOUT_DOMAIN')
})

test('the key of notifications is 32 bytes in base64url, or made by the shop', () => {
  const key = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'
  expect(readEnv({}).vapidPrivateKey).toBeUndefined()
  expect(readEnv({ VAPID_PRIVATE_KEY: key }).vapidPrivateKey).toBe(key)
  for (const wrong of ['short', `${key}=`, key.replace('-', '+'), 'A'.repeat(43)])
    expect(refusal({ VAPID_PRIVATE_KEY: wrong })).toContain('VAPID_PRIVATE_KEY')
})

test('WEB_CONCURRENCY is a number or auto, and as many workers as the embedded database has connections for', () => {
  expect(readEnv({}).workers).toBe(1)
  expect(readEnv({ WEB_CONCURRENCY: '3' }).workers).toBe(3)
  expect(readEnv({ WEB_CONCURRENCY: 'auto' }).workers).toBeGreaterThan(0)
  expect(readEnv({ WEB_CONCURRENCY: '40', DATABASE_URL: 'postgres://db' }).workers).toBe(40)
  expect(() => readEnv({ WEB_CONCURRENCY: '40' })).toThrow(/WEB_CONCURRENCY: the embedded database .* 8 at most/)
  for (const wrong of ['0', '1.5', 'many'])
    expect(() => readEnv({ WEB_CONCURRENCY: wrong })).toThrow(/WEB_CONCURRENCY: is not auto or a whole number/)
})

test('scheduled backups need a folder, a known schedule, a number for each period, and a passphrase that can seal', () => {
  const backups = (source: Record<string, string>) => readEnv({ BACKUP_DIR: '/backups', ...source }).backups
  expect(readEnv({}).backups).toBeNull()
  expect(backups({})).toEqual({
    dir: '/backups',
    bucket: null,
    schedule: { every: 'day', atMinute: 210 },
    keep: { daily: 7, weekly: 4, monthly: 12 },
  })
  expect(backups({ BACKUP_SCHEDULE: 'hourly' })?.keep).toEqual({ hourly: 24, daily: 7, weekly: 4, monthly: 12 })
  expect(backups({ BACKUP_KEEP: '2 yearly' })?.keep).toEqual({ yearly: 2 })
  expect(refusal({ BACKUP_DIR: '/backups', BACKUP_SCHEDULE: 'weekly', BACKUP_KEEP: 'all' })).toMatch(
    /BACKUP_SCHEDULE: is not hourly.*\n- BACKUP_KEEP: is not like 7 daily/,
  )
  expect(refusal({ BACKUP_DIR: 's3://bucket/shop' })).toContain('BACKUP_DIR: is not a folder')
  expect(refusal({ BACKUP_SCHEDULE: 'hourly' })).toContain('BACKUP_SCHEDULE: needs BACKUP_DIR')
  expect(refusal({ BACKUP_DIR: '/backups', ALTOCERT_BACKUP_PASSPHRASE: 'short' })).toContain(
    'ALTOCERT_BACKUP_PASSPHRASE: needs 12 characters or more',
  )
})

test('a bucket for backups needs a name, a region or an endpoint, and the key; plain http only for sealed backups or this machine', () => {
  const key = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' }
  const bucketOf = (source: Record<string, string>) => readEnv({ ...key, ...source }).backups?.bucket
  expect(readEnv({ ...key, AWS_REGION: 'eu-central-1' }).backups).toBeNull()
  expect(bucketOf({ BACKUP_S3_BUCKET: 'shop-backups', BACKUP_S3_REGION: 'eu-central-1' })).toEqual({
    bucket: 'shop-backups',
    prefix: '',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    accessKeyId: 'AKIA',
    secretAccessKey: 'secret',
    sessionToken: undefined,
  })
  const elsewhere = { BACKUP_S3_BUCKET: 'backups/shop/1/', BACKUP_S3_ENDPOINT: 'https://s3.example.com:9000' }
  expect(bucketOf(elsewhere)).toMatchObject({
    bucket: 'backups',
    prefix: 'shop/1/',
    endpoint: 'https://s3.example.com:9000',
    region: 'us-east-1',
  })
  expect(refusal({ BACKUP_S3_BUCKET: 'A b' })).toMatch(
    /BACKUP_S3_BUCKET: is not the name.*\n- BACKUP_S3_REGION: is missing.*\n.*\n?- AWS_ACCESS_KEY_ID: is missing.*\n- AWS_SECRET_ACCESS_KEY: is missing/,
  )
  expect(refusal({ BACKUP_S3_ENDPOINT: 'https://s3.example.com' })).toContain(
    'BACKUP_S3_ENDPOINT: needs BACKUP_S3_BUCKET',
  )
  const at = (endpoint: string) => ({ ...key, BACKUP_S3_BUCKET: 'backups', BACKUP_S3_ENDPOINT: endpoint })
  for (const wrong of ['s3.example.com', 'https://s3.example.com/backups', 'ftp://s3.example.com'])
    expect(refusal(at(wrong))).toContain('BACKUP_S3_ENDPOINT: is not an https or http address without a path')
  expect(refusal(at('http://s3.example.com'))).toContain('BACKUP_S3_ENDPOINT: is not https')
  expect(bucketOf(at('http://127.0.0.1:9000'))).toMatchObject({ endpoint: 'http://127.0.0.1:9000' })
  expect(
    bucketOf({ ...at('http://s3.example.com'), ALTOCERT_BACKUP_PASSPHRASE: 'correct horse battery' }),
  ).toBeDefined()
})
