import { z } from 'zod'
import * as access from '../features/access/read.server.ts'
import { forgetHolder } from '../features/access/write.server.ts'
import { endedSessionCookie, isPassword } from '../features/accounts/gateway.server.ts'
import { deletedLetter, deletionLetter } from '../features/accounts/letters.server.ts'
import { findPersonRecord } from '../features/accounts/people/read.server.ts'
import { fail as failPeople, PersonPath } from '../features/accounts/people/schema.ts'
import * as accounts from '../features/accounts/read.server.ts'
import { fail } from '../features/accounts/schema.ts'
import {
  claimSignIn,
  clearSignInCount,
  forgetAccount,
  issueToken,
  takeLeaving,
  useDeletionToken,
} from '../features/accounts/write.server.ts'
import * as attempts from '../features/attempts/history/own-data/read.server.ts'
import * as reports from '../features/attempts/reports/read.server.ts'
import { forgetTaker } from '../features/attempts/write.server.ts'
import { closeOpenOrders } from '../features/checkout/payment/write.server.ts'
import * as checkout from '../features/checkout/read.server.ts'
import type { Shop } from '../features/checkout/write.server.ts'
import * as feedback from '../features/feedback/read.server.ts'
import { forgetSpeaker } from '../features/feedback/write.server.ts'
import * as study from '../features/study/read.server.ts'
import { forgetLearner } from '../features/study/write.server.ts'
import type { Db } from '../db/open.server.ts'
import { fill } from '../lib/failure.ts'
import { paths } from '../lib/paths.ts'
import type { PersonId } from '../lib/ids.ts'
import type { Person } from '../lib/person.ts'
import { audit, auditLook, forgetInAudit, listAuditAbout } from '../platform/audit.server.ts'
import { requireAdmin, requirePerson, type RequestContext } from '../platform/context.server.ts'
import { Done, done, endpoint } from '../platform/endpoint.server.ts'
import type { Mail } from '../platform/mail.server.ts'
import { networkLimit } from '../platform/network-limit.server.ts'
import { inOnePage, inPages, type OwnData } from '../platform/own-data.server.ts'
import { copy } from './copy.ts'
import { asJson, asZippedCsv, OWN_DATA_FORMAT, OWN_DATA_VERSION } from './own-data-file.server.ts'

/** Per network address: an export reads much, and a letter goes out to somebody. */
const ASKED_AT_MOST = 60
const WINDOW_MS = 15 * 60_000

const OwnDataWanted = z.object({ format: z.enum(['json', 'csv']).default('json') })
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

export type OwnDataDependencies = { readonly shop: Omit<Shop, 'log' | 'appUrl'>; readonly mail: Mail }

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
      query: OwnDataWanted,
      reply: OwnDataFile,
      async handle({ query }, context) {
        const person = requirePerson(context)
        limit(context.networkAddress)
        return fileOf(context, listOwnData(context.db, deps.mail, person), brand, query.format)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/me/deletion-letter',
      who: 'signed-in',
      about: 'Mails a link with which an account that has no password can be deleted.',
      reply: Done,
      async handle(_input, context) {
        const person = requirePerson(context)
        limit(context.networkAddress)
        await context.db.transaction().execute(async (tx) => {
          const token = await issueToken(tx, { purpose: 'delete', personId: person.id, now: context.clock.now() })
          const url = `${context.appUrl}${paths.deleteAccount}?token=${token}`
          await deps.mail.send(deletionLetter({ ...person, brand, url }), tx)
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
        const person = requirePerson(context)
        await provePassword(context, person, body)
        await accounts.requireLeaving(context.db, person.id)
        const shop = { ...deps.shop, log: context.log, appUrl: context.appUrl }
        await closeOpenOrders(context.db, shop, { personId: person.id, now: context.clock.now() })
        await context.db.transaction().execute((tx) => forgetPerson(tx, deps, context, person, body.token ?? null))
        context.replyHeaders.append('set-cookie', endedSessionCookie(context.appUrl))
        return done
      },
    }),
    // After those of whoever asks: the first that fits answers.
    endpoint({
      method: 'GET',
      path: '/api/profiles/:personId/data',
      who: 'admin',
      about: 'Everything that is held about somebody, for whoever asked for it in another way. The audit log says so.',
      params: PersonPath,
      query: OwnDataWanted,
      reply: OwnDataFile,
      async handle({ params, query }, context) {
        const { id: actorId } = requireAdmin(context)
        const person = await requireOther(context.db, params.personId)
        const after = { format: query.format }
        await auditLook(context, { actorId, action: 'person.export', table: 'profiles', id: person.id, after })
        return fileOf(context, listOwnData(context.db, deps.mail, person), brand, query.format)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/profiles/:personId/deletion',
      who: 'admin',
      about: "Deletes somebody's account, with its address typed again and a reason. Orders stay, without a name.",
      params: PersonPath,
      body: DeleteOther,
      reply: Done,
      async handle({ params, body }, context) {
        const { id: actorId } = requireAdmin(context)
        const person = await requireOther(context.db, params.personId)
        if (person.id === actorId) throw failPeople('person.own-deletion')
        if (body.email.trim().toLowerCase() !== person.email.toLowerCase())
          throw fail('account.failed', {
            sentence: copy['person.delete.other'],
            fields: [{ field: 'email', message: copy['person.delete.other'] }],
          })
        const now = context.clock.now()
        const shop = { ...deps.shop, log: context.log, appUrl: context.appUrl }
        await closeOpenOrders(context.db, shop, { personId: person.id, now })
        await context.db.transaction().execute(async (tx) => {
          // The same call at the same time was faster.
          if (!(await takeLeaving(tx, person.id))) throw failPeople('person.not-found')
          await forgetEverythingOf(tx, deps.mail, person, now)
          await audit(tx, {
            at: now,
            actorId,
            action: 'account.delete',
            table: 'users',
            id: person.id,
            before: null,
            after: { reason: body.reason.replaceAll(person.email, '(deleted)') },
          })
          await deps.mail.send(deletedLetter({ ...person, brand, url: context.appUrl }), tx)
        })
        return done
      },
    }),
  ]
}

