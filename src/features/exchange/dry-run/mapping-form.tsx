import { useState, type FormEvent } from 'react'
import { fill } from '../../../lib/failure.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { MAPPED_FIELDS } from '../../questions/formats/formats.schema.ts'
import { missingColumns } from '../../questions/types/field-registry.ts'
import { readAgain } from '../imports/imports-client.ts'
import { copy } from '../imports/imports.copy.ts'
import type { Columns, Mapping } from '../imports/imports.schema.ts'

const SHOWN_COLUMNS = 30

/** Assigns the columns of a table to the fields of a question, beside its first rows. */
export function MappingForm({ importId, columns }: { importId: string; columns: Columns }) {
  const [mapping, setMapping] = useState<Mapping>(columns.mapping)
  const [isIncomplete, setIncomplete] = useState(false)
  const reading = useMutation(() => readAgain(importId, { mapping }), { revalidates: true })
  const problem = isIncomplete ? copy['mapping.needs'] : reading.failure === null ? null : messageOf(reading.failure)

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const isMissing =
      mapping.question === undefined || missingColumns((column) => mapping[column] !== undefined).length > 0
    setIncomplete(isMissing)
    if (!isMissing) reading.run()
  }
  const handleChoose = (field: keyof Mapping, value: string) => {
    const { [field]: _before, ...rest } = mapping
    setMapping(value === '' ? rest : { ...rest, [field]: Number(value) })
  }
  return (
    <section aria-labelledby="mapping-heading" className="mt-8">
      <h2 id="mapping-heading" className="text-lg font-semibold">
        {copy['mapping.title']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['mapping.about']}</p>
      <FirstRows columns={columns} />
      <form onSubmit={handleSubmit} noValidate className="mt-4">
        <div className="grid gap-4 tablet:grid-cols-3">
          {MAPPED_FIELDS.map((field) => (
            <SelectField
              key={field}
              label={copy[`mapping.${field}`]}
              value={mapping[field] ?? ''}
              onChange={(event) => handleChoose(field, event.target.value)}
            >
              <option value="">{copy['mapping.none']}</option>
              {columns.header.map((_title, place) => (
                <option key={nameOf(columns, place) + String(place)} value={place}>
                  {nameOf(columns, place)}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
        {problem === null ? null : (
          <p role="alert" className="mt-3 text-sm text-bad">
            {problem}
          </p>
        )}
        <Button type="submit" className="mt-4" {...reading.button}>
          {copy['mapping.go']}
        </Button>
      </form>
    </section>
  )
}

function nameOf({ header }: Columns, place: number): string {
  return header[place]?.trim() || fill(copy['mapping.column'], { n: place + 1 })
}

function FirstRows({ columns }: { columns: Columns }) {
  return (
    // A region that scrolls must be reachable with the keyboard.
    <div
      className="mt-4 overflow-x-auto rounded-lg border border-line"
      role="region"
      aria-labelledby="mapping-heading"
      tabIndex={0}
    >
      <table className="text-sm">
        <thead>
          <tr>
            {columns.header.slice(0, SHOWN_COLUMNS).map((_title, place) => (
              <th
                key={nameOf(columns, place) + String(place)}
                scope="col"
                className="bg-sunken px-3 py-2 text-left font-semibold"
              >
                {nameOf(columns, place)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.rows.map((row) => (
            <tr key={row.join('\u001F')} className="border-t border-line align-top">
              {row.slice(0, SHOWN_COLUMNS).map((cell, place) => (
                <td key={nameOf(columns, place) + String(place)} className="max-w-64 min-w-24 px-3 py-2">
                  <span className="line-clamp-3 wrap-anywhere">{cell}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
