import type { Db } from '../../../db/open.server.ts'
import type { UserId } from '../../../lib/ids.ts'
import { inOnePage, type OwnData } from '../../../platform/own-data-export.server.ts'

/** The devices of a user, for the export of their data: neither keys nor addresses, with which others could send. */
export function exportDevices(db: Db, userId: UserId): OwnData[] {
  const devices = async () => {
    const query = db.selectFrom('push_subscriptions').where('user_id', '=', userId).orderBy('created_at')
    const rows = await query.select(['endpoint', 'created_at']).execute()
    return rows.map(({ endpoint, created_at }) => ({ push_service: new URL(endpoint).host, created_at }))
  }
  return [{ name: 'push_subscriptions', pages: inOnePage(devices) }]
}
