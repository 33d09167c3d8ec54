import { hkdfSync } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { html } from 'hono/html'
import type { Ctx, Interaction, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Log } from '../../platform/log.server.ts'
import { findAccount, storeAccount, recordsOf, signingKey } from './oidc-records.server.ts'
import { pageHeaders, emulatorPage, STYLESHEET_PATH, type Markup } from '../emulator-layout.server.ts'
import { prepareEmulators } from '../emulator-storage.server.ts'
import { stylesheet } from '../emulator-style.server.ts'

const MAX_BODY_BYTES = 16 * 1024
const INTERACTION_SECONDS = 60 * 60
const SESSION_SECONDS = 24 * 60 * 60
const TOKEN_SECONDS = 60 * 60
const CODE_SECONDS = 60

const SESSION_COOKIE = 'demo_google'
const sessionCookie = new RegExp(`(?<![\\w.-])${SESSION_COOKIE}(\\.sig)?=[^;]*;?`, 'g')

type Google = {
  /** Handles every path below the issuer's; expects the full URL path, with the mount path. */
  listener: RequestListener
  issuer: string
  clientId: string
  clientSecret: string
}

type GoogleOptions = {
  pool: Pool
  /** Where the emulators are mounted, such as `http://localhost:3000/demo`. */
  publicBase: string
  clientId: string
  clientSecret: string
  redirectUris: readonly string[]
  log: Pick<Log, 'error'>
}

/** An OpenID provider in place of Google. It accepts any name and email address, and asks at every sign-in. */
export async function createGoogle(options: GoogleOptions): Promise<Google> {
  const { pool, clientId, clientSecret, log } = options
  await prepareEmulators(pool)
  const issuer = `${options.publicBase}/google`
  const base = new URL(issuer).pathname
  const provider = await createProvider(issuer, base, options)
  const handle = provider.callback()
  const listener: RequestListener = (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (path === `${base}${STYLESHEET_PATH}`) {
      response.writeHead(200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' })
      response.end(stylesheet)
    } else if (path.startsWith(`${base}/interaction/`)) {
      answerInteraction({ provider, base, pool }, request, response).catch((error: unknown) => {
        log.error({ err: error }, 'google emulator: request failed')
        if (!response.headersSent) response.writeHead(500)
        response.end()
      })
    } else {
      // Every sign-in starts without a session: the provider would skip the page for choosing an account when it remembers
      // a user, and would show a page of its own when the user changes.
      request.headers.cookie = (request.headers.cookie ?? '').replace(sessionCookie, '')
      // The provider derives its mount path from the difference of the two URLs, as under Express.
      Object.assign(request, { originalUrl: request.url })
      request.url = (request.url ?? '/').slice(base.length) || '/'
      handle(request, response)
    }
  }
  return { listener, issuer, clientId, clientSecret }
}

async function createProvider(issuer: string, base: string, options: GoogleOptions): Promise<Provider> {
  const { pool, clientId, clientSecret, log } = options
  const { interactionPolicy, Provider } = await loadProvider()
  // The default prompts, and `select_account`, by which shops ask Google to show the account chooser.
  const prompts = interactionPolicy.base()
  prompts.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }))
  const provider: Provider = new Provider(issuer, {
    ...(await protocolSettings(options)),
    cookies: {
      keys: [Buffer.from(hkdfSync('sha256', clientSecret, 'google stand-in', 'cookies', 32)).toString('hex')],
      names: { session: SESSION_COOKIE, interaction: 'demo_google_step', resume: 'demo_google_resume' },
      long: { httpOnly: true, sameSite: 'lax', path: base },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    interactions: {
      url: (_ctx: Ctx, interaction: Interaction) => `${base}/interaction/${interaction.uid}`,
      policy: prompts,
    },
    // Grants everything without asking for consent.
    loadExistingGrant: async (ctx: Ctx) => {
      const accountId = ctx.oidc.session?.accountId
      const grantee = ctx.oidc.client?.clientId
      if (accountId === undefined || grantee === undefined) return undefined
      const grant = new provider.Grant({ accountId, clientId: grantee })
      grant.addOIDCScope([...ctx.oidc.requestParamOIDCScopes].join(' '))
      await grant.save()
      return grant
    },
    findAccount: async (_ctx: Ctx, sub: string) => {
      const account = await findAccount(pool, sub)
      if (account === null) return undefined
      const { email, isEmailVerified, name } = account
      return { accountId: sub, claims: () => ({ sub, email, email_verified: isEmailVerified, name }) }
    },
    renderError: async (ctx: Ctx, out: { error: string; error_description?: string }) => {
      ctx.set(pageHeaders())
      ctx.body = String(await errorPage(base, out.error_description ?? out.error))
    },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...options.redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
  })
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'google emulator: request failed'))
  return provider
}

