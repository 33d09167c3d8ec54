import { fill, type FieldProblem } from '../../../../lib/failure.ts'
import { wordReason } from '../../questions.copy.ts'
import { bodyOfFile } from '../parts/body-fields.ts'
import { formText } from '../given-fields.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import { emptyFields, sharedFields } from '../question-edit-base.schema.ts'
import {
  allRows,
  changeRows,
  foreignIds,
  rowProblems,
  textsBeyond,
  usedRows,
  type RowChange,
} from '../parts/row-editing.ts'
import type { FileFields, PartsChanged, TypeEditing } from '../type-editing.ts'
import { copy } from './hot-spot-edit.copy.ts'
import type { EditedArea, EditedHotSpot, HotSpotEdit } from './hot-spot-edit.schema.ts'
import { rightAreaIds } from './hot-spot-grading.ts'
import { AREA_SHAPES, MAX_AREAS, MIN_AREAS, type HotSpotQuestion } from './hot-spot.schema.ts'

/** A change of the picture, or of the areas in the form. */
export type HotSpotAction = { readonly type: 'hot-spot' } & (
  | {
      readonly kind: 'change-image'
      readonly changed: Partial<Pick<EditedHotSpot, 'image' | 'width' | 'height'>>
      /** The field that was typed in, so that continued typing is one step. */
      readonly field?: 'image' | 'width' | 'height'
    }
  | {
      readonly kind: 'change-area'
      readonly place: number
      readonly changed: Partial<Pick<EditedArea, 'shape' | 'numbers' | 'isRight'>>
      readonly isTyped?: boolean
    }
  | { readonly kind: 'change-rows'; readonly change: RowChange }
)

const emptyArea = (key: string): EditedArea => ({ key, id: null, text: '', shape: 'rect', numbers: '', isRight: false })
export const AREA_LIMITS = { least: MIN_AREAS, most: MAX_AREAS, empty: emptyArea }

const emptyHotSpot: EditedHotSpot = {
  type: 'hot-spot',
  ...emptyFields,
  image: '',
  width: '',
  height: '',
  areas: ['new-0', 'new-1'].map(emptyArea),
}

export const hotSpotEditing: TypeEditing<'hot-spot'> = {
  name: 'Hot spot',
  empty: emptyHotSpot,

  toEdited: (question) => ({
    type: 'hot-spot',
    ...sharedFields(question),
    image: question.image,
    width: String(question.width),
    height: String(question.height),
    areas: question.areas.map((area) => ({ ...area, key: area.id, numbers: area.numbers.join(', ') })),
  }),

  toEdit: toHotSpotEdit,
  reduce: reduceHotSpot,

  actionOf({ areas }, shortcut) {
    if (shortcut.kind === 'add-part') return { type: 'hot-spot', kind: 'change-rows', change: { kind: 'add' } }
    if (shortcut.kind === 'mark-part') {
      const changed = { isRight: areas[shortcut.place]?.isRight !== true }
      return { type: 'hot-spot', kind: 'change-area', place: shortcut.place, changed }
    }
    const place = areas.findIndex(({ key }) => key === shortcut.key)
    return { type: 'hot-spot', kind: 'change-rows', change: { kind: 'move', place, by: shortcut.by } }
  },
  shortcuts: [
    ['Alt N', 'a new area'],
    ['Alt ↑, Alt ↓', 'move the area that you are in'],
    ['Alt 1 to Alt 9', 'mark or unmark that area as right'],
  ],

  problems: ({ areas }, stored) =>
    rowProblems(areas, 'areas', {
      labelOf: (place) => fill(copy['editor.area'], { letter: letterOfPart(place) }),
      isForeign: foreignIds(areas, stored?.areas ?? []),
    }),

  furtherProblems({ areas }): FieldProblem[] {
    return areas.some(({ isRight }) => isRight)
      ? []
      : [{ field: 'areas', message: wordReason('right-answer-missing', []) }]
  },

  toGiven: ({ image, width, height, areas }) => ({
    body: { image: { text: image }, width: width.trim(), height: height.trim(), areas },
  }),

  partsField: 'areas',

  editField(judgedField) {
    const [, name, place] = /^body\.(image|width|height|areas)(?:\.(\d+))?$/.exec(judgedField) ?? []
    if (name === undefined) return judgedField === 'body' ? 'areas' : null
    return place === undefined ? name : `areas.${place}.text`
  },

  keySentence: (question, problem) =>
    problem === 'count' ? fill(copy['key.count'], { n: rightAreaIds(question).length }) : copy['key.unknown'],

  changedParts(old, now) {
    const differs = (part: (question: HotSpotQuestion) => unknown) =>
      JSON.stringify(part(old)) !== JSON.stringify(part(now))
    return [
      differs(({ image, width, height }) => [image, width, height]) ? (['image'] as const) : [],
      differs(({ areas }) => areas.map(({ id, text, shape, numbers }) => [id, text, shape, numbers]))
        ? (['areas'] as const)
        : [],
      differs((question) => rightAreaIds(question).toSorted()) ? (['key'] as const) : [],
    ].flat()
  },

  namedTexts: ({ image, areas }) => [
    { name: copy['editor.image'], text: image },
    ...areas.map(({ text }, place) => ({ name: fill(copy['editor.area'], { letter: letterOfPart(place) }), text })),
  ],

  summary: (question) => fill(copy['editor.summary'], { n: rightAreaIds(question).length, all: question.areas.length }),

  fromFile: (fields, shared) => ({ type: 'hot-spot', ...shared, ...formOfFile(fields) }),

  withAllRows: (edited) => ({ ...edited, areas: allRows(edited.areas, { ...AREA_LIMITS, most: edited.areas.length }) }),

  toCorrection(edited) {
    const edit = toHotSpotEdit(edited)
    return { ...edit, areas: edit.areas.map((area) => ({ ...area, id: null })) }
  },

  leftOver(fields) {
    const texts = textsBeyond(bodyOfFile(fields)['areas'], MAX_AREAS)
    return texts.length === 0 ? null : { title: copy['correction.left'], texts }
  },
}

