import { useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Field } from '../../../../ui/field.tsx'
import { Choice } from '../../../../ui/choice.tsx'
import { LetteredList } from '../../../../ui/lettered-list.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import { RowFields } from '../parts/row-fields.tsx'
import type { PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { AreaCanvas } from './area-canvas.tsx'
import { copy } from './hot-spot-edit.copy.ts'
import { AREA_LIMITS } from './hot-spot-edit.ts'
import type { EditedArea } from './hot-spot-edit.schema.ts'
import { HotSpotKeyForm } from './hot-spot-key-form.tsx'
import { AREA_SHAPES } from './hot-spot.schema.ts'

export const hotSpotEditor: TypeEditor<'hot-spot'> = {
  PartFields: AreaFields,
  PartsPreview: AreasPreview,
  KeyForm: HotSpotKeyForm,
}

type Fields = PartFieldsProps<'hot-spot'>

function AreaFields(props: Fields) {
  const { edited, problemOf, onChange, TextField } = props
  const [drawnKey, setDrawnKey] = useState<string | null>(null)
  const drawnPlace = edited.areas.findIndex(({ key }) => key === drawnKey)
  return (
    <>
      <ImageFields {...props} />
      <AreaCanvas
        edited={edited}
        drawn={edited.areas[drawnPlace]}
        onNumbers={(numbers) =>
          onChange({ type: 'hot-spot', kind: 'change-area', place: drawnPlace, changed: { numbers }, isTyped: true })
        }
      />
      {drawnPlace === -1 ? null : <p className="mt-2 text-sm text-soft">{copy['editor.draw.hint']}</p>}
      <RowFields
        legend={copy['editor.areas']}
        hint={copy['editor.areas.hint']}
        addLabel={copy['editor.area.add']}
        rows={edited.areas}
        field="areas"
        labelOf={(place) => fill(copy['editor.area'], { letter: letterOfPart(place) })}
        problemOf={problemOf}
        onChange={(change) => onChange({ type: 'hot-spot', kind: 'change-rows', change })}
        TextField={TextField}
        limits={AREA_LIMITS}
        renderMore={(area, place) => (
          <AreaDetails
            {...props}
            area={area}
            place={place}
            isDrawn={place === drawnPlace}
            onDraw={(isDrawn) => setDrawnKey(isDrawn ? area.key : null)}
          />
        )}
      />
    </>
  )
}

function ImageFields({ edited, problemOf, onChange, TextField }: Fields) {
  const changeSide = (side: 'width' | 'height', value: string) =>
    onChange({ type: 'hot-spot', kind: 'change-image', changed: { [side]: value }, field: side })
  return (
    <div>
      <TextField
        label={copy['editor.image']}
        isShort
        value={edited.image}
        problem={problemOf('image')}
        onText={(image, isTyped) =>
          onChange({ type: 'hot-spot', kind: 'change-image', changed: { image }, ...(isTyped && { field: 'image' }) })
        }
      />
      <p className="mt-1 text-sm text-soft">{copy['editor.image.hint']}</p>
      <div className="mt-3 grid max-w-sm grid-cols-2 gap-4">
        {(['width', 'height'] as const).map((side) => (
          <Field
            key={side}
            label={copy[`editor.${side}`]}
            inputMode="numeric"
            value={edited[side]}
            problem={problemOf(side)}
            onChange={(event) => changeSide(side, event.target.value)}
          />
        ))}
      </div>
    </div>
  )
}

/** Where an area is, and whether it is right. */
function AreaDetails({
  onChange,
  area,
  place,
  isDrawn,
  onDraw,
}: Fields & { area: EditedArea; place: number; isDrawn: boolean; onDraw: (isDrawn: boolean) => void }) {
  const letter = letterOfPart(place)
  const change = (changed: Partial<Pick<EditedArea, 'shape' | 'numbers' | 'isRight'>>, isTyped = false) =>
    onChange({ type: 'hot-spot', kind: 'change-area', place, changed, isTyped })
  return (
    <div className="mt-2 grid gap-x-4 gap-y-2 tablet:grid-cols-2">
      <SelectField
        label={fill(copy['editor.area.shape'], { letter })}
        value={area.shape}
        onChange={({ target }) => change({ shape: AREA_SHAPES.find((shape) => shape === target.value) ?? 'rect' })}
      >
        {AREA_SHAPES.map((shape) => (
          <option key={shape} value={shape}>
            {copy[`editor.area.${shape}`]}
          </option>
        ))}
      </SelectField>
      <Field
        label={fill(copy['editor.area.numbers'], { letter })}
        value={area.numbers}
        onChange={({ target }) => change({ numbers: target.value }, true)}
      />
      <Choice type="checkbox" checked={area.isRight} onChange={({ target }) => change({ isRight: target.checked })}>
        {fill(copy['editor.area.right'], { letter })}
      </Choice>
      <Choice type="checkbox" checked={isDrawn} onChange={({ target }) => onDraw(target.checked)}>
        {fill(copy['editor.draw'], { letter })}
      </Choice>
    </div>
  )
}

function AreasPreview({ edited, hidesEmpty = false }: PartsPreviewProps<'hot-spot'>) {
  const shown = hidesEmpty ? edited.areas.filter(({ text }) => text.trim() !== '') : edited.areas
  return (
    <>
      <AreaCanvas edited={edited} drawn={undefined} onNumbers={() => undefined} />
      <div className="mt-3">
        <LetteredList
          items={shown.map(({ text, isRight }) => ({ text, isMarked: isRight }))}
          mark={copy['editor.right']}
        />
      </div>
    </>
  )
}