async function protocolSettings({ pool }: GoogleOptions) {
  return {
    adapter: (kind: string) => recordsOf(pool, kind),
    jwks: { keys: [await signingKey(pool)] },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Like Google, put these claims into the ID token as well.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
    },
    ttl: {
      AccessToken: TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      IdToken: TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: SESSION_SECONDS,
      Grant: SESSION_SECONDS,
    },
    clientBasedCORS: () => false,
  }
}

async function answerInteraction(
  { provider, base, pool }: { provider: Provider; base: string; pool: Pool },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response).catch(() => null)
  if (interaction === null) {
    const sentence = 'This sign-in has expired, or it started in another browser. Go back and start again.'
    return send(response, 400, await errorPage(base, sentence))
  }
  const targets = [interaction.params.redirect_uri]
  if (request.method !== 'POST') {
    const values = { name: '', email: interaction.params.login_hint ?? '', isVerified: true, problems: {} }
    return send(response, 200, await askPage(base, interaction.uid, values), targets)
  }
  const form = await readBody(request)
  if (form === null) return send(response, 413, await errorPage(base, 'The form is too large.'))
  if (form.get('answer') === 'cancel') {
    const denial = { error: 'access_denied', error_description: 'The user cancelled' }
    return provider.interactionFinished(request, response, denial, { mergeWithLastSubmission: false })
  }
  const typed = { name: form.get('name') ?? '', email: form.get('email') ?? '' }
  const isVerified = form.get('email_verified') === 'on'
  const user = User.safeParse(typed)
  if (!user.success) {
    const problems: Problems = {}
    for (const issue of user.error.issues) problems[issue.path[0] === 'name' ? 'name' : 'email'] ??= issue.message
    return send(response, 200, await askPage(base, interaction.uid, { ...typed, isVerified, problems }), targets)
  }
  const account = await storeAccount(pool, { ...user.data, isEmailVerified: isVerified })
  // `select_account` and `consent` answer the prompts of the same names.
  const result = { login: { accountId: account.sub, remember: false }, select_account: {}, consent: {} }
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const User = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(200, 'The name is too long.'),
  email: z.email('Enter an email address, such as ana@example.com.').max(254, 'The address is too long.'),
})
type Problems = { name?: string; email?: string }

function askPage(
  base: string,
  uid: string,
  values: { name: string; email: string; isVerified: boolean; problems: Problems },
): Markup {
  const { problems } = values
  return frame(
    'Sign in with the Google emulator',
    base,
    html`<h1>Who are you?</h1>
      <p>Enter any name and email address. No password is needed, and nothing is sent to Google.</p>
      <form method="post" action="${base}/interaction/${uid}" novalidate>
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            name="name"
            autocomplete="name"
            maxlength="300"
            value="${values.name}"
            ${problems.name === undefined ? '' : html`aria-invalid="true" aria-describedby="name-error"`}
            ${problems.name !== undefined || problems.email === undefined ? 'autofocus' : ''}
          />
          ${problems.name === undefined ? '' : html`<p class="error" id="name-error">${problems.name}</p>`}
        </div>
        <div class="field">
          <label for="email">Email address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="email"
            maxlength="300"
            value="${values.email}"
            ${problems.email === undefined ? '' : html`aria-invalid="true" aria-describedby="email-error"`}
            ${problems.name === undefined && problems.email !== undefined ? 'autofocus' : ''}
          />
          ${problems.email === undefined ? '' : html`<p class="error" id="email-error">${problems.email}</p>`}
        </div>
        <label class="choice field"
          ><input type="checkbox" name="email_verified" ${values.isVerified ? 'checked' : ''} />Email is verified</label
        >
        <div class="row">
          <button>Continue</button>
          <button class="plain" name="answer" value="cancel">Cancel</button>
        </div>
      </form>`,
  )
}

function errorPage(base: string, sentence: string): Markup {
  return frame(
    'Sign-in did not work',
    base,
    html`<h1>Sign-in did not work</h1>
      <p>${sentence}</p>`,
  )
}

function frame(title: string, base: string, body: Markup): Markup {
  return emulatorPage({
    title,
    label: 'Google emulator',
    notice: 'This is not Google: it emulates the sign-in on this machine.',
    stylesheet: `${base}${STYLESHEET_PATH}`,
    body,
  })
}

function send(response: ServerResponse, status: number, page: string, formTargets: readonly string[] = []): void {
  response.writeHead(status, pageHeaders(formTargets))
  response.end(String(page))
}

async function readBody(request: IncomingMessage): Promise<URLSearchParams | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY_BYTES) return null
    parts.push(part)
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}

/**
 * Loads the package only when the emulator starts, because it brings a web framework of its own. Suppresses its warning about
 * Node 20, on which our tests pass.
 */
async function loadProvider() {
  const { warn } = console
  console.warn = () => {}
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