/** Wrong passwords count like those of a sign-in: whoever took a session over can't try them all. */
async function provePassword(context: RequestContext, person: Person, given: z.infer<typeof DeleteAccount>) {
  const { db } = context
  const email = person.email.toLowerCase()
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

async function forgetPerson(
  tx: Db,
  { mail, shop }: OwnDataDependencies,
  { clock, appUrl }: RequestContext,
  person: Person,
  token: string | null,
): Promise<void> {
  const now = clock.now()
  // The same call at the same time was faster.
  if (!(await takeLeaving(tx, person.id))) throw fail('account.failed')
  const identity = await accounts.findIdentity(tx, person.email.toLowerCase())
  if ((identity?.passwordHash ?? '') === '')
    await useDeletionToken(tx, { token: token ?? '', personId: person.id, now })
  await forgetEverythingOf(tx, mail, person, now)
  await audit(tx, {
    at: now,
    actorId: person.id,
    action: 'account.delete',
    table: 'users',
    id: person.id,
    before: null,
    after: null,
  })
  await mail.send(deletedLetter({ ...person, brand: shop.brand, url: appUrl }), tx)
}

type Known = Pick<Person, 'id' | 'email' | 'name'>

/** What is about them goes, in every room; what the books need stays without their name. */
async function forgetEverythingOf(tx: Db, mail: Mail, person: Known, now: Date): Promise<void> {
  await forgetLearner(tx, person.id)
  await forgetTaker(tx, person.id)
  await forgetHolder(tx, person.id, now)
  await forgetSpeaker(tx, person.id)
  await forgetAccount(tx, { personId: person.id, email: person.email, now })
  await forgetInAudit(tx, person)
  await mail.forget(tx, person.email)
}

/** @throws Failure person.not-found */
async function requireOther(db: Db, personId: string): Promise<Known> {
  const person = await findPersonRecord(db, personId)
  if (person === null) throw failPeople('person.not-found')
  return { id: person.id as PersonId, email: person.email, name: person.name }
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
export function listOwnData(db: Db, mail: Mail, person: Pick<Person, 'id' | 'email'>): OwnData[] {
  const { id } = person
  return [
    ...accounts.exportOf(db, id),
    ...checkout.exportOf(db, id),
    ...access.exportOf(db, id),
    ...attempts.exportOf(db, id),
    ...reports.exportOf(db, id),
    ...study.exportOf(db, id),
    ...feedback.exportOf(db, id),
    { name: 'mails', pages: inOnePage(() => mail.listKept(db, person.email)) },
    {
      name: 'audit_lines',
      pages: inPages((after: { id: number } | null, size) =>
        listAuditAbout(db, { personId: id, afterId: after?.id ?? 0, limit: size }),
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
