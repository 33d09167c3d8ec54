import { GAP, gapsIn } from '../../../../lib/markdown.ts'
import { changeRows, emptyRow, emptyRows, type RowChange } from '../parts/row-editing.ts'
import type { PartsChanged } from '../type-editing.ts'
import type { EditedDropDown, EditedGap, EditedOption } from './drop-down-edit.schema.ts'
import { MAX_CHOICES, MAX_GAPS, MIN_CHOICES } from './drop-down.schema.ts'

/** A change of the gaps in the form. */
export type DropDownAction = { readonly type: 'drop-down' } & (
  | { readonly kind: 'options'; readonly gap: number; readonly change: RowChange }
  | { readonly kind: 'right'; readonly gap: number; readonly place: number }
  | { readonly kind: 'add-gap' }
  | { readonly kind: 'remove-gap'; readonly gap: number }
)

export const OPTION_LIMITS = {
  least: MIN_CHOICES,
  most: MAX_CHOICES,
  empty: (key: string): EditedOption => ({ ...emptyRow(key), isRight: false }),
}

export function emptyGap(key: string): EditedGap {
  return { key, id: null, options: emptyRows(4).map((row) => ({ ...row, key: `${key}-${row.key}`, isRight: false })) }
}

/** The form after a change. The places in the text follow when a gap is added or removed. */
export function reduceDropDown(edited: EditedDropDown, action: DropDownAction): PartsChanged<EditedDropDown> | null {
  switch (action.kind) {
    case 'options':
      return withOptions(edited, action.gap, action.change)
    case 'right': {
      const gap = edited.gaps[action.gap]
      if (gap === undefined) return null
      const options = gap.options.map((option, place) => ({ ...option, isRight: place === action.place }))
      return ownStep(withGap(edited, action.gap, { ...gap, options }))
    }
    case 'add-gap': {
      if (edited.gaps.length >= MAX_GAPS) return null
      const added = emptyGap(unusedKey(edited.gaps))
      const stem = withPlace(edited.stem, edited.gaps.length + 1)
      return {
        ...ownStep({ ...edited, stem, gaps: [...edited.gaps, added] }),
        focusedKey: added.options[0]?.key ?? null,
      }
    }
    case 'remove-gap':
      if (edited.gaps[action.gap] === undefined || edited.gaps.length === 1) return null
      return ownStep({
        ...edited,
        stem: withoutPlace(edited.stem, action.gap + 1),
        gaps: edited.gaps.toSpliced(action.gap, 1),
      })
  }
}

function withOptions(edited: EditedDropDown, at: number, change: RowChange): PartsChanged<EditedDropDown> | null {
  const gap = edited.gaps[at]
  const changed = gap === undefined ? null : changeRows(gap.options, change, OPTION_LIMITS)
  if (gap === undefined || changed === null) return null
  // Rows of two gaps must differ, so that the focus goes to the right one.
  const options = changed.rows.map((row) =>
    /^new-\d+$/.test(row.key) ? { ...row, key: `${gap.key}-${row.key}` } : row,
  )
  const { typedField, focusedKey } = changed
  const isNew = focusedKey !== null && /^new-\d+$/.test(focusedKey)
  return {
    edited: withGap(edited, at, { ...gap, options }),
    typedField: typedField && `gaps.${typedField}`,
    focusedKey: isNew ? `${gap.key}-${focusedKey}` : focusedKey,
  }
}

function withGap(edited: EditedDropDown, at: number, gap: EditedGap): EditedDropDown {
  return { ...edited, gaps: edited.gaps.with(at, gap) }
}

function ownStep(edited: EditedDropDown): PartsChanged<EditedDropDown> {
  return { edited, typedField: null, focusedKey: null }
}

function withPlace(stem: string, number: number): string {
  if (gapsIn(stem).includes(number)) return stem
  return `${stem}${stem === '' || /\s$/.test(stem) ? '' : ' '}[[${number}]]`
}

/** The text without a place; those behind it count one less. */
function withoutPlace(stem: string, removed: number): string {
  return stem.replaceAll(GAP, (place, written: string) => {
    const number = Number(written)
    if (number === removed) return ''
    return number > removed ? `[[${number - 1}]]` : place
  })
}

function unusedKey(gaps: readonly EditedGap[]): string {
  const used = new Set(gaps.map(({ key }) => key))
  const number = Array.from({ length: gaps.length + 1 }, (_, at) => at).find((at) => !used.has(`gap-${at}`))
  return `gap-${number ?? gaps.length}`
}

/** Where the row with a key stands; null if none has it. */
export function gapOfKey(gaps: readonly EditedGap[], key: string | undefined): { gap: number; place: number } | null {
  const gap = gaps.findIndex(({ options }) => options.some((option) => option.key === key))
  if (gap === -1) return null
  return { gap, place: gaps[gap]?.options.findIndex((option) => option.key === key) ?? -1 }
}
