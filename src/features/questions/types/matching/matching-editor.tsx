import { fill } from '../../../../lib/failure.ts'
import { plainText } from '../../../../lib/markdown.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import type { RowChange } from '../parts/row-editing.ts'
import { RowFields } from '../parts/row-fields.tsx'
import type { PartFieldsProps, PartsPreviewProps, TypeEditor } from '../type-editor.tsx'
import { copy } from './matching-edit.copy.ts'
import { LIMITS, optionName } from './matching-edit.ts'
import { MatchingKeyForm } from './matching-key-form.tsx'
import { copy as learnerCopy } from './matching.copy.ts'
import type { EditedMatching } from './matching-edit.schema.ts'
import { promptName } from './matching-validation.ts'

export const matchingEditor: TypeEditor<'matching'> = {
  PartFields: PairFields,
  PartsPreview: PairsPreview,
  KeyForm: MatchingKeyForm,
}

type Fields = PartFieldsProps<'matching'>

function PairFields(props: Fields) {
  const { edited, problemOf, onChange, TextField } = props
  const list = <Name extends 'options' | 'prompts'>(name: Name) => ({
    rows: edited[name],
    field: name,
    limits: LIMITS[name],
    problemOf,
    onChange: (change: RowChange) => onChange({ type: 'matching', list: name, change }),
    TextField,
    isOrdered: true,
  })
  return (
    <>
      <RowFields
        {...list('options')}
        legend={copy['editor.options']}
        hint={copy['editor.options.hint']}
        addLabel={copy['editor.option.add']}
        labelOf={optionName}
      />
      <Choice
        type="checkbox"
        checked={edited.isReusable}
        onChange={({ target }) => onChange({ type: 'matching', list: 'reuse', isReusable: target.checked })}
      >
        {copy['editor.reuse']}
      </Choice>
      <RowFields
        {...list('prompts')}
        legend={copy['editor.prompts']}
        hint={copy['editor.prompts.hint']}
        addLabel={copy['editor.prompt.add']}
        labelOf={promptName}
        renderMore={(_, place) => <RightOption {...props} place={place} />}
      />
    </>
  )
}

/** The option of a prompt. */
function RightOption({ edited, problemOf, onChange, place }: Fields & { readonly place: number }) {
  return (
    <SelectField
      label={fill(copy['editor.right'], { n: place + 1 })}
      className="mt-2 max-w-md"
      value={edited.prompts[place]?.optionKey ?? ''}
      problem={problemOf(`prompts.${place}.option`)}
      onChange={({ target }) =>
        onChange({ type: 'matching', list: 'pairs', place, optionKey: target.value === '' ? null : target.value })
      }
    >
      <option value="">{copy['editor.right.none']}</option>
      {edited.options.map(({ key, text }, at) => (
        <option key={key} value={key}>
          {fill(learnerCopy['exam.option.letter'], { letter: letterOfPart(at), text: plainText(text) })}
        </option>
      ))}
    </SelectField>
  )
}

function PairsPreview({ edited, hidesEmpty = false }: PartsPreviewProps<'matching'>) {
  const isShown = ({ text }: { readonly text: string }) => !hidesEmpty || text.trim() !== ''
  return (
    <>
      <ol className="space-y-1.5">
        {edited.options.map((option, place) =>
          isShown(option) ? (
            <li key={option.key} className="flex gap-3">
              <span className="w-4 shrink-0 font-semibold text-soft">{letterOfPart(place)}</span>
              <div className="min-w-0">
                <Markdown text={option.text} as="phrasing" />
              </div>
            </li>
          ) : null,
        )}
      </ol>
      <p className="mt-4 mb-2 text-sm font-semibold">{copy['editor.prompts']}</p>
      <ol className="list-decimal space-y-2 pl-6">
        {edited.prompts.filter(isShown).map((prompt) => (
          <li key={prompt.key} className="pl-1">
            <Markdown text={prompt.text} as="phrasing" />
            <span className="mt-0.5 block text-sm font-semibold text-good">{rightOptionLine(edited, prompt)}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

function rightOptionLine({ options }: EditedMatching, { optionKey }: EditedMatching['prompts'][number]): string {
  const place = options.findIndex(({ key }) => key === optionKey)
  const letter = place === -1 ? '–' : letterOfPart(place)
  return fill(copy['editor.right.line'], { letter, text: plainText(options[place]?.text ?? '') })
}
