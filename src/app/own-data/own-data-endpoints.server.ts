import { z } from 'zod'
import * as access from '../../features/access/access-queries.server.ts'
import { eraseAccessHolder } from '../../features/access/access-commands.server.ts'
import { endedSessionCookie } from '../../features/accounts/sessions/session-cookie-queries.server.ts'
import { isPassword } from '../../features/accounts/argon2-gateway.server.ts'
import { deletedEmail, deletionEmail } from '../../features/accounts/accounts-emails.server.ts'
import { findUserRecord } from '../../features/accounts/users/users-queries.server.ts'
import { fail as failUsers, UserPath } from '../../features/accounts/users/users.schema.ts'
import * as accounts from '../../features/accounts/accounts-queries.server.ts'
import { fail } from '../../features/accounts/accounts.schema.ts'
import {
  claimSignIn,
  clearSignInCount,
  eraseAccount,
  issueToken,
  selectLeavingUser,
  useDeletionToken,
} from '../../features/accounts/accounts-commands.server.ts'
import * as attempts from '../../features/attempts/review/own-attempts-queries.server.ts'
import * as reports from '../../features/attempts/reports/question-reports-queries.server.ts'
import { eraseTaker } from '../../features/attempts/attempts-commands.server.ts'
import { closeOpenOrders } from '../../features/checkout/payment/payment-commands.server.ts'
import * as checkout from '../../features/checkout/orders-queries.server.ts'
import type { CheckoutDeps } from '../../features/checkout/orders-commands.server.ts'
import * as feedback from '../../features/feedback/feedback-queries.server.ts'
import { eraseFeedbackAuthor } from '../../features/feedback/feedback-commands.server.ts'
import * as study from '../../features/study/study-queries.server.ts'
import { eraseLearner } from '../../features/study/study-commands.server.ts'
import type { Db } from '../../db/open.server.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import type { UserId } from '../../lib/ids.ts'
import type { User } from '../../lib/user.ts'
import { audit, auditView, eraseInAudit, listAuditAbout } from '../../platform/audit-log/audit-log-commands.server.ts'
import { requireAdmin, requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { CLEARED_AT_SIGN_OUT } from '../../platform/http/security-headers.server.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { fail as failPlatform } from '../../platform/request-failures.ts'
import { inOnePage, inPages, type OwnData } from '../../platform/own-data-export.server.ts'
import { copy } from '../app.copy.ts'
import { asJson, asZippedCsv, OWN_DATA_FORMAT, OWN_DATA_VERSION } from './own-data-file.server.ts'

const OwnDataFormat = z.object({ format: z.enum(['json', 'csv']).default('json') })
/** docs/own-data.md describes each kind of data. */
const OwnDataFile = z.object({
  format: z.literal(OWN_DATA_FORMAT),
  version: z.literal(OWN_DATA_VERSION),
  exportedAt: z.string(),
  data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})
/** The password, or the token of the email for an account without one. */
const DeleteAccount = z.object({
  password: z.string().max(256).optional(),
  token: z.string().max(500).optional(),
})

/** An admin deletes an account on a request that came another way, such as by mail. */
const DeleteOther = z.object({
  /** The email address of the account, typed as a confirmation. */
  email: z.string().max(320),
  reason: z
    .string(copy['person.reason.missing'])
    .trim()
    .min(1, copy['person.reason.missing'])
    .max(500, copy['person.reason.long']),
})

type OwnDataDependencies = { readonly shop: Omit<CheckoutDeps, 'log' | 'appUrl'>; readonly mail: Mail }

/** Export and deletion of a user's data across features: by the user, or by an admin for them. */
export function ownDataApi(deps: OwnDataDependencies) {
  return [
    ...ownEndpoints(deps),
    // After the paths of `me`: the first endpoint that matches answers.
    ...adminEndpoints(deps),
  ]
}

function ownEndpoints(deps: OwnDataDependencies) {
  const { brand } = deps.shop
  return [
    endpoint({
      method: 'GET',
      path: '/api/profiles/me/data',
      mayTakeLong: true,
      who: 'signed-in',
      about: 'Exports all data of the user, as one JSON file or a zip of CSV files.',
      limit: 'export',
      query: OwnDataFormat,
      reply: OwnDataFile,
      async handle({ query }, context) {
        const user = requireUser(context)
        return fileOf(context, listOwnData(context.db, deps.mail, user), brand, query.format)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/me/deletion-email',
      formerPaths: ['/api/profiles/me/deletion-letter'],
      who: 'signed-in',
      about: 'Emails a link that deletes an account without a password.',
      reply: Done,
      async handle(_input, context) {
        const user = requireUser(context)
        await context.db.transaction().execute(async (tx) => {
          const token = await issueToken(tx, { purpose: 'delete', userId: user.id, now: context.clock.now() })
          const url = `${context.appUrl}${paths.deleteAccount}?token=${token}`
          if (!(await deps.mail.send(deletionEmail({ ...user, brand, url }), tx))) throw failPlatform('mail.too-many')
        })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/me/deletion',
      mayTakeLong: true,
      who: 'signed-in',
      about: "Deletes the user's account, confirmed by its password or the token of the email. Orders are anonymized.",
      body: DeleteAccount,
      reply: Done,
      async handle({ body }, context) {
        await deleteOwnAccount(deps, context, body)
        context.replyHeaders.append('set-cookie', endedSessionCookie(context.appUrl))
        context.replyHeaders.set('clear-site-data', CLEARED_AT_SIGN_OUT)
        return done
      },
    }),
  ]
}

function adminEndpoints(deps: OwnDataDependencies) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/profiles/:userId/data',
      mayTakeLong: true,
      who: 'admin',
      needsConfirmation: true,
      about: "Exports another user's data, for a request that came by email or mail. Adds an audit entry.",
      limit: 'export',
      params: UserPath,
      query: OwnDataFormat,
      reply: OwnDataFile,
      async handle({ params, query }, context) {
        const { id: actorId } = requireAdmin(context)
        const user = await requireOther(context.db, params.userId)
        const after = { format: query.format }
        await auditView(context, { actorId, action: 'person.export', table: 'profiles', id: user.id, after })
        return fileOf(context, listOwnData(context.db, deps.mail, user), deps.shop.brand, query.format)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/deletion',
      mayTakeLong: true,
      who: 'admin',
      needsConfirmation: true,
      about: "Deletes another user's account, confirmed by its email address, with a reason. Orders are anonymized.",
      params: UserPath,
      body: DeleteOther,
      reply: Done,
      async handle({ params, body }, context) {
        const { id: actorId } = requireAdmin(context)
        const user = await requireOther(context.db, params.userId)
        if (user.id === actorId) throw failUsers('person.own-deletion')
        if (body.email.trim().toLowerCase() !== user.email.toLowerCase())
          throw fail('account.failed', {
            sentence: copy['person.delete.other'],
            fields: [{ field: 'email', message: copy['person.delete.other'] }],
          })
        await closeOpenOrders(context.db, orderDeps(deps, context), { userId: user.id, now: context.clock.now() })
        await context.db.transaction().execute(async (tx) => {
          // A concurrent call already deleted the account.
          if (!(await selectLeavingUser(tx, user.id))) throw failUsers('person.not-found')
          const after = { reason: body.reason.replaceAll(user.email, '(deleted)') }
          await deleteUser(tx, deps, context, { user, actorId, after })
        })
        return done
      },
    }),
  ]
}

