import { sql } from 'kysely'
import type { Db } from '../../../../db/open.server.ts'
import { stateAfter } from './link-state.ts'
import type { LinkVisitor } from './link-visitor-gateway.server.ts'

/** Links of one run. A host is asked one at a time and 10 seconds at most twice, so that even 50 silent pages of one host end. */
const BATCH = 50

type DueLink = { readonly url: string; readonly goneSince: Date | null }

/** Opens the links that were not opened for a week, those that were gone after a day. Returns them. */
export async function checkDueLinks(db: Db, visit: LinkVisitor, now: Date): Promise<string[]> {
  const due = await listDueLinks(db, now)
  await Promise.all(
    due.map(async ({ url, goneSince }) => {
      const after = stateAfter(goneSince, await visit(url), now)
      const values = { url, state: after.state, detail: after.detail, checked_at: now, gone_since: after.goneSince }
      await db
        .insertInto('link_checks')
        .values(values)
        .onConflict((conflict) => conflict.column('url').doUpdateSet(values))
        .execute()
    }),
  )
  return due.map(({ url }) => url)
}

async function listDueLinks(db: Db, now: Date): Promise<DueLink[]> {
  // A link that no text has any more is forgotten.
  await sql`delete from link_checks where checked_at < ${now}::timestamptz - interval '30 days'`.execute(db)
  const { rows } = await sql<DueLink>`
    with links (url) as (
      select unnest(known.links) from question_freshness as known
        join test_questions as exam on exam.family_id = known.family_id and exam.is_current_version
        join courses on courses.id = exam.course_id where courses.status <> 'draft'
      union
      select unnest(links_in(concat_ws(' ', sheet.body, sheet.sources::text))) from study_sheets as sheet
        join courses on courses.id = sheet.course_id where courses.status <> 'draft'
      union
      select unnest(links_in(concat_ws(' ', description, blueprint ->> 'source', image_url))) from courses where status <> 'draft'
    )
    select links.url, seen.gone_since as "goneSince"
    from links left join link_checks as seen on seen.url = links.url
    where seen.url is null or seen.checked_at <= ${now}::timestamptz -
      case when seen.gone_since is not null and seen.state <> 'dead' then interval '1 day' else interval '7 days' end
    order by seen.checked_at nulls first, links.url limit ${BATCH}`.execute(db)
  return rows
}
