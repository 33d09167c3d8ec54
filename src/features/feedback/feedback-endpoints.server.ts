import { actionBy, auditView } from '../../platform/audit-log/audit-log-commands.server.ts'
import { Done, done, endpoint } from '../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../platform/http/page-loader.server.ts'
import { countWaitingFeedback, listFeedback } from './feedback-queries.server.ts'
import { FeedbackPath, FeedbackFilter, SendFeedback } from './feedback.schema.ts'
import { storeFeedback, settleFeedback } from './feedback-commands.server.ts'

export function feedbackApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/feedback',
      who: 'anyone',
      about: "Stores a visitor's feedback. Feedback with the same id is stored once.",
      limit: 'feedback',
      body: SendFeedback,
      reply: Done,
      async handle({ body }, { db, clock, user }) {
        await storeFeedback(db, { ...body, userId: user?.id ?? null, now: clock.now() })
        return done
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/feedback/:feedbackId/settle',
      who: 'admin',
      about: 'Marks feedback as done. A second call changes nothing.',
      params: FeedbackPath,
      reply: Done,
      async handle({ params }, context) {
        await settleFeedback(context.db, {
          ...params,
          ...actionBy(context),
        })
        return done
      },
    }),
  ]
}

/** A page of the feedback. The audit log records the view, because messages may contain personal data. */
export const feedbackLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const filter = FeedbackFilter.parse({ state: url.searchParams.get('state'), after: url.searchParams.get('after') })
  const [page, waitingCount] = await Promise.all([listFeedback(context.db, filter), countWaitingFeedback(context.db)])
  await auditView(context, {
    actorId: admin.id,
    action: 'feedback.list',
    table: 'feedback',
    after: { state: filter.state, feedback: page.feedback.length },
  })
  return { ...page, state: filter.state, waitingCount }
})