function orderDeps({ shop }: OwnDataDependencies, { log, appUrl }: RequestContext): CheckoutDeps {
  return { ...shop, log, appUrl }
}

async function deleteOwnAccount(
  deps: OwnDataDependencies,
  context: RequestContext,
  proof: z.infer<typeof DeleteAccount>,
): Promise<void> {
  const user = requireUser(context)
  await provePassword(context, user, proof)
  await accounts.requireLeaving(context.db, user.id)
  const now = context.clock.now()
  await closeOpenOrders(context.db, orderDeps(deps, context), { userId: user.id, now })
  await context.db.transaction().execute(async (tx) => {
    // A concurrent call already deleted the account.
    if (!(await selectLeavingUser(tx, user.id))) throw fail('account.failed')
    const identity = await accounts.findIdentity(tx, user.email.toLowerCase())
    if ((identity?.passwordHash ?? '') === '')
      await useDeletionToken(tx, { token: proof.token ?? '', userId: user.id, now })
    await deleteUser(tx, deps, context, { user: { ...user, isVerified: true }, actorId: user.id, after: null })
  })
}

/** Wrong passwords count towards the lockout, so that a stolen session can't be used to try them. */
async function provePassword(context: RequestContext, user: User, proof: z.infer<typeof DeleteAccount>) {
  const { db } = context
  const email = user.email.toLowerCase()
  const identity = await accounts.findIdentity(db, email)
  const hash = identity?.passwordHash ?? ''
  if (hash === '') {
    // The transaction that deletes the account checks the token and marks it as used.
    if (proof.token === undefined) throw fail('account.bad-deletion-token')
    return
  }
  const claim = await claimSignIn(db, { email, device: '', now: context.clock.now() })
  if (claim.kind === 'locked')
    throw fail('account.locked', { sentence: fill(copy['own-data.locked'], { n: claim.minutes }) })
  if (!(await isPassword(proof.password ?? '', hash)))
    throw fail('account.wrong-password', {
      fields: [{ field: 'password', message: fail('account.wrong-password').message }],
    })
  await clearSignInCount(db, { email, device: '' })
}

