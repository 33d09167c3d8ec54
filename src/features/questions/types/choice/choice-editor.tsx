import { fill } from '../../../../lib/failure.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { PlusIcon, TrashIcon } from '../../../../ui/icons.tsx'
import { LetteredList } from '../../../../ui/lettered-list.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import type { PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { copy } from './choice-edit.copy.ts'
import type { EditedOption } from './choice-edit.schema.ts'
import { ChoiceKeyForm } from './choice-key-form.tsx'
import { upperLetterAt } from './choice-letters.ts'
import { MAX_OPTIONS, MIN_OPTIONS, OptionOrder } from './choice.schema.ts'

export const choiceEditor: TypeEditor<'choice'> = {
  PartFields: OptionFields,
  PartsPreview: OptionsPreview,
  KeyForm: ChoiceKeyForm,
}

type Fields = PartFieldsProps<'choice'>

function OptionFields(props: Fields) {
  const { edited, problemOf, onChange } = props
  const { options } = edited
  const problem = problemOf('options')
  return (
    <fieldset>
      <legend className="text-sm font-medium">{copy['editor.options']}</legend>
      <p className="mt-1 text-sm text-soft">{copy['editor.options.hint']}</p>
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
      <ul className="mt-3 space-y-4">
        {options.map((option, place) => (
          <OptionRow key={option.key} {...props} option={option} place={place} />
        ))}
      </ul>
      {options.length >= MAX_OPTIONS ? null : (
        <Button look="secondary" className="mt-3" onClick={() => onChange({ type: 'choice', kind: 'add-option' })}>
          <PlusIcon />
          {copy['editor.option.add']}
        </Button>
      )}
      <SelectField
        label={copy['editor.order']}
        className="mt-4 max-w-sm"
        value={edited.order ?? 'shuffled'}
        onChange={({ target }) => {
          const order = OptionOrder.safeParse(target.value).data ?? 'shuffled'
          onChange({ type: 'choice', kind: 'change-order', order })
        }}
      >
        {(['shuffled', ...OptionOrder.options] as const).map((order) => (
          <option key={order} value={order}>
            {copy[`editor.order.${order}`]}
          </option>
        ))}
      </SelectField>
    </fieldset>
  )
}

function OptionRow({
  edited,
  problemOf,
  onChange,
  TextField,
  option,
  place,
}: Fields & { option: EditedOption; place: number }) {
  const letter = upperLetterAt(place)
  const changeOption = (changed: Partial<EditedOption>, isTyped = false) =>
    onChange({ type: 'choice', kind: 'change-option', place, changed, isTyped })
  return (
    <li data-part={option.key} className="grid grid-cols-[2.75rem_1fr_2.75rem] items-start gap-x-1">
      <RightCheckbox
        label={fill(copy['editor.option.right'], { letter })}
        isRight={option.isRight}
        onChange={(isRight) => changeOption({ isRight })}
      />
      <TextField
        label={fill(copy['editor.option'], { letter })}
        isShort
        value={option.text}
        problem={problemOf(`options.${place}.text`)}
        onText={(text, isTyped) => changeOption({ text }, isTyped)}
      />
      <IconButton
        label={fill(copy['editor.option.remove'], { letter })}
        disabled={edited.options.length <= MIN_OPTIONS}
        onClick={() => onChange({ type: 'choice', kind: 'remove-option', place })}
        className="mt-6"
      >
        <TrashIcon />
      </IconButton>
    </li>
  )
}

function RightCheckbox({
  label,
  isRight,
  onChange,
}: {
  label: string
  isRight: boolean
  onChange: (isRight: boolean) => void
}) {
  return (
    <label className="mt-6 flex size-11 items-center justify-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        checked={isRight}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 checked:border-good checked:bg-good"
      />
    </label>
  )
}

function OptionsPreview({ edited, hidesEmpty = false }: PartsPreviewProps<'choice'>) {
  const shown = hidesEmpty ? edited.options.filter(({ text }) => text.trim() !== '') : edited.options
  return (
    <LetteredList items={shown.map(({ text, isRight }) => ({ text, isMarked: isRight }))} mark={copy['editor.right']} />
  )
}
