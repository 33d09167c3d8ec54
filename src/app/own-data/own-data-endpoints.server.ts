import { z } from 'zod'
import * as access from '../../features/access/access-queries.server.ts'
import { eraseAccessHolder } from '../../features/access/access-commands.server.ts'
import { endedSessionCookie, isPassword } from '../../features/accounts/google-gateway.server.ts'
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
import { audit, auditLook, eraseInAudit, listAuditAbout } from '../../platform/audit-log/audit-log-commands.server.ts'
import { requireAdmin, requireUser, type RequestContext } from '../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import type { Mail } from '../../platform/mail.server.ts'
import { networkLimit } from '../../platform/http/network-limit.server.ts'
import { inOnePage, inPages, type OwnData } from '../../platform/own-data-export.server.ts'
import { copy } from '../app.copy.ts'
import { asJson, asZippedCsv, OWN_DATA_FORMAT, OWN_DATA_VERSION } from './own-data-file.server.ts'

/** Per network address: an export reads much, and a letter goes out to somebody. */
const ASKED_AT_MOST = 60
const WINDOW_MS = 15 * 60_000

const OwnDataFormat = z.object({ format: z.enum(['json', 'csv']).default('json') })
/** docs/own-data.md says what each kind holds. */
const OwnDataFile = z.object({
  format: z.literal(OWN_DATA_FORMAT),
  version: z.literal(OWN_DATA_VERSION),
  exportedAt: z.string(),
  data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})
/** The password, or the token of the mail for an account without one. */
const DeleteAccount = z.object({
  password: z.string().max(256).optional(),
  token: z.string().max(500).optional(),
})

/** An admin deletes an account for somebody who asked for it in another way. */
const DeleteOther = z.object({
  /** The address of the account, typed again. */
  email: z.string().max(320),
  reason: z
    .string(copy['person.reason.missing'])
    .trim()
    .min(1, copy['person.reason.missing'])
    .max(500, copy['person.reason.long']),
})

export type OwnDataDependencies = { readonly shop: Omit<CheckoutDeps, 'log' | 'appUrl'>; readonly mail: Mail }

