import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { markVerified } from './freshness-commands.server.ts'
import { countLinks, listStaleQuestions } from './freshness-queries.server.ts'
import { Marked, MarkVerified, StaleFilter } from './freshness.schema.ts'
import { dayOf } from './verification.ts'

export function freshnessApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/question-verifications',
      who: 'admin',
      about: 'Marks questions as verified today, in the published version and the draft, without a new version.',
      body: MarkVerified,
      reply: Marked,
      handle: async ({ body }, context) => ({
        count: await markVerified(context.db, { ...body, ...actionBy(context) }),
      }),
    }),
  ]
}

/** A page of the questions to verify. */
export const freshnessLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const asked = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''))
  const wanted = StaleFilter.parse({ course: null, reason: null, ...asked })
  const [queue, links] = await Promise.all([
    listStaleQuestions(context.db, wanted, dayOf(context.clock.now())),
    countLinks(context.db),
  ])
  return { wanted, queue, links }
})