function toHotSpotEdit(edited: EditedHotSpot): HotSpotEdit {
  const { image, width, height } = edited
  const areas = usedRows(edited.areas, MIN_AREAS).map(({ id, text, shape, numbers, isRight }) => ({
    id,
    text,
    shape,
    numbers,
    isRight,
  }))
  return { type: 'hot-spot', ...sharedFields(edited), image, width, height, areas }
}

function reduceHotSpot(edited: EditedHotSpot, action: HotSpotAction): PartsChanged<EditedHotSpot> | null {
  switch (action.kind) {
    case 'change-image':
      return { edited: { ...edited, ...action.changed }, typedField: action.field ?? null, focusedKey: null }
    case 'change-area': {
      const area = edited.areas[action.place]
      if (area === undefined) return null
      const areas = edited.areas.with(action.place, { ...area, ...action.changed })
      const typedField = action.isTyped === true ? `numbers.${area.key}` : null
      return { edited: { ...edited, areas }, typedField, focusedKey: null }
    }
    case 'change-rows': {
      const changed = changeRows(edited.areas, action.change, AREA_LIMITS)
      if (changed === null) return null
      const { rows, typedField, focusedKey } = changed
      return { edited: { ...edited, areas: rows }, typedField, focusedKey }
    }
  }
}

function formOfFile(fields: FileFields): Pick<EditedHotSpot, 'image' | 'width' | 'height' | 'areas'> {
  const { image, width, height, areas } = bodyOfFile(fields)
  const given: unknown[] = Array.isArray(areas) ? areas : []
  const rows = given.slice(0, MAX_AREAS).map((entry, place) => areaOfFile(entry, `file-${place}`))
  const missing = Array.from({ length: Math.max(0, MIN_AREAS - rows.length) }, (_, at) => emptyArea(`new-${at}`))
  const isPart = typeof image === 'object' && image !== null && 'text' in image
  return {
    image: formText(isPart ? image.text : image),
    width: formText(width),
    height: formText(height),
    areas: [...rows, ...missing],
  }
}

function areaOfFile(entry: unknown, key: string): EditedArea {
  const fields = new Map<string, unknown>(typeof entry === 'object' && entry !== null ? Object.entries(entry) : [])
  const numbers = fields.get('numbers')
  return {
    key,
    id: null,
    text: formText(fields.get('text')),
    shape: AREA_SHAPES.find((shape) => shape === fields.get('shape')) ?? 'rect',
    numbers: Array.isArray(numbers) ? numbers.join(', ') : formText(numbers),
    isRight: fields.get('isRight') === true,
  }
}
