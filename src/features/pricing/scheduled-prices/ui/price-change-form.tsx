import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { Link, useRevalidator } from 'react-router'
import { z } from 'zod'
import { fill } from '../../../../lib/failure.ts'
import { formatDollars, type Cents } from '../../../../lib/money.ts'
import { discardUnsavedText, storeUnsavedText, useTyped } from '../../../../platform/unsaved-text-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { RadioList } from '../../../../ui/radio-list.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useFieldForm, type FieldForm } from '../../use-field-form.ts'
import { applyPrices, previewPrices } from '../scheduled-prices-client.ts'
import { copy } from '../scheduled-prices.copy.ts'
import type { PricePreview, PricesForm } from '../scheduled-prices.schema.ts'
import { previewTitle, PriceChangePreview } from './price-change-preview.tsx'

const PriceValues = z.object({
  change: z.enum(['set', 'percent']),
  price: z.string(),
  percent: z.string(),
  rounding: z.enum(['none', '99']),
  when: z.enum(['now', 'from', 'sale']),
  startsAt: z.string(),
  endsAt: z.string(),
})
type PriceValues = Readonly<z.infer<typeof PriceValues>>
const blank: PriceValues = {
  change: 'set',
  price: '',
  percent: '',
  rounding: 'none',
  when: 'now',
  startsAt: '',
  endsAt: '',
}

type Previewed = { readonly form: PricesForm; readonly preview: PricePreview }

/** Where the form is on the page of one course. */
type InDialog = {
  /** The key under which typed text stays on this device. */
  readonly keptAs: string
  /** The path of the course's past and scheduled prices. */
  readonly record: string
  /** The price of today, unless the page shows it beside the dialog's button. */
  readonly priceCents: number | undefined
}

type FormProps = {
  readonly which: PricesForm['which']
  readonly inDialog?: InDialog
  readonly onDone: () => void
}

/** Changes the prices of the chosen courses, now or later. The change is previewed before it is applied. */
export function PriceChangeForm(props: FormProps) {
  const { inDialog, onDone } = props
  const ref = useRef<HTMLFormElement>(null)
  const { form, previewed, preview, apply, closePreview } = usePriceChange(ref, props)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    preview()
  }
  const fields = (
    <div className={`grid gap-x-8 gap-y-6 ${inDialog === undefined ? 'tablet:grid-cols-2' : ''}`}>
      <ChangeFields form={form} />
      <TimeFields form={form} />
    </div>
  )
  const submit = (
    <Button type="submit" {...form.button}>
      {copy['price.preview']}
    </Button>
  )
  return (
    <form
      ref={ref}
      id="price-change"
      onSubmit={handleSubmit}
      noValidate
      className={
        inDialog === undefined
          ? 'mt-8 scroll-mt-20 rounded-lg border border-line-strong bg-surface p-5'
          : 'flex min-h-0 flex-col'
      }
    >
      {inDialog === undefined ? (
        <>
          <h2 className="mb-4 text-lg font-semibold">{copy['price.change']}</h2>
          {fields}
          {form.failure === null ? null : (
            <Notice tone="bad" className="mt-4">
              {form.failure}
            </Notice>
          )}
          <div className="mt-6">{submit}</div>
        </>
      ) : (
        <>
          <DialogBody>
            <PriceToday {...inDialog} />
            {fields}
          </DialogBody>
          <DialogFooter problem={form.failure} onCancel={onDone}>
            {submit}
          </DialogFooter>
        </>
      )}
      <PreviewDialog previewed={previewed} button={form.button} onApply={apply} onClose={closePreview} />
    </form>
  )
}

function PreviewDialog({
  previewed,
  button,
  onApply,
  onClose,
}: {
  previewed: Previewed | null
  button: FieldForm<PriceValues>['button']
  onApply: (previewed: Previewed) => void
  onClose: () => void
}) {
  return (
    <Dialog
      title={previewed === null ? copy['price.preview'] : previewTitle(previewed.preview)}
      isOpen={previewed !== null}
      onClose={onClose}
    >
      {previewed === null ? null : (
        <PriceChangePreview
          form={previewed.form}
          preview={previewed.preview}
          button={button}
          onApply={() => onApply(previewed)}
          onBack={onClose}
        />
      )}
    </Dialog>
  )
}

/** The price of today, and the way to the past and scheduled ones. */
function PriceToday({ priceCents, record }: InDialog) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-5">
      {priceCents === undefined ? null : (
        <p className="nums text-soft">
          {fill(copy['price.control.now'], { price: formatDollars(priceCents as Cents) })}
        </p>
      )}
      <RecordLink to={record} />
    </div>
  )
}

function RecordLink({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2"
    >
      {copy['price.control.record']}
    </Link>
  )
}

