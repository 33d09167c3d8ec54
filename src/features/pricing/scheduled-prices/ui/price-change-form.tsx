import { useRef, useState, type FormEvent } from 'react'
import { Link, useRevalidator } from 'react-router'
import { fill, type FieldProblem } from '../../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../../lib/money.ts'
import { paths } from '../../../../lib/paths.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { useFirstProblem } from '../../../../ui/use-first-problem.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { RadioList } from '../../../../ui/radio-list.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { applyPrices, previewPrices } from '../scheduled-prices-client.ts'
import { copy } from '../scheduled-prices.copy.ts'
import { describeWhen } from '../scheduled-prices.ts'
import type { PricePreview, PricesForm } from '../scheduled-prices.schema.ts'

type Written = {
  readonly change: 'set' | 'percent'
  readonly price: string
  readonly percent: string
  readonly isRounded: boolean
  readonly when: 'now' | 'from' | 'sale'
  readonly startsAt: string
  readonly endsAt: string
}
const blank: Written = {
  change: 'set',
  price: '',
  percent: '',
  isRounded: true,
  when: 'now',
  startsAt: '',
  endsAt: '',
}

type Shown = { readonly form: PricesForm; readonly preview: PricePreview }

/** What is to become of the chosen prices, and when; previewed before it is applied. */
export function PriceChangeForm({ which, onDone }: { which: PricesForm['which']; onDone: () => void }) {
  const { revalidate } = useRevalidator()
  const [written, setWritten] = useState(blank)
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useFirstProblem(form, problems)
  const write = (change: Partial<Written>) => setWritten((now) => ({ ...now, ...change }))
  const problemOf = (field: string) => problems.find((one) => one.field === field)?.message

  const run = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setProblems([])
    setFailure(null)
    try {
      await work()
    } catch (error) {
      const fields = error instanceof CallFailed ? error.fields : []
      setProblems(fields)
      setFailure(messageOf(error))
      setShown(null)
    } finally {
      setBusy(false)
    }
  }
  const handlePreview = (event: FormEvent) => {
    event.preventDefault()
    const form = toForm(which, written)
    void run(async () => setShown({ form, preview: await previewPrices(form) }))
  }
  const handleApply = ({ form, preview }: Shown) =>
    run(async () => {
      const { changed } = await applyPrices(form, preview.mark)
      const title = copy[form.when.kind === 'now' ? 'price.applied' : 'price.planned']
      toast(
        'success',
        title,
        fill(copy[changed === 1 ? 'price.applied.text.one' : 'price.applied.text'], { n: changed }),
      )
      setShown(null)
      setWritten(blank)
      onDone()
      await revalidate()
    })
  return (
    <form
      ref={form}
      id="price-change"
      onSubmit={handlePreview}
      noValidate
      className="mt-8 scroll-mt-20 rounded-lg border border-line-strong bg-surface p-5"
    >
      <h2 className="text-lg font-semibold">{copy['price.change']}</h2>
      <div className="mt-4 grid gap-x-8 gap-y-6 tablet:grid-cols-2">
        <div>
          <RadioList
            legend={copy['price.change.kind']}
            choices={(['set', 'percent'] as const).map((value) => ({ value, label: copy[`price.change.${value}`] }))}
            chosen={written.change}
            onChoose={(change) => write({ change })}
          />
          {written.change === 'set' ? (
            <Field
              label={copy['price.change.price']}
              inputMode="decimal"
              autoComplete="off"
              className="mt-2 max-w-60"
              value={written.price}
              problem={problemOf('change.price')}
              onChange={(event) => write({ price: event.target.value })}
            />
          ) : (
            <>
              <Field
                label={copy['price.change.by']}
                autoComplete="off"
                className="mt-2 max-w-60"
                value={written.percent}
                problem={problemOf('change.percent')}
                onChange={(event) => write({ percent: event.target.value })}
              />
              <Choice
                type="checkbox"
                className="mt-2"
                checked={written.isRounded}
                onChange={(event) => write({ isRounded: event.target.checked })}
              >
                {copy['price.change.rounding']}
              </Choice>
            </>
          )}
        </div>
        <div>
          <RadioList
            legend={copy['price.when']}
            choices={(['now', 'from', 'sale'] as const).map((value) => ({ value, label: copy[`price.when.${value}`] }))}
            chosen={written.when}
            onChoose={(when) => write({ when })}
          />
          {written.when === 'now' ? null : (
            <div className="mt-2 flex flex-wrap gap-4">
              <Field
                label={copy[written.when === 'sale' ? 'price.when.starts.sale' : 'price.when.starts']}
                type="datetime-local"
                value={written.startsAt}
                problem={problemOf('when.startsAt')}
                onChange={(event) => write({ startsAt: event.target.value })}
              />
              {written.when === 'sale' ? (
                <Field
                  label={copy['price.when.ends']}
                  type="datetime-local"
                  value={written.endsAt}
                  problem={problemOf('when.endsAt')}
                  onChange={(event) => write({ endsAt: event.target.value })}
                />
              ) : null}
            </div>
          )}
        </div>
      </div>
      {failure === null || problems.some(({ field }) => !field.startsWith('which')) ? null : (
        <Notice tone="bad" className="mt-4">
          {failure}
        </Notice>
      )}
      <Button type="submit" className="mt-6" aria-busy={isBusy}>
        {copy['price.preview']}
      </Button>
      <Dialog
        title={shown === null ? copy['price.preview'] : titleOf(shown.preview)}
        isOpen={shown !== null}
        onClose={() => setShown(null)}
      >
        {shown === null ? null : (
          <Preview form={shown.form} preview={shown.preview} isBusy={isBusy} onApply={() => void handleApply(shown)} />
        )}
      </Dialog>
    </form>
  )
}

