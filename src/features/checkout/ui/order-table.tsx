import { Link } from 'react-router'
import { formatDollars, type Cents } from '../../../lib/money.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { Cell, ListRow, ListTable } from '../../../ui/list-table.tsx'
import { copy } from '../checkout.copy.ts'
import type { OrderSummary } from '../checkout.schema.ts'
import { OrderStateMark } from './order-state.tsx'

/** A table of orders. Rows are named by buyer, or by courses when all orders are of one buyer. */
export function OrderTable({
  orders,
  label,
  isOfOneBuyer = false,
}: {
  orders: readonly (OrderSummary & { readonly isLive?: boolean })[]
  label: string
  isOfOneBuyer?: boolean
}) {
  const columns = [
    { name: copy[isOfOneBuyer ? 'orders.column.courses' : 'orders.column.buyer'] },
    { name: copy['orders.column.at'] },
    { name: copy['orders.column.state'] },
    { name: copy['orders.column.total'], isNumber: true },
  ]
  return (
    <ListTable label={label} columns={columns}>
      {orders.map(({ id, buyerEmail, titles, createdAt, isLive = true, state, totalCents }) => (
        <ListRow
          key={id}
          about={
            <>
              <Link to={adminPaths.order(id)} className="font-semibold wrap-anywhere hover:underline">
                {isOfOneBuyer ? titles.join(', ') : buyerEmail}
              </Link>
              {isOfOneBuyer ? null : <p className="text-sm text-soft">{titles.join(', ')}</p>}
            </>
          }
        >
          <Cell isWide>
            <span className="text-soft">
              {formatInstant(createdAt)}
              {isLive ? null : `, ${copy['orders.test']}`}
            </span>
          </Cell>
          <Cell>
            <OrderStateMark state={state} />
          </Cell>
          <Cell isNumber>{formatDollars(totalCents as Cents)}</Cell>
        </ListRow>
      ))}
    </ListTable>
  )
}
