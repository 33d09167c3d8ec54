import type { Selectable } from 'kysely'
import type { Db } from '../../db/open.server.ts'
import type { Tables } from '../../db/tables.server.ts'
import { cents } from '../../lib/money.ts'
import type { Coupon } from './quote.ts'
import type { CouponView } from './pricing.schema.ts'

export type StoredCoupon = Coupon & { readonly id: string }

export async function findCoupon(db: Db, code: string): Promise<StoredCoupon | null> {
  const row = await db.selectFrom('coupons').where('code', '=', code).select(columns).executeTakeFirst()
  return row === undefined ? null : toCoupon(row)
}

/** The coupon, with its row locked until the transaction ends, so that redemptions are counted one order at a time. */
export async function lockCoupon(tx: Db, couponId: string): Promise<StoredCoupon | null> {
  const row = await tx
    .selectFrom('coupons')
    .where('id', '=', couponId)
    .select(columns)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toCoupon(row)
}

/** Every coupon, newest first. */
export async function listCoupons(db: Db): Promise<CouponView[]> {
  const rows = await db
    .selectFrom('coupons')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .select([...columns, 'created_at'])
    .execute()
  return rows.map((row) => {
    const { startsAt, endsAt, discount, ...coupon } = toCoupon(row)
    return {
      ...coupon,
      discount: { off: discount.off, courseIds: discount.courseIds === null ? null : [...discount.courseIds] },
      startsAt: startsAt?.toISOString() ?? null,
      endsAt: endsAt?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
    }
  })
}

const columns = [
  'id',
  'code',
  'percent',
  'amount_cents',
  'starts_at',
  'ends_at',
  'use_limit',
  'course_ids',
  'is_active',
] as const

function toCoupon(row: Pick<Selectable<Tables['coupons']>, (typeof columns)[number]>): StoredCoupon {
  return {
    id: row.id,
    code: row.code,
    discount: {
      off:
        row.percent === null
          ? { kind: 'amount', amountCents: cents(row.amount_cents ?? 0) }
          : { kind: 'percent', percent: row.percent },
      courseIds: row.course_ids,
    },
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    useLimit: row.use_limit,
    isActive: row.is_active,
  }
}