function titleOf({ changeCount }: PricePreview): string {
  if (changeCount === 0) return copy['price.preview.none']
  return changeCount === 1 ? copy['price.preview.title.one'] : fill(copy['price.preview.title'], { n: changeCount })
}

function Preview({
  form,
  preview,
  isBusy,
  onApply,
}: {
  form: PricesForm
  preview: PricePreview
  isBusy: boolean
  onApply: () => void
}) {
  const { rows, changeCount, leftOutCount } = preview
  const changing = rows.filter(({ leftOut }) => leftOut === null)
  const left = rows.filter(({ leftOut }) => leftOut !== null)
  return (
    <div className="flex min-h-0 flex-col">
      <div className="overflow-y-auto p-5">
        {changing.length === 0 ? null : <p className="nums mb-3 text-sm text-soft">{describeWhen(form.when)}</p>}
        {changing.length === 0 ? null : (
          <table className="nums w-full text-sm">
            <thead>
              <tr className="border-b border-line-strong text-left">
                <th className="py-2 font-medium">{copy['price.preview.course']}</th>
                <th className="py-2 text-right font-medium">{copy['price.preview.from']}</th>
                <th className="py-2 pl-4 text-right font-medium">{copy['price.preview.to']}</th>
              </tr>
            </thead>
            <tbody>
              {changing.map((row) => (
                <tr key={row.id} className="border-b border-line">
                  <th scope="row" className="py-2 pr-4 text-left font-normal wrap-anywhere">
                    {/* A list that scrolls has something in it for the keyboard. */}
                    <Link to={paths.adminPrices(row.id)} className="hover:underline">
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
        )}
        {changeCount > changing.length ? (
          <p className="nums mt-2 text-sm text-soft">
            {fill(copy['price.preview.more'], { n: changeCount - changing.length })}
          </p>
        ) : null}
        {leftOutCount === 0 ? null : (
          <>
            <p className="nums mt-4 text-sm font-medium">
              {leftOutCount === 1
                ? copy['price.preview.left.one']
                : fill(copy['price.preview.left'], { n: leftOutCount })}
            </p>
            <ul className="mt-1 space-y-1 text-sm text-soft">
              {left.map((row) => (
                <li key={row.id} className="wrap-anywhere">
                  {row.title}: {copy[`price.left.${row.leftOut ?? 'same'}`]}
                </li>
              ))}
            </ul>
            {leftOutCount > left.length ? (
              <p className="nums mt-1 text-sm text-soft">
                {fill(copy['price.preview.more'], { n: leftOutCount - left.length })}
              </p>
            ) : null}
          </>
        )}
      </div>
      {changeCount === 0 ? null : (
        <div className="border-t border-line p-5">
          <Button className="w-full" aria-busy={isBusy} onClick={onApply}>
            {changeCount === 1 ? copy['price.apply.one'] : fill(copy['price.apply'], { n: changeCount })}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What was typed, as it is sent; the server judges it. */
function toForm(which: PricesForm['which'], written: Written): PricesForm {
  const change: PricesForm['change'] =
    written.change === 'set'
      ? { kind: 'set', price: written.price }
      : {
          kind: 'percent',
          percent: written.percent.trim() === '' ? Number.NaN : Number(written.percent),
          rounding: written.isRounded ? '99' : 'none',
        }
  if (written.when === 'now') return { which, change, when: { kind: 'now' } }
  const startsAt = instantOf(written.startsAt)
  if (written.when === 'from') return { which, change, when: { kind: 'from', startsAt: startsAt ?? '' } }
  return { which, change, when: { kind: 'sale', startsAt, endsAt: instantOf(written.endsAt) ?? '' } }
}

/** A day and a time are in UTC, as everywhere with admins. */
function instantOf(text: string): string | null {
  if (text === '') return null
  const at = new Date(`${text}Z`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}
