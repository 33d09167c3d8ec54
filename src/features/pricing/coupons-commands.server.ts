import type { Db } from '../../db/open.server.ts'
import { type AdminAction, audit } from '../../platform/audit-log/audit-log-commands.server.ts'
import { copy } from './pricing.copy.ts'
import { endOf, fail, startOf, type CreateCoupon } from './pricing.schema.ts'

/** Adds a coupon and returns its id. @throws Failure coupon.taken */
export async function addCoupon(db: Db, coupon: CreateCoupon & AdminAction): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('coupons')
      .values({
        code: coupon.code,
        percent: coupon.percent,
        amount_cents: coupon.amount,
        starts_at: coupon.firstDay === null ? null : startOf(coupon.firstDay),
        ends_at: coupon.lastDay === null ? null : endOf(coupon.lastDay),
        use_limit: coupon.useLimit,
        course_ids: coupon.courseIds,
        created_at: coupon.now,
      })
      .onConflict((on) => on.column('code').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) throw fail('coupon.taken', { fields: [{ field: 'code', message: copy['coupon.taken'] }] })
    const { actorId, now, amount: amountCents, ...terms } = coupon
    const after = { ...terms, amountCents }
    await audit(tx, { at: now, actorId, action: 'coupon.add', table: 'coupons', id: added.id, before: null, after })
    return added.id
  })
}

/** Switches a coupon on or off for new orders; existing orders keep their price. @throws Failure coupon.not-found */
export async function switchCoupon(
  db: Db,
  change: AdminAction & { readonly couponId: string; readonly isActive: boolean },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('coupons')
      .where('id', '=', change.couponId)
      .select('is_active')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (before === undefined) throw fail('coupon.not-found')
    if (before.is_active === change.isActive) return
    await tx.updateTable('coupons').set({ is_active: change.isActive }).where('id', '=', change.couponId).execute()
    await audit(tx, {
      at: change.now,
      actorId: change.actorId,
      action: 'coupon.switch',
      table: 'coupons',
      id: change.couponId,
      before: { isActive: before.is_active },
      after: { isActive: change.isActive },
    })
  })
}
