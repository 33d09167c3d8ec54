import { audit } from '../../../platform/audit.server.ts'
import { requireAdmin } from '../../../platform/context.server.ts'
import { endpoint } from '../../../platform/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/page-loader.server.ts'
import { Done } from '../schema.ts'
import { listPeople } from './read.server.ts'
import { PeopleWanted, PersonPath, SetExtraTime } from './schema.ts'
import { setExtraTime } from './write.server.ts'

/** What admins do with people. */
export function peopleApi() {
  return [
    endpoint({
      method: 'PUT',
      path: '/api/profiles/:personId/extra-time',
      who: 'admin',
      about: "Sets a learner's extra time, for the timed exams that they begin from then on.",
      params: PersonPath,
      body: SetExtraTime,
      reply: Done,
      async handle({ params, body }, context) {
        const actorId = requireAdmin(context).id
        await setExtraTime(context.db, { ...params, ...body, actorId, now: context.clock.now() })
        return { done: true as const }
      },
    }),
  ]
}

/** Everybody by the page; looking at them is written down. */
export const peopleLoader = pageLoader(async ({ context, url }) => {
  const admin = requireAdminForPage(context, url)
  const wanted = PeopleWanted.parse({ search: url.searchParams.get('search'), after: url.searchParams.get('after') })
  const page = await listPeople(context.db, wanted)
  await audit(context.db, {
    at: context.clock.now(),
    actorId: admin.id,
    action: 'people.list',
    table: 'profiles',
    id: 'list',
    before: null,
    after: { search: wanted.search, people: page.people.length },
  })
  return { ...page, search: wanted.search, isFirstPage: wanted.after === null }
})
