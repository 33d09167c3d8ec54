import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../../lib/money.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import type { Mutation } from '../../../../ui/use-mutation.ts'
import { copy } from '../scheduled-prices.copy.ts'
import { describeWhen } from '../scheduled-prices.ts'
import type { PricePreview, PricesForm } from '../scheduled-prices.schema.ts'

type Rows = PricePreview['rows']

export function previewTitle({ changeCount }: PricePreview): string {
  if (changeCount === 0) return copy['price.preview.none']
  return fill(copy['price.preview.title'], { n: changeCount })
}

/** The courses that a change would reprice, those that it leaves out, and the button that applies it. */
export function PriceChangePreview({
  form: { when, change },
  preview,
  button,
  onApply,
  onBack,
}: {
  form: PricesForm
  preview: PricePreview
  button: Mutation<[]>['button']
  onApply: () => void
  onBack: () => void
}) {
  const { rows, changeCount, leftOutCount } = preview
  const changing = rows.filter(({ leftOut }) => leftOut === null)
  return (
    <>
      <DialogBody>
        {changing.length === 0 ? null : (
          <>
            <p className="nums mb-3 text-sm text-soft">
              {describeWhen(when)}
              {change.kind === 'percent' ? ` ${copy[`price.preview.rounding.${change.rounding}`]}` : null}
            </p>
            <ChangingRows rows={changing} />
          </>
        )}
        <MoreRows count={changeCount - changing.length} className="mt-2" />
        <LeftOutRows rows={rows.filter(({ leftOut }) => leftOut !== null)} count={leftOutCount} />
      </DialogBody>
      <DialogFooter cancel={copy['price.preview.back']} onCancel={onBack}>
        {changeCount === 0 ? null : (
          <Button {...button} onClick={onApply}>
            {fill(copy['price.apply'], { n: changeCount })}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}

function ChangingRows({ rows }: { rows: Rows }) {
  return (
    <table className="nums w-full text-sm">
      <thead>
        <tr className="border-b border-line-strong text-left">
          <th className="py-2 font-medium">{copy['price.preview.course']}</th>
          <th className="py-2 text-right font-medium">{copy['price.preview.from']}</th>
          <th className="py-2 pl-4 text-right font-medium">{copy['price.preview.to']}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="border-b border-line">
            <th scope="row" className="py-2 pr-4 text-left font-normal wrap-anywhere">
              {/* The list scrolls; a link in it lets the keyboard reach it. */}
              <Link to={adminPaths.prices(row.id)} className="hover:underline">
                {row.title}
              </Link>
              {row.isOnSale ? <span className="block text-soft">{copy['price.preview.on-sale']}</span> : null}
            </th>
            <td className="py-2 text-right">{formatDollars(row.fromCents as Cents)}</td>
            <td className="py-2 pl-4 text-right font-semibold">{formatDollars((row.toCents ?? 0) as Cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function LeftOutRows({ rows, count }: { rows: Rows; count: number }) {
  if (count === 0) return null
  return (
    <>
      <p className="nums mt-4 text-sm font-medium">{fill(copy['price.preview.left'], { n: count })}</p>
      <ul className="mt-1 space-y-1 text-sm text-soft">
        {rows.map((row) => (
          <li key={row.id} className="wrap-anywhere">
            {row.title}: {copy[`price.left.${row.leftOut ?? 'same'}`]}
          </li>
        ))}
      </ul>
      <MoreRows count={count - rows.length} className="mt-1" />
    </>
  )
}

/** The number of rows that the preview does not list. */
function MoreRows({ count, className }: { count: number; className: string }) {
  if (count === 0) return null
  return <p className={`nums ${className} text-sm text-soft`}>{fill(copy['price.preview.more'], { n: count })}</p>
}