/** What is held about somebody, in their hands: all of it to take along, and the end of it. */
export function ownDataApi(deps: OwnDataDependencies) {
  const limit = networkLimit({ attempts: ASKED_AT_MOST, windowMs: WINDOW_MS })
  const { brand } = deps.shop
  return [
    endpoint({
      method: 'GET',
      path: '/api/profiles/me/data',
      who: 'signed-in',
      about: 'Everything that is held about whoever asks, as one JSON file or a zip of CSV files.',
      query: OwnDataFormat,
      reply: OwnDataFile,
      async handle({ query }, context) {
        const user = requireUser(context)
        limit(context.networkAddress)
        return fileOf(context, listOwnData(context.db, deps.mail, user), brand, query.format)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/me/deletion-email',
      formerPaths: ['/api/profiles/me/deletion-letter'],
      who: 'signed-in',
      about: 'Mails a link with which an account that has no password can be deleted.',
      reply: Done,
      async handle(_input, context) {
        const user = requireUser(context)
        limit(context.networkAddress)
        await context.db.transaction().execute(async (tx) => {
          const token = await issueToken(tx, { purpose: 'delete', userId: user.id, now: context.clock.now() })
          const url = `${context.appUrl}${paths.deleteAccount}?token=${token}`
          await deps.mail.send(deletionEmail({ ...user, brand, url }), tx)
        })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/me/deletion',
      who: 'signed-in',
      about:
        'Deletes the account of whoever asks, with its password or the token of the mail. Orders stay, without a name.',
      body: DeleteAccount,
      reply: Done,
      async handle({ body }, context) {
        const user = requireUser(context)
        await provePassword(context, user, body)
        await accounts.requireLeaving(context.db, user.id)
        const shop = { ...deps.shop, log: context.log, appUrl: context.appUrl }
        await closeOpenOrders(context.db, shop, { userId: user.id, now: context.clock.now() })
        await context.db.transaction().execute((tx) => eraseUser(tx, deps, context, user, body.token ?? null))
        context.replyHeaders.append('set-cookie', endedSessionCookie(context.appUrl))
        return done
      },
    }),
    // After those of whoever asks: the first that fits answers.
    endpoint({
      method: 'GET',
      path: '/api/profiles/:userId/data',
      who: 'admin',
      about: 'Everything that is held about somebody, for whoever asked for it in another way. The audit log says so.',
      params: UserPath,
      query: OwnDataFormat,
      reply: OwnDataFile,
      async handle({ params, query }, context) {
        const { id: actorId } = requireAdmin(context)
        const user = await requireOther(context.db, params.userId)
        const after = { format: query.format }
        await auditLook(context, { actorId, action: 'person.export', table: 'profiles', id: user.id, after })
        return fileOf(context, listOwnData(context.db, deps.mail, user), brand, query.format)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:userId/deletion',
      who: 'admin',
      about: "Deletes somebody's account, with its address typed again and a reason. Orders stay, without a name.",
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
        const now = context.clock.now()
        const shop = { ...deps.shop, log: context.log, appUrl: context.appUrl }
        await closeOpenOrders(context.db, shop, { userId: user.id, now })
        await context.db.transaction().execute(async (tx) => {
          // The same call at the same time was faster.
          if (!(await selectLeavingUser(tx, user.id))) throw failUsers('person.not-found')
          await eraseEverythingOf(tx, deps.mail, user, now)
          await audit(tx, {
            at: now,
            actorId,
            action: 'account.delete',
            table: 'users',
            id: user.id,
            before: null,
            after: { reason: body.reason.replaceAll(user.email, '(deleted)') },
          })
          await deps.mail.send(deletedEmail({ ...user, brand, url: context.appUrl }), tx)
        })
        return done
      },
    }),
  ]
}

/** Wrong passwords count like those of a sign-in: whoever took a session over can't try them all. */
async function provePassword(context: RequestContext, user: User, given: z.infer<typeof DeleteAccount>) {
  const { db } = context
  const email = user.email.toLowerCase()
  const identity = await accounts.findIdentity(db, email)
  const hash = identity?.passwordHash ?? ''
  if (hash === '') {
    // The token is used up in the transaction that deletes.
    if (given.token === undefined) throw fail('account.bad-deletion-token')
    return
  }
  const claim = await claimSignIn(db, { email, device: '', now: context.clock.now() })
  if (claim.kind === 'locked')
    throw fail('account.locked', { sentence: fill(copy['own-data.locked'], { n: claim.minutes }) })
  if (!(await isPassword(given.password ?? '', hash)))
    throw fail('account.wrong-password', {
      fields: [{ field: 'password', message: fail('account.wrong-password').message }],
    })
  await clearSignInCount(db, { email, device: '' })
}

async function eraseUser(
  tx: Db,
  { mail, shop }: OwnDataDependencies,
  { clock, appUrl }: RequestContext,
  user: User,
  token: string | null,
): Promise<void> {
  const now = clock.now()
  // The same call at the same time was faster.
  if (!(await selectLeavingUser(tx, user.id))) throw fail('account.failed')
  const identity = await accounts.findIdentity(tx, user.email.toLowerCase())
  if ((identity?.passwordHash ?? '') === '') await useDeletionToken(tx, { token: token ?? '', userId: user.id, now })
  await eraseEverythingOf(tx, mail, user, now)
  await audit(tx, {
    at: now,
    actorId: user.id,
    action: 'account.delete',
    table: 'users',
    id: user.id,
    before: null,
    after: null,
  })
  await mail.send(deletedEmail({ ...user, brand: shop.brand, url: appUrl }), tx)
}

type Known = Pick<User, 'id' | 'email' | 'name'>

/** What is about them goes, in every room; what the books need stays without their name. */
async function eraseEverythingOf(tx: Db, mail: Mail, user: Known, now: Date): Promise<void> {
  await eraseLearner(tx, user.id)
  await eraseTaker(tx, user.id)
  await eraseAccessHolder(tx, user.id, now)
  await eraseFeedbackAuthor(tx, user.id)
  await eraseAccount(tx, { userId: user.id, email: user.email, now })
  await eraseInAudit(tx, user)
  await mail.forget(tx, user.email)
}

/** @throws Failure person.not-found */
async function requireOther(db: Db, userId: string): Promise<Known> {
  const user = await findUserRecord(db, userId)
  if (user === null) throw failUsers('person.not-found')
  return { id: user.id as UserId, email: user.email, name: user.name }
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

/** Every room says what it knows. */
export function listOwnData(db: Db, mail: Mail, user: Pick<User, 'id' | 'email'>): OwnData[] {
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

/** Read only as fast as it is sent, and no further once nobody listens. */
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
