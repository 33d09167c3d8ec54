import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { DatabaseAddress } from '../db/open.server.ts'
import { readBackupSettings, type BackupSettings } from './backup-settings.server.ts'
import { describeDefaults, readLimits, type LimitNumbers } from './limits/rate-limits.ts'
import { readTelemetry, telemetryVariables, type TelemetrySettings } from './telemetry/telemetry-settings.ts'

const optional = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional())
const flagOff = optional.transform((value) => value?.toLowerCase() !== 'off')

const MOST_WORKERS = 256
const NO_COUNT = `is not auto or a whole number from 1 to ${MOST_WORKERS}`
/** It has 100 connections. */
const MOST_WITH_EMBEDDED = 8

/** Every variable that the product reads; `npm run env` generates `.env.example` from this table. */
export const variables = {
  PORT: {
    schema: z.preprocess((v) => (v === '' ? undefined : v), z.coerce.number().int().min(0).max(65_535).default(3000)),
    about: 'The port to listen on.',
  },
  LISTEN_HOST: {
    schema: optional,
    about: 'The address of this machine to listen on, such as 127.0.0.1 behind a proxy; all of them when unset.',
  },
  WEB_CONCURRENCY: {
    schema: z.preprocess(
      (v) => (v === '' ? undefined : v),
      z
        .union([z.literal('auto'), z.coerce.number().int(NO_COUNT).min(1, NO_COUNT).max(MOST_WORKERS, NO_COUNT)], {
          error: NO_COUNT,
        })
        .default(1),
    ),
    about: 'How many processes serve, on one port; auto for one per core, 1 when unset (docs/operations.md).',
  },
  APP_URL: {
    schema: optional,
    about:
      'The public address; http://localhost:$PORT when unset. An address that is not loopback needs all real services below.',
  },
  DATA_DIR: {
    schema: optional.transform((value) => value ?? './data'),
    about: 'The folder of the embedded database and the stored secrets.',
  },
  DATABASE_URL: { schema: optional, about: 'Any PostgreSQL 15 or newer; the embedded server when unset.' },
  DATABASE_DIRECT_URL: {
    schema: optional,
    about:
      'PostgreSQL itself, where DATABASE_URL leads to a pooler in transaction mode such as PgBouncer; the same as DATABASE_URL when unset.',
  },
  DATABASE_PREPARED_STATEMENTS: {
    schema: z.preprocess((v) => (v === '' ? undefined : v), z.enum(['on', 'off']).optional()),
    about:
      'on: for a pooler that keeps the prepared statements of its clients, as PgBouncer does from 1.21 with max_prepared_statements. Off when unset with DATABASE_DIRECT_URL, else on.',
  },
  DATABASE_REPLICA_URL: {
    schema: optional,
    about:
      'A streaming replica of the database, PostgreSQL itself: guest pages, lists, statistics and exports are read from it while it is new enough; everything is read from DATABASE_URL when unset.',
  },
  STRIPE_SECRET_KEY: {
    schema: optional,
    about: 'Stripe, together with the webhook secret; an emulator when unset.',
  },
  STRIPE_WEBHOOK_SECRET: { schema: optional, about: 'The signing secret of the endpoint /api/webhooks/stripe.' },
  STRIPE_API_BASE: {
    schema: optional,
    about: "Another host with Stripe's API, such as http://127.0.0.1:12111.",
  },
  STRIPE_CHECKOUT_DOMAIN: {
    schema: optional,
    about:
      "The domain of Stripe's payment page where the account has its own, such as pay.example.com; checkout.stripe.com when unset.",
  },
  SMTP_URL: {
    schema: optional,
    about:
      'The mail server, such as smtps://user:password@mail.example:465; the demo outbox when unset. smtp:// to another machine needs STARTTLS, or ?ignoreTLS=true.',
  },
  MAIL_FROM: { schema: optional, about: 'The sender of emails, such as Altocert <hello@example.com>.' },
  GOOGLE_CLIENT_ID: { schema: optional, about: 'Sign-in with Google; an emulator when unset.' },
  GOOGLE_CLIENT_SECRET: { schema: optional, about: 'Belongs to the client id.' },
  GOOGLE_ISSUER: { schema: optional, about: 'The OpenID issuer; https://accounts.google.com when unset.' },
  ADMIN_EMAIL: { schema: optional, about: 'With ADMIN_PASSWORD: a verified admin that the start creates.' },
  ADMIN_PASSWORD: {
    schema: optional,
    about: 'Eight characters or more, with upper and lower case, a digit and a special character.',
  },
  ADMIN_SECOND_FACTOR: {
    schema: z.preprocess((v) => (v === '' ? undefined : v), z.enum(['off', 'required']).default('off')),
    about: 'required: admins need an authenticator app or a passkey. off: they may choose.',
  },
  AUTH_SECRET: {
    schema: optional,
    about: 'Signs cookies, 32 characters or more; the demo generates one and stores it in DATA_DIR.',
  },
  VAPID_PRIVATE_KEY: {
    schema: optional,
    about:
      'Signs notifications: 32 bytes in base64url, as `npx web-push generate-vapid-keys` prints; made of AUTH_SECRET when unset. With another one, learners turn notifications on again.',
  },
  TRUSTED_PROXIES: {
    schema: optional,
    about: 'Addresses of proxies whose X-Forwarded-For is trusted, separated by commas; none when unset.',
  },
  EDGE_CACHE_SECONDS: {
    schema: z.preprocess((v) => (v === '' ? undefined : v), z.coerce.number().int().min(0).max(3600).default(0)),
    about:
      'How long a CDN or proxy in front may show guests a page before it asks again, up to 3600; it never may when unset (docs/operations.md).',
  },
  SECURITY_CONTACT: {
    schema: optional,
    about: 'Where to report security problems, an email or https address; the address of MAIL_FROM when unset.',
  },
  HSTS_SUBDOMAINS: {
    schema: flagOff,
    about: 'off: on https, browsers are told to use https for this host only, and not for its subdomains.',
  },
  METRICS_TOKEN: {
    schema: optional,
    about: 'The bearer token for /metrics, 16 characters or more; only this machine may read them when unset.',
  },
  LIMITS: {
    schema: optional,
    about: `Limits that differ from the defaults, such as checkout=20,search=120. The defaults: ${describeDefaults()}.`,
  },
  ALTOCERT_BACKUP_PASSPHRASE: {
    schema: optional,
    about:
      'Seals scheduled backups and those made with --seal, 12 characters or more, and opens them; the command asks for it when unset.',
  },
  BACKUP_DIR: {
    schema: optional,
    about:
      'The folder for scheduled backups, for this shop alone; none are made when this and BACKUP_S3_BUCKET are unset.',
  },
  BACKUP_S3_BUCKET: {
    schema: optional,
    about:
      'The bucket for scheduled backups, with or without a folder (backups/shop). With BACKUP_DIR it gets a copy of each; without, it alone has them.',
  },
  BACKUP_S3_ENDPOINT: {
    schema: optional,
    about: 'The https address of an S3 service other than AWS; that of AWS in BACKUP_S3_REGION when unset.',
  },
  BACKUP_S3_REGION: {
    schema: optional,
    about: 'The region of the bucket; AWS_REGION when unset, and us-east-1 where BACKUP_S3_ENDPOINT is set.',
  },
  AWS_ACCESS_KEY_ID: { schema: optional, about: 'The key for the bucket.' },
  AWS_SECRET_ACCESS_KEY: { schema: optional, about: 'The secret of that key.' },
  AWS_SESSION_TOKEN: { schema: optional, about: 'The token of a temporary key.' },
  AWS_REGION: { schema: optional, about: 'The region of the bucket when BACKUP_S3_REGION is unset.' },
  BACKUP_SCHEDULE: {
    schema: optional,
    about: 'When backups are made, in UTC: hourly, or daily with a time of day; daily 03:30 when unset.',
  },
  BACKUP_KEEP: {
    schema: optional,
    about:
      'How many backups are kept, of the last hours, days, weeks, months and years that have one; 7 daily, 4 weekly, 12 monthly when unset, and 24 hourly of hourly ones.',
  },
  LINK_CHECKS: {
    schema: z.preprocess((v) => (v === '' ? undefined : v), z.enum(['on', 'off']).optional()),
    about:
      'on: the links of questions, study sheets and courses are opened once a week to find dead ones; off: never. On when unset, but off while APP_URL is loopback.',
  },
  DEMO_CATALOGUE: { schema: flagOff, about: 'off: an empty database stays empty.' },
  BRAND_NAME: {
    schema: optional.transform((value) => value ?? 'Altocert'),
    about: 'The name in the header and in emails.',
  },
  BRAND_SHORT: { schema: optional.transform((value) => value ?? 'Alto'), about: 'The name on small screens.' },
  LOG_LEVEL: {
    schema: z.preprocess(
      (v) => (v === '' ? undefined : v),
      z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    ),
    about: 'trace, debug, info, warn, error, fatal or silent.',
  },
  ...telemetryVariables,
} as const