/** The values of the form, the preview of its change, and what applies it. */
function usePriceChange(ref: RefObject<HTMLFormElement | null>, { which, inDialog, onDone }: FormProps) {
  const { revalidate } = useRevalidator()
  const [previewed, setPreviewed] = useState<Previewed | null>(null)
  // A problem with the choice of courses has no field here, so the notice shows it.
  const hasField = (field: string) => !field.startsWith('which')
  const closePreview = () => setPreviewed(null)
  const kept = useTyped(inDialog?.keptAs ?? '', PriceValues)
  const form = useFieldForm<PriceValues>(ref, kept?.value ?? blank, { hasField, onFailure: closePreview })
  useKept(inDialog?.keptAs, form.values)
  const preview = () => {
    const prices = toForm(which, form.values)
    form.submit(async () => setPreviewed({ form: prices, preview: await previewPrices(prices) }))
  }
  const apply = ({ form: prices, preview: { mark } }: Previewed) =>
    form.submit(async () => {
      const { changed } = await applyPrices(prices, mark)
      toastChanged(prices.when, changed)
      closePreview()
      if (inDialog === undefined) form.clear()
      else discardUnsavedText(inDialog.keptAs)
      onDone()
      await revalidate()
    })
  return { form, previewed, preview, apply, closePreview }
}

/** Stores what is typed on this device, until it is applied. */
function useKept(key: string | undefined, values: PriceValues) {
  useEffect(() => {
    // Closing the dialog or the page loses nothing.
    if (key === undefined) return
    if (JSON.stringify(values) === JSON.stringify(blank)) discardUnsavedText(key)
    else storeUnsavedText(key, values, null)
  }, [key, values])
}

function toastChanged(when: PricesForm['when'], changed: number) {
  toast(
    'success',
    copy[when.kind === 'now' ? 'price.applied' : 'price.planned'],
    fill(copy['price.applied.text'], { n: changed }),
  )
}

function ChangeFields({ form: { values, bind, write } }: { form: FieldForm<PriceValues> }) {
  return (
    <div>
      <RadioList
        legend={copy['price.change.kind']}
        choices={(['set', 'percent'] as const).map((value) => ({ value, label: copy[`price.change.${value}`] }))}
        chosen={values.change}
        onChoose={(change) => write({ change })}
      />
      {values.change === 'set' ? (
        <Field
          label={copy['price.change.price']}
          inputMode="decimal"
          autoComplete="off"
          className="mt-2 max-w-60"
          {...bind('price', 'change.price')}
        />
      ) : (
        <>
          <Field
            label={copy['price.change.by']}
            autoComplete="off"
            className="mt-2 max-w-60"
            {...bind('percent', 'change.percent')}
          />
          <div className="mt-4">
            <RadioList
              legend={copy['price.change.rounding']}
              choices={(['none', '99'] as const).map((value) => ({
                value,
                label: copy[`price.change.rounding.${value}`],
              }))}
              chosen={values.rounding}
              onChoose={(rounding) => write({ rounding })}
            />
          </div>
        </>
      )}
    </div>
  )
}

function TimeFields({ form: { values, bind, write } }: { form: FieldForm<PriceValues> }) {
  return (
    <div>
      <RadioList
        legend={copy['price.when']}
        choices={(['now', 'from', 'sale'] as const).map((value) => ({ value, label: copy[`price.when.${value}`] }))}
        chosen={values.when}
        onChoose={(when) => write({ when })}
      />
      {values.when === 'now' ? null : (
        <div className="mt-2 flex flex-wrap gap-4">
          <Field
            label={copy[values.when === 'sale' ? 'price.when.starts.sale' : 'price.when.starts']}
            type="datetime-local"
            {...bind('startsAt', 'when.startsAt')}
          />
          {values.when === 'sale' ? (
            <Field label={copy['price.when.ends']} type="datetime-local" {...bind('endsAt', 'when.endsAt')} />
          ) : null}
        </div>
      )}
    </div>
  )
}

/** The form as it is sent; the server validates it. */
function toForm(which: PricesForm['which'], values: PriceValues): PricesForm {
  const change: PricesForm['change'] =
    values.change === 'set'
      ? { kind: 'set', price: values.price }
      : {
          kind: 'percent',
          percent: values.percent.trim() === '' ? Number.NaN : Number(values.percent),
          rounding: values.rounding,
        }
  if (values.when === 'now') return { which, change, when: { kind: 'now' } }
  const startsAt = instantOf(values.startsAt)
  if (values.when === 'from') return { which, change, when: { kind: 'from', startsAt: startsAt ?? '' } }
  return { which, change, when: { kind: 'sale', startsAt, endsAt: instantOf(values.endsAt) ?? '' } }
}

/** Admins enter days and times in UTC. */
function instantOf(text: string): string | null {
  if (text === '') return null
  const at = new Date(`${text}Z`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}