type Account = Pick<User, 'id' | 'email' | 'name'> & { readonly isVerified: boolean }

/** Erases the account, writes an audit entry and emails a confirmation, all in `tx`. */
async function deleteUser(
  tx: Db,
  { mail, shop }: OwnDataDependencies,
  { clock, appUrl }: RequestContext,
  { user, actorId, after }: { user: Account; actorId: UserId; after: { reason: string } | null },
): Promise<void> {
  const now = clock.now()
  await eraseEverythingOf(tx, mail, user, now)
  const entry = { action: 'account.delete', table: 'users', id: user.id, before: null } as const
  await audit(tx, { at: now, actorId, ...entry, after })
  const name = user.isVerified ? user.name : null
  await mail.send(deletedEmail({ email: user.email, name, brand: shop.brand, url: appUrl }), tx)
}

/** Erases personal data in every feature. Orders stay without a name, because the law requires them. */
async function eraseEverythingOf(tx: Db, mail: Mail, user: Account, now: Date): Promise<void> {
  await eraseLearner(tx, user.id)
  await eraseTaker(tx, user.id)
  await eraseAccessHolder(tx, user.id, now)
  await eraseFeedbackAuthor(tx, user.id)
  await eraseAccount(tx, { userId: user.id, email: user.email, now })
  await eraseInAudit(tx, user)
  await mail.forget(tx, user.email)
}

/** @throws Failure person.not-found */
async function requireOther(db: Db, userId: string): Promise<Account> {
  const user = await findUserRecord(db, userId)
  if (user === null) throw failUsers('person.not-found')
  return { id: user.id as UserId, email: user.email, name: user.name, isVerified: user.isVerified }
}

function fileOf(context: RequestContext, parts: OwnData[], brand: string, format: 'json' | 'csv'): Response {
  const now = context.clock.now()
  const isJson = format === 'json'
  const name = `${brand.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-data-${now.toISOString().slice(0, 10)}`
  return new Response(streamOf(isJson ? asJson(parts, now) : asZippedCsv(parts)), {
    headers: {
      'content-type': isJson ? 'application/json; charset=utf-8' : 'application/zip',
      'content-disposition': `attachment; filename="${name}.${isJson ? 'json' : 'zip'}"`,
      'cache-control': 'no-store',
    },
  })
}

/** All data about a user, by feature. */
function listOwnData(db: Db, mail: Mail, user: Pick<User, 'id' | 'email'>): OwnData[] {
  const { id } = user
  return [
    ...accounts.exportOf(db, id),
    ...checkout.exportOf(db, id),
    ...access.exportOf(db, id),
    ...attempts.exportOf(db, id),
    ...reports.exportOf(db, id),
    ...study.exportOf(db, id),
    ...feedback.exportOf(db, id),
    { name: 'mails', pages: inOnePage(() => mail.listStored(db, user.email)) },
    {
      name: 'audit_lines',
      pages: inPages((after: { id: number } | null, size) =>
        listAuditAbout(db, { userId: id, afterId: after?.id ?? 0, limit: size }),
      ),
    },
  ]
}

/** Reads from the database as fast as the client downloads, and stops when it disconnects. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