export type Env = {
  readonly port: number
  /** How many processes serve the port. */
  readonly workers: number
  readonly listenHost: string | undefined
  readonly appUrl: string
  readonly dataDir: string
  /** Null for the embedded server. */
  readonly database: DatabaseAddress | null
  /** Null without a replica. */
  readonly replicaUrl: string | null
  readonly stripe: { secretKey: string; webhookSecret: string; apiBase: string | undefined } | null
  /** Where Stripe's payment page is, as an origin. */
  readonly paymentPage: string
  readonly mail: { smtpUrl: string; from: string } | null
  readonly google: { clientId: string; clientSecret: string; issuer: string } | null
  readonly admin: { email: string; password: string } | null
  /** Whether admins need a second factor. */
  readonly isAdminFactorRequired: boolean
  readonly authSecret: string | undefined
  /** Signs notifications, in base64url. */
  readonly vapidPrivateKey: string | undefined
  readonly trustedProxies: readonly string[]
  /** How long caches in front of the shop may keep guests' pages; 0 for never. */
  readonly edgeCacheSeconds: number
  /** An address as RFC 9116 has it, mailto: or https:. */
  readonly securityContact: string | undefined
  readonly hstsSubdomains: boolean
  readonly metricsToken: string | undefined
  readonly limits: LimitNumbers
  /** Scheduled backups; null when there are none. */
  readonly backups: BackupSettings | null
  readonly backupPassphrase: string | undefined
  /** Whether links of the catalogue are opened to find dead ones. */
  readonly checksLinks: boolean
  readonly demoCatalogue: boolean
  readonly brandName: string
  readonly brandShort: string
  readonly logLevel: string
  /** Traces and metrics that are sent by OpenTelemetry; null when it is off. */
  readonly telemetry: TelemetrySettings | null
  /** Whether APP_URL is a loopback address; emulators are allowed only then. */
  readonly isLoopback: boolean
}

