import { Link } from 'react-router'
import { formatDollars, type Cents } from '../../../lib/money.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { Cell, ListRow, ListTable } from '../../../ui/list-table.tsx'
import { copy } from '../checkout.copy.ts'
import type { OrderSummary } from '../checkout.schema.ts'
import { OrderStateMark } from './order-state.tsx'

/** Orders as rows, by their buyers; by what was bought where all are of one person. */
export function OrderTable({
  orders,
  label,
  isOfOne = false,
}: {
  orders: readonly (OrderSummary & { readonly isLive?: boolean })[]
  label: string
  isOfOne?: boolean
}) {
  const columns = [
    { name: copy[isOfOne ? 'orders.column.courses' : 'orders.column.buyer'] },
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
              <Link to={paths.adminOrder(id)} className="font-semibold normal-nums hover:underline">
                {isOfOne ? titles.join(', ') : buyerEmail}
              </Link>
              {isOfOne ? null : <p className="text-sm normal-nums text-soft">{titles.join(', ')}</p>}
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
