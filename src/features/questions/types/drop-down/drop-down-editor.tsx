import { fill } from '../../../../lib/failure.ts'
import { Button } from '../../../../ui/button.tsx'
import { PlusIcon, TrashIcon } from '../../../../ui/icons.tsx'
import { LetteredList } from '../../../../ui/lettered-list.tsx'
import { RowFields } from '../parts/row-fields.tsx'
import type { PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { copy } from './drop-down-edit.copy.ts'
import type { EditedGap } from './drop-down-edit.schema.ts'
import { DropDownKeyForm } from './drop-down-key-form.tsx'
import { OPTION_LIMITS } from './drop-down-reduce.ts'
import { MAX_GAPS } from './drop-down.schema.ts'

export const dropDownEditor: TypeEditor<'drop-down'> = {
  PartFields: GapFields,
  PartsPreview: GapsPreview,
  KeyForm: DropDownKeyForm,
}

type Fields = PartFieldsProps<'drop-down'>

function GapFields(props: Fields) {
  const { edited, problemOf, onChange } = props
  const problem = problemOf('gaps')
  return (
    <div className="space-y-6">
      {problem === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      {edited.gaps.map((gap, at) => (
        <OneGap key={gap.key} {...props} gap={gap} at={at} />
      ))}
      {edited.gaps.length >= MAX_GAPS ? null : (
        <Button look="secondary" onClick={() => onChange({ type: 'drop-down', kind: 'add-gap' })}>
          <PlusIcon />
          {copy['editor.gap.add']}
        </Button>
      )}
    </div>
  )
}

function OneGap({ edited, problemOf, onChange, TextField, gap, at }: Fields & { gap: EditedGap; at: number }) {
  const number = { n: at + 1 }
  return (
    <div className="border-l-2 border-line pl-4">
      <RowFields
        legend={fill(copy['editor.gap'], number)}
        hint={fill(copy['editor.gap.hint'], number)}
        addLabel={fill(copy['editor.option.add'], number)}
        rows={gap.options}
        field={`gaps.${at}.options`}
        labelOf={(place) => fill(copy['editor.option'], { gap: at + 1, n: place + 1 })}
        problemOf={problemOf}
        onChange={(change) => onChange({ type: 'drop-down', kind: 'options', gap: at, change })}
        TextField={TextField}
        limits={OPTION_LIMITS}
        renderMore={rightChoiceOf(gap, at, onChange)}
      />
      {edited.gaps.length === 1 ? null : (
        <Button
          look="secondary"
          className="mt-3"
          onClick={() => onChange({ type: 'drop-down', kind: 'remove-gap', gap: at })}
        >
          <TrashIcon />
          {fill(copy['editor.gap.remove'], number)}
        </Button>
      )}
    </div>
  )
}

/** The radio button below a choice that makes it the right one of its gap. */
function rightChoiceOf(gap: EditedGap, at: number, onChange: Fields['onChange']) {
  return ({ isRight }: { readonly isRight: boolean }, place: number) => (
    <label className="mt-1 inline-flex min-h-11 items-center gap-2 text-sm">
      <input
        type="radio"
        name={`right-${gap.key}`}
        checked={isRight}
        aria-label={`${fill(copy['editor.option'], { gap: at + 1, n: place + 1 })}: ${copy['editor.gap.right']}`}
        onChange={() => onChange({ type: 'drop-down', kind: 'right', gap: at, place })}
        className="size-[18px]"
      />
      {copy['editor.gap.right']}
    </label>
  )
}

function GapsPreview({ edited, hidesEmpty = false }: PartsPreviewProps<'drop-down'>) {
  return (
    <div className="space-y-4">
      {edited.gaps.map(({ key, options }, at) => {
        const shown = hidesEmpty ? options.filter(({ text }) => text.trim() !== '') : options
        return (
          <section key={key} aria-label={fill(copy['editor.gap'], { n: at + 1 })}>
            <p className="mb-2 text-sm font-semibold">{fill(copy['editor.gap'], { n: at + 1 })}</p>
            <LetteredList
              items={shown.map(({ text, isRight }) => ({ text, isMarked: isRight }))}
              mark={copy['editor.right']}
            />
          </section>
        )
      })}
    </div>
  )
}