export class BadEnvironment extends Error {
  override readonly name = 'BadEnvironment'
}

/** Parses the environment. @throws BadEnvironment with all problems, a line each */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { raw, problems } = parseVariables(source)
  const text = (name: string) => raw[name] as string | undefined
  const port = (raw['PORT'] as number | undefined) ?? 3000
  const appUrl = parseUrl(text('APP_URL') ?? `http://localhost:${port}`)
  if (appUrl === null) problems.push('APP_URL: is not an http or https address')
  const isLoopback = appUrl !== null && isLoopbackHost(appUrl.hostname)
  const services = { ...readServices(text, problems), ...readOthers(text, raw, problems) }
  const secret = text('AUTH_SECRET')
  if (secret !== undefined && secret.length < 32) problems.push('AUTH_SECRET: needs 32 characters or more')
  if ((text('METRICS_TOKEN')?.length ?? 16) < 16) problems.push('METRICS_TOKEN: needs 16 characters or more')
  problems.push(...problemsOfVapidKey(text('VAPID_PRIVATE_KEY')))
  const limits = readLimits(text('LIMITS') ?? '')
  problems.push(...limits.problems.map((problem) => `LIMITS: ${problem}`))
  const missing = listMissing(services, secret)
  if (appUrl !== null && !isLoopback && missing.length > 0)
    problems.push(
      `APP_URL is ${appUrl.origin}, which is not a loopback address, so emulators are not allowed. Missing:\n  - ${missing.join('\n  - ')}`,
    )
  const workers = workersOf(raw['WEB_CONCURRENCY'] as 'auto' | number | undefined, text('DATABASE_URL') === undefined)
  problems.push(...problemsOfDatabase(text, workers))
  const listenProblem = problemOfListenHost(text('LISTEN_HOST'), missing)
  if (listenProblem !== null) problems.push(listenProblem)
  const securityContact = parseContact(text('SECURITY_CONTACT'))
  if (securityContact === null) problems.push('SECURITY_CONTACT: is not an email address, mailto: or https: address')
  const paymentPage = parsePaymentPage(text('STRIPE_CHECKOUT_DOMAIN'))
  if (paymentPage === null) problems.push('STRIPE_CHECKOUT_DOMAIN: is not a domain such as pay.example.com')
  if (problems.length > 0)
    throw new BadEnvironment(`The environment is not valid:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)

  return {
    port,
    workers,
    listenHost: text('LISTEN_HOST'),
    appUrl: appUrl!.origin,
    dataDir: text('DATA_DIR')!,
    ...databasesOf(text),
    ...services,
    paymentPage: paymentPage!,
    isAdminFactorRequired: raw['ADMIN_SECOND_FACTOR'] === 'required',
    authSecret: secret,
    vapidPrivateKey: text('VAPID_PRIVATE_KEY'),
    edgeCacheSeconds: (raw['EDGE_CACHE_SECONDS'] as number | undefined) ?? 0,
    trustedProxies: (text('TRUSTED_PROXIES') ?? '')
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
    securityContact: securityContact ?? undefined,
    hstsSubdomains: raw['HSTS_SUBDOMAINS'] as boolean,
    metricsToken: text('METRICS_TOKEN'),
    limits: limits.numbers,
    backupPassphrase: text('ALTOCERT_BACKUP_PASSPHRASE'),
    checksLinks: raw['LINK_CHECKS'] === undefined ? !isLoopback : raw['LINK_CHECKS'] === 'on',
    demoCatalogue: raw['DEMO_CATALOGUE'] as boolean,
    brandName: text('BRAND_NAME')!,
    brandShort: text('BRAND_SHORT')!,
    logLevel: raw['LOG_LEVEL'] as string,
    isLoopback,
  }
}

function workersOf(wanted: 'auto' | number = 1, isEmbedded: boolean): number {
  if (wanted !== 'auto') return wanted
  return Math.min(availableParallelism(), isEmbedded ? MOST_WITH_EMBEDDED : MOST_WORKERS)
}

function problemsOfDatabase(text: (name: string) => string | undefined, workers: number): string[] {
  if (text('DATABASE_URL') !== undefined) return []
  return [
    ...(text('DATABASE_DIRECT_URL') === undefined
      ? []
      : ['DATABASE_DIRECT_URL: needs DATABASE_URL, the address of the pooler']),
    ...(workers > MOST_WITH_EMBEDDED
      ? [`WEB_CONCURRENCY: the embedded database has connections for ${MOST_WITH_EMBEDDED} at most; set DATABASE_URL`]
      : []),
    ...(text('DATABASE_REPLICA_URL') === undefined
      ? []
      : ['DATABASE_REPLICA_URL: needs DATABASE_URL, the address of the primary']),
  ]
}

function databasesOf(text: (name: string) => string | undefined): Pick<Env, 'database' | 'replicaUrl'> {
  return { database: databaseOf(text), replicaUrl: text('DATABASE_REPLICA_URL') ?? null }
}

function databaseOf(text: (name: string) => string | undefined): DatabaseAddress | null {
  const url = text('DATABASE_URL')
  if (url === undefined) return null
  const directUrl = text('DATABASE_DIRECT_URL') ?? url
  const prepared = text('DATABASE_PREPARED_STATEMENTS') ?? (directUrl === url ? 'on' : 'off')
  return { url, directUrl, preparesStatements: prepared === 'on' }
}

function readOthers(
  text: (name: string) => string | undefined,
  raw: Readonly<Record<string, unknown>>,
  problems: string[],
): Pick<Env, 'backups' | 'telemetry'> {
  return { backups: readBackupSettings({ text, problems, isLoopbackHost }), telemetry: readTelemetry(raw, problems) }
}

/** Emulators accept any payment and any name, so only this machine may reach them. */
function problemOfListenHost(host: string | undefined, missing: readonly string[]): string | null {
  if (host === undefined) return null
  if (host !== 'localhost' && isIP(host) === 0) return 'LISTEN_HOST: is not an address of this machine'
  const emulated = missing.filter((name) => !name.startsWith('AUTH_SECRET'))
  if (isLoopbackHost(host) || emulated.length === 0) return null
  return `LISTEN_HOST is ${host}, which other machines may reach, so emulators are not allowed. Missing:\n  - ${emulated.join('\n  - ')}`
}

function problemsOfVapidKey(key: string | undefined): string[] {
  if (key === undefined || (/^[\w-]{43}$/.test(key) && !/^A+$/.test(key))) return []
  return ['VAPID_PRIVATE_KEY: is not 32 bytes in base64url']
}

/** Undefined when unset, null when it is no address. */
function parseContact(contact: string | undefined): string | null | undefined {
  if (contact === undefined) return undefined
  if (/^https:\/\/\S+$/.test(contact)) return contact
  const address = contact.replace(/^mailto:/, '')
  return z.email().safeParse(address).success ? `mailto:${address}` : null
}

/** Null for what is more or less than a domain: it becomes a part of the content security policy. */
function parsePaymentPage(domain = 'checkout.stripe.com'): string | null {
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i.test(domain)
    ? `https://${domain.toLowerCase()}`
    : null
}

