import { auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { requireAdmin } from '../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import { networkLimit } from '../../platform/http/network-limit.server.ts'
import { pageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'
import { countWaitingFeedback, listFeedback } from './feedback-queries.server.ts'
import { FeedbackPath, FeedbackFilter, SendFeedback } from './feedback.schema.ts'
import { storeFeedback, settleFeedback } from './feedback-commands.server.ts'

/** Far above what a person says, well below a flood. */
const PER_NETWORK = { attempts: 60, windowMs: 10 * 60_000 }

export function feedbackApi() {
  const limit = networkLimit(PER_NETWORK)
  return [
    endpoint({
      method: 'POST',
      path: '/api/feedback',
      who: 'anyone',
      about: 'Keeps what a visitor says. The same id again is kept once.',
      body: SendFeedback,
      reply: Done,
      async handle({ body }, { db, clock, user, networkAddress }) {
        limit(networkAddress)
        await storeFeedback(db, { ...body, userId: user?.id ?? null, now: clock.now() })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/feedback/:feedbackId/settle',
      who: 'admin',
      about: 'Marks feedback as done. Twice is once.',
      params: FeedbackPath,
      reply: Done,
      async handle({ params }, context) {
        await settleFeedback(context.db, {
          ...params,
          actorId: requireAdmin(context).id,
          now: context.clock.now(),
        })
        return done
      },
    }),
  ]
}

/** What was said, by the page. Looking at it is written down: it may name people. */
export const feedbackLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const wanted = FeedbackFilter.parse({ state: url.searchParams.get('state'), after: url.searchParams.get('after') })
  const [page, waitingCount] = await Promise.all([listFeedback(context.db, wanted), countWaitingFeedback(context.db)])
  await auditView(context, {
    actorId: admin.id,
    action: 'feedback.list',
    table: 'feedback',
    after: { state: wanted.state, feedback: page.feedback.length },
  })
  return { ...page, state: wanted.state, waitingCount }
})
