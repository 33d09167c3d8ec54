import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { DownIcon, GripIcon, UpIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { Select } from '../../../../ui/select-field.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import { PartText } from '../parts/part-text.tsx'
import { StrikeButton } from '../parts/strike-button.tsx'
import type { AnswerFormProps } from '../type-form.ts'
import { usePartDrag } from '../parts/use-part-drag.ts'
import { answerWithItem, placeField } from './ordering-grading.ts'
import { StepVerdict } from './ordering-review.tsx'
import { copy } from './ordering.copy.ts'
import type { OrderingForReview, OrderingForTaking } from './ordering.schema.ts'
import type { TypeForm } from '../form-registry.tsx'
import { answerWithKeyedItem } from './ordering-grading.ts'

export const orderingForm: TypeForm<'ordering'> = {
  Form: OrderingAnswerForm,
  answerByKey: answerWithKeyedItem,
  struckByKey: ({ items, stepCount }, place) => (items.length > stepCount ? (items[place]?.id ?? null) : null),
}

/** The target of a drop behind the last placed item, and the one that takes an item out. */
const END = 'end'
const OUT = 'out'

type Props = AnswerFormProps<'ordering'>
type Item = OrderingForTaking['items'][number]

/**
 * The items, those that the learner placed first. An item is placed by choosing its number, by the arrows, or by dragging it. Once
 * the answer key is shown, nothing can be changed.
 */
export function OrderingAnswerForm(props: Props) {
  const { question, answer, revealed, isDisabled, onAnswer } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const refocus = useRefocus(list)
  const isFixed = revealed !== null || isDisabled
  const placed = (answer?.itemIds ?? []).flatMap((itemId) => question.items.find((item) => item.id === itemId) ?? [])
  const rest = question.items.filter((item) => !placed.includes(item))

  const put = (itemId: string, place: number | null) => {
    const next = answerWithItem(question, answer, itemId, place)
    const item = nameOf(question, itemId)
    const at = next?.itemIds.indexOf(itemId) ?? -1
    setAnnouncement(
      at === -1
        ? fill(copy['exam.taken-out'], { item })
        : fill(copy['exam.moved'], { item, n: at + 1, all: question.stepCount }),
    )
    refocus()
    onAnswer(next)
  }
  const drag = usePartDrag((itemId, target) => put(itemId, placeOf(target, placed.length)))
  const rowProps = { ...props, isFixed, placedCount: placed.length, drag, onPut: put }
  return (
    <fieldset aria-describedby={`${id}-order`} className="min-w-0">
      <legend className="w-full max-w-read text-lg">
        <Markdown text={question.stem} as="phrasing" />
      </legend>
      <p id={`${id}-order`} className="nums mt-3 text-sm font-semibold text-accent">
        {taskOf(question)}
        <span className="font-normal text-soft">, {fill(copy['exam.placed'], { n: placed.length })}</span>
      </p>
      <div ref={list} className="mt-5 space-y-6">
        <PlacedItems {...rowProps} items={placed} />
        {rest.length === 0 ? null : <RestItems {...rowProps} items={rest} />}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  )
}

function taskOf({ items, stepCount }: OrderingForTaking): string {
  const isSelecting = items.length > stepCount
  return fill(copy[isSelecting ? 'exam.select' : 'exam.order'], { n: stepCount, all: items.length })
}

/** How labels call an item: by the letter that stands beside it. */
function nameOf({ items }: OrderingForTaking, itemId: string): string {
  return letterOfPart(items.findIndex((item) => item.id === itemId))
}

function placeOf(target: string, placedCount: number): number | null {
  if (target === OUT) return null
  return target === END ? placedCount : Number(target)
}

type RowProps = Props & {
  readonly isFixed: boolean
  readonly placedCount: number
  readonly drag: ReturnType<typeof usePartDrag>
  readonly onPut: (itemId: string, place: number | null) => void
}

function PlacedItems({ items, ...props }: RowProps & { readonly items: readonly Item[] }) {
  const { drag, isFixed, question } = props
  const isOver = drag.over === END
  return (
    <section aria-label={copy['exam.yours']}>
      <h3 className="mb-2 text-sm font-semibold text-soft">{copy['exam.yours']}</h3>
      <ol className="space-y-2.5">
        {items.map((item, place) => (
          <ItemRow key={item.id} {...props} item={item} place={place} />
        ))}
      </ol>
      {isFixed || items.length >= question.stepCount ? null : (
        <p
          data-drop={END}
          className={`mt-2.5 rounded-md border border-dashed px-4 py-3.5 text-sm text-soft ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
        >
          {copy[items.length === 0 ? 'exam.empty' : 'exam.next']}
        </p>
      )}
    </section>
  )
}

function RestItems({ items, ...props }: RowProps & { readonly items: readonly Item[] }) {
  const { question, drag } = props
  const out = question.items.length - question.stepCount
  return (
    <section aria-label={copy['exam.rest']} data-drop={OUT}>
      <h3 className={`mb-2 text-sm font-semibold ${drag.over === OUT ? 'text-accent' : 'text-soft'}`}>
        {out === 0 ? copy['exam.rest'] : fill(copy['exam.rest.out'], { n: out })}
      </h3>
      <ul className="space-y-2.5">
        {items.map((item) => (
          <ItemRow key={item.id} {...props} item={item} place={null} />
        ))}
      </ul>
    </section>
  )
}

function ItemRow(props: RowProps & { readonly item: Item; readonly place: number | null }) {
  const { question, struck, revealed, isFixed, drag, onStrike, item, place } = props
  const letter = nameOf(question, item.id)
  const isStruck = struck.includes(item.id)
  const canStrike = place === null && question.items.length > question.stepCount
  return (
    <li
      data-drop={place ?? undefined}
      data-item={item.id}
      className={`flex min-h-14 flex-wrap items-center rounded-md border pl-1.5 transition-colors duration-150 tablet:flex-nowrap ${frameOf(props)}`}
    >
      {isFixed ? null : (
        <span {...drag.handleOf(item.id)}>
          <GripIcon />
        </span>
      )}
      <PlaceSelect {...props} letter={letter} />
      <span aria-hidden="true" className="nums ml-3 w-4 shrink-0 font-semibold text-soft">
        {letter}
      </span>
      {/* On a telephone the text has the width of the row, below the controls. */}
      <div className="order-last min-w-0 basis-full px-2 pt-0.5 pb-3 tablet:order-none tablet:flex-1 tablet:basis-0 tablet:py-3">
        <PartText text={item.text} isStruck={isStruck} />
        {revealed === null ? null : <StepVerdict question={revealed} itemId={item.id} place={place} />}
      </div>
      {isFixed ? null : <Arrows {...props} letter={letter} />}
      {isFixed || onStrike === null || !canStrike ? null : (
        <StrikeButton
          isPressed={isStruck}
          label={fill(copy['exam.strike'], { item: letter })}
          onClick={() => onStrike(item.id)}
        />
      )}
    </li>
  )
}

/** The number of an item's place; also what is posted where no script runs. */
function PlaceSelect(
  props: RowProps & { readonly item: Item; readonly place: number | null; readonly letter: string },
) {
  const { question, formId, isFixed, item, place, letter, onPut } = props
  return (
    <Select
      className="my-1.5 w-18 shrink-0"
      aria-label={fill(copy['exam.place'], { item: letter })}
      name={formId === undefined ? undefined : placeField(item.id)}
      form={formId}
      data-control="place"
      value={place === null ? '' : place + 1}
      disabled={isFixed}
      onChange={({ target }) => onPut(item.id, target.value === '' ? null : Number(target.value) - 1)}
    >
      <option value="">{copy['exam.place.none']}</option>
      {Array.from({ length: question.stepCount }, (_, at) => (
        <option key={at} value={at + 1}>
          {at + 1}
        </option>
      ))}
    </Select>
  )
}

/** Up and down by one place. Down from the last place takes an item out; up brings one in. */
function Arrows(props: RowProps & { readonly item: Item; readonly place: number | null; readonly letter: string }) {
  const { question, placedCount, item, place, letter, onPut } = props
  const isFull = placedCount >= question.stepCount
  const isLast = place === placedCount - 1
  return (
    <div className="ml-auto flex shrink-0 items-center">
      <IconButton
        label={fill(copy['exam.up'], { item: letter })}
        data-control="up"
        disabled={place === 0 || (place === null && isFull)}
        onClick={() => onPut(item.id, place === null ? placedCount : place - 1)}
      >
        <UpIcon />
      </IconButton>
      <IconButton
        label={fill(copy['exam.down'], { item: letter })}
        data-control="down"
        disabled={place === null}
        onClick={() => onPut(item.id, place === null || isLast ? null : place + 1)}
      >
        <DownIcon />
      </IconButton>
    </div>
  )
}

function frameOf({
  revealed,
  drag,
  item,
  place,
}: RowProps & { readonly item: Item; readonly place: number | null }): string {
  if (revealed !== null) return frameOfVerdict(revealed, item.id, place)
  if (drag.draggedId === item.id) return 'border-accent bg-surface opacity-60'
  if (place !== null && drag.over === String(place)) return 'border-accent bg-accent-soft'
  return place === null ? 'border-line-strong bg-surface' : 'border-accent bg-accent-soft'
}

function frameOfVerdict({ orderedIds }: OrderingForReview, itemId: string, place: number | null): string {
  const right = orderedIds.indexOf(itemId)
  if (right === (place ?? -1)) return right === -1 ? 'border-line bg-surface' : 'border-good bg-good-soft'
  return 'border-bad bg-bad-soft'
}

/** Returns a function that gives the focus back to the control in use, once its item has moved in the document. */
function useRefocus(list: RefObject<HTMLElement | null>) {
  const wanted = useRef<{ readonly itemId: string; readonly control: string } | null>(null)
  useEffect(() => {
    // The browser removes the focus from an element that moves in the document.
    const control = wanted.current
    wanted.current = null
    if (control === null) return
    const row = list.current?.querySelector(`[data-item="${CSS.escape(control.itemId)}"]`)
    const same = row?.querySelector<HTMLElement>(`[data-control="${control.control}"]:not(:disabled)`)
    // At the ends of the list an arrow leads nowhere.
    const next = same ?? row?.querySelector<HTMLElement>('[data-control="place"]')
    next?.focus()
  })
  return () => {
    const control = document.activeElement?.closest<HTMLElement>('[data-control]')
    const itemId = control?.closest<HTMLElement>('[data-item]')?.dataset['item']
    wanted.current = itemId === undefined ? null : { itemId, control: control?.dataset['control'] ?? '' }
  }
}
