import { SelectField } from '../../../../ui/select-field.tsx'
import { CATEGORIES, categoryLabel, type Category } from '../../../catalogue/catalogue.ts'

/** The level of a course, or none. */
export function LevelField({
  label,
  level,
  onChange,
}: {
  label: string
  level: Category | null
  onChange: (level: Category | null) => void
}) {
  return (
    <SelectField
      label={label}
      value={level ?? ''}
      onChange={(event) => onChange(CATEGORIES.find((name) => name === event.target.value) ?? null)}
    >
      <option value="">None</option>
      {CATEGORIES.map((name) => (
        <option key={name} value={name}>
          {categoryLabel[name]}
        </option>
      ))}
    </SelectField>
  )
}
