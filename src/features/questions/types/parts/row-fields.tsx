import type { ComponentType, ReactNode } from 'react'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { DownIcon, PlusIcon, TrashIcon, UpIcon } from '../../../../ui/icons.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { fill } from '../../../../lib/failure.ts'
import { copy } from '../question-edit.copy.ts'
import type { EditedRow, RowChange } from './row-editing.ts'
import type { TextFieldProps } from '../type-editor.tsx'

type RowFieldsProps<Row extends EditedRow> = {
  readonly legend: string
  readonly hint: string
  readonly addLabel: string
  readonly rows: readonly Row[]
  /** The field of the edit that holds the rows. */
  readonly field: string
  /** The label of a row, such as 'Step 2'. */
  readonly labelOf: (place: number) => string
  readonly problemOf: (field: string) => string | undefined
  readonly onChange: (change: RowChange) => void
  readonly TextField: ComponentType<TextFieldProps>
  /** How many rows stay at least and at most. */
  readonly limits: { readonly least: number; readonly most: number }
  /** Whether rows have buttons that move them: their order means something. */
  readonly isOrdered?: boolean
  /** What stands below the text of a row. */
  readonly renderMore?: (row: Row, place: number) => ReactNode
}

/** A list of texts that an author edits, adds to, moves and removes. */
export function RowFields<Row extends EditedRow>(props: RowFieldsProps<Row>) {
  const { legend, hint, addLabel, rows, field, problemOf, onChange, limits } = props
  const problem = problemOf(field)
  return (
    <fieldset>
      <legend className="text-sm font-medium">{legend}</legend>
      <p className="mt-1 text-sm text-soft">{hint}</p>
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
      <ul className="mt-3 space-y-4">
        {rows.map((row, place) => (
          <EditableRow key={row.key} {...props} row={row} place={place} />
        ))}
      </ul>
      {rows.length >= limits.most ? null : (
        <Button look="secondary" className="mt-3" onClick={() => onChange({ kind: 'add' })}>
          <PlusIcon />
          {addLabel}
        </Button>
      )}
    </fieldset>
  )
}

function EditableRow<Row extends EditedRow>({
  rows,
  field,
  labelOf,
  problemOf,
  onChange,
  TextField,
  limits,
  isOrdered = false,
  renderMore,
  row,
  place,
}: RowFieldsProps<Row> & { readonly row: Row; readonly place: number }) {
  const label = labelOf(place)
  return (
    <li data-part={row.key}>
      <div className="flex items-start gap-x-1">
        <div className="min-w-0 flex-1">
          <TextField
            label={label}
            isShort
            value={row.text}
            problem={problemOf(`${field}.${place}.text`)}
            onText={(text, isTyped) => onChange({ kind: 'text', place, text, isTyped })}
          />
        </div>
        {isOrdered ? (
          <>
            <IconButton
              label={fill(copy['row.up'], { row: label })}
              disabled={place === 0}
              onClick={() => onChange({ kind: 'move', place, by: -1 })}
              className="mt-6"
            >
              <UpIcon />
            </IconButton>
            <IconButton
              label={fill(copy['row.down'], { row: label })}
              disabled={place === rows.length - 1}
              onClick={() => onChange({ kind: 'move', place, by: 1 })}
              className="mt-6"
            >
              <DownIcon />
            </IconButton>
          </>
        ) : null}
        <IconButton
          label={fill(copy['row.remove'], { row: label })}
          disabled={rows.length <= limits.least}
          onClick={() => onChange({ kind: 'remove', place })}
          className="mt-6"
        >
          <TrashIcon />
        </IconButton>
      </div>
      {renderMore?.(row, place)}
    </li>
  )
}

/** A text field without images, for forms that correct what a file holds. */
export function PlainTextField({ label, value, isShort = false, problem, onText }: TextFieldProps) {
  return (
    <TextArea
      label={label}
      isShort={isShort}
      value={value}
      problem={problem}
      onChange={(event) => onText(event.target.value, true)}
    />
  )
}