type Services = Pick<Env, 'stripe' | 'mail' | 'google' | 'admin'>

/** Each service needs all of its variables; one that has none of them is null. */
function readServices(text: (name: string) => string | undefined, problems: string[]): Services {
  const readAll = <Name extends string>(...names: Name[]): Record<Name, string> | null => {
    const missing = names.filter((name) => text(name) === undefined)
    if (missing.length > 0 && missing.length < names.length)
      problems.push(`${names.join(', ')}: set all of them or none (missing: ${missing.join(', ')})`)
    return missing.length > 0 ? null : (Object.fromEntries(names.map((name) => [name, text(name)])) as never)
  }
  const stripe = readAll('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
  const mail = readAll('SMTP_URL', 'MAIL_FROM')
  const google = readAll('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET')
  const admin = readAll('ADMIN_EMAIL', 'ADMIN_PASSWORD')
  return {
    stripe: stripe && {
      secretKey: stripe.STRIPE_SECRET_KEY,
      webhookSecret: stripe.STRIPE_WEBHOOK_SECRET,
      apiBase: text('STRIPE_API_BASE'),
    },
    mail: mail && { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM },
    google: google && {
      clientId: google.GOOGLE_CLIENT_ID,
      clientSecret: google.GOOGLE_CLIENT_SECRET,
      issuer: text('GOOGLE_ISSUER') ?? 'https://accounts.google.com',
    },
    admin: admin && { email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD },
  }
}

/** The variables without which a public address is refused. */
function listMissing({ stripe, mail, google }: Services, secret: string | undefined): string[] {
  return [
    ...(stripe === null ? ['STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET (payment)'] : []),
    ...(mail === null ? ['SMTP_URL, MAIL_FROM (mail)'] : []),
    ...(google === null ? ['GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET (sign-in with Google)'] : []),
    ...(secret === undefined ? ['AUTH_SECRET (signs cookies)'] : []),
  ]
}

function parseVariables(source: Record<string, string | undefined>) {
  const problems: string[] = []
  const raw = {} as Record<string, unknown>
  for (const [name, { schema }] of Object.entries(variables)) {
    const parsed = schema.safeParse(source[name])
    if (parsed.success) raw[name] = parsed.data
    else problems.push(`${name}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
  }
  return { raw, problems }
}

export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * Whether emails need TLS, so that nobody on the way reads them or the password: to another machine always, unless SMTP_URL says
 * `?requireTLS=false` or `?ignoreTLS=true`.
 */
export function needsTls(smtpUrl: string): boolean {
  if (!URL.canParse(smtpUrl)) return true
  const { hostname, searchParams } = new URL(smtpUrl)
  const isOff = searchParams.get('requireTLS') === 'false' || searchParams.get('ignoreTLS') === 'true'
  return !isLoopbackHost(hostname) && !isOff
}

/** The variables whose connections to other machines are not encrypted. */
export function listUnencrypted({ appUrl, stripe, mail, google, database, replicaUrl, telemetry }: Env): string[] {
  const isHttp = (address: string | undefined) => {
    const url = parseUrl(address ?? '')
    return url?.protocol === 'http:' && !isLoopbackHost(url.hostname)
  }
  return [
    ...(isHttp(appUrl) ? ['APP_URL'] : []),
    ...(isHttp(stripe?.apiBase) ? ['STRIPE_API_BASE'] : []),
    ...(isHttp(google?.issuer) ? ['GOOGLE_ISSUER'] : []),
    ...(mail !== null && isPlainSmtp(mail.smtpUrl) ? ['SMTP_URL'] : []),
    ...(database !== null && isPlainDatabase(database.url) ? ['DATABASE_URL'] : []),
    ...(database !== null && database.directUrl !== database.url && isPlainDatabase(database.directUrl)
      ? ['DATABASE_DIRECT_URL']
      : []),
    ...(replicaUrl !== null && isPlainDatabase(replicaUrl) ? ['DATABASE_REPLICA_URL'] : []),
    ...(isHttp(telemetry?.tracesUrl ?? undefined) || isHttp(telemetry?.metricsUrl ?? undefined)
      ? ['OTEL_EXPORTER_OTLP_ENDPOINT']
      : []),
  ]
}

function isPlainSmtp(address: string): boolean {
  return address.startsWith('smtp:') && !needsTls(address) && !isLoopbackHost(new URL(address).hostname)
}

/** Without a host it is a socket of this machine. An address that cannot be parsed is the driver's to refuse. */
function isPlainDatabase(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname, searchParams } = new URL(address)
  const mode = searchParams.get('sslmode') ?? 'disable'
  return hostname !== '' && !isLoopbackHost(hostname) && mode === 'disable' && searchParams.get('ssl') !== 'true'
}

function parseUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}
