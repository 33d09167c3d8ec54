import { Difficulty } from '../../../questions/types/question-base.schema.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { difficultyNames } from '../../../questions/difficulty.copy.ts'
import { copy } from '../../drafts/drafts.copy.ts'

/** A choice among the difficulties, or none. */
export function DifficultyField({
  value,
  problem,
  onChange,
}: {
  value: Difficulty
  problem?: string | null | undefined
  onChange: (difficulty: Difficulty) => void
}) {
  return (
    <SelectField
      label={copy['editor.difficulty']}
      value={value}
      problem={problem}
      onChange={(event) => onChange(Difficulty.parse(event.target.value))}
    >
      {(['', 'easy', 'medium', 'hard'] as const satisfies readonly Difficulty[]).map((difficulty) => (
        <option key={difficulty} value={difficulty}>
          {difficultyNames[difficulty]}
        </option>
      ))}
    </SelectField>
  )
}
