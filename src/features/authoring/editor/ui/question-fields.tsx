import { useId } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Choice } from '../../../../ui/choice.tsx'
import { Field } from '../../../../ui/field.tsx'
import { PlusIcon, TrashIcon } from '../../../../ui/icons.tsx'
import { LETTERS, MAX_OPTIONS, MIN_OPTIONS } from '../../../questions/questions.schema.ts'
import { copy } from '../../drafts/drafts.copy.ts'
import type { EditedOption } from '../question-editor.schema.ts'
import type { QuestionEditorState } from '../use-question-editor.ts'
import { DifficultyField } from './difficulty-field.tsx'
import { TextWithImages } from './text-with-images.tsx'

type Editor = { readonly editor: QuestionEditorState }

function problemsOf({ failure }: QuestionEditorState) {
  return (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`question.${field}`)
}

export function QuestionFields({ editor, domains }: Editor & { domains: readonly string[] }) {
  const { question, change } = editor
  const problemOf = problemsOf(editor)
  return (
    <>
      <TextWithImages
        label={copy['editor.stem']}
        hint={copy['editor.markdown']}
        value={question.stem}
        problem={problemOf('stem')}
        hasButton
        onText={(stem, isTyped) => change({ kind: 'change', changed: { stem }, field: isTyped ? 'stem' : null })}
      />
      <OptionFields editor={editor} />
      <TextWithImages
        label={copy['editor.explanation']}
        value={question.explanation}
        problem={problemOf('explanation')}
        hasButton
        onText={(explanation, isTyped) =>
          change({ kind: 'change', changed: { explanation }, field: isTyped ? 'explanation' : null })
        }
      />
      <div className="grid gap-4 tablet:grid-cols-[2fr_1fr]">
        <DomainField editor={editor} domains={domains} />
        <DifficultyField
          value={question.difficulty ?? ''}
          problem={problemOf('difficulty')}
          onChange={(difficulty) => change({ kind: 'change', changed: { difficulty } })}
        />
      </div>
      <Field
        label={copy['editor.url']}
        type="url"
        value={question.url}
        problem={problemOf('url')}
        onChange={(event) => change({ kind: 'change', changed: { url: event.target.value }, field: 'url' })}
      />
      <Choice
        type="checkbox"
        checked={question.needsReview}
        onChange={(event) => change({ kind: 'change', changed: { needsReview: event.target.checked } })}
      >
        {copy['editor.review']}
      </Choice>
    </>
  )
}

function DomainField({ editor, domains }: Editor & { domains: readonly string[] }) {
  const { question, change } = editor
  const problemOf = problemsOf(editor)
  const listId = useId()
  return (
    <>
      <Field
        label={copy['editor.domain']}
        list={listId}
        value={question.domain}
        problem={problemOf('domain')}
        onChange={(event) => change({ kind: 'change', changed: { domain: event.target.value }, field: 'domain' })}
      />
      <datalist id={listId}>
        {domains.map((domain) => (
          <option key={domain} value={domain}>
            {domain}
          </option>
        ))}
      </datalist>
    </>
  )
}

function OptionFields({ editor }: Editor) {
  const { change } = editor
  const { options } = editor.question
  const problem = problemsOf(editor)('options')
  return (
    <fieldset>
      <legend className="text-sm font-medium">{copy['editor.answers']}</legend>
      <p className="mt-1 text-sm text-soft">{copy['editor.answers.hint']}</p>
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
      <ul className="mt-3 space-y-4">
        {options.map((option, place) => (
          <OptionRow key={option.key} editor={editor} option={option} place={place} />
        ))}
      </ul>
      {options.length >= MAX_OPTIONS ? null : (
        <Button look="secondary" className="mt-3" onClick={() => change({ kind: 'add-option' })}>
          <PlusIcon />
          {copy['editor.answer.add']}
        </Button>
      )}
    </fieldset>
  )
}

function OptionRow({ editor, option, place }: Editor & { option: EditedOption; place: number }) {
  const { question, change } = editor
  const problemOf = problemsOf(editor)
  const letter = (LETTERS[place] ?? '').toUpperCase()
  const changeOption = (changed: Partial<EditedOption>, isTyped = false) =>
    change({ kind: 'change-option', place, changed, isTyped })
  return (
    <li data-option={option.key} className="grid grid-cols-[2.75rem_1fr_2.75rem] items-start gap-x-1">
      <label className="mt-6 flex size-11 items-center justify-center">
        <span className="sr-only">{fill(copy['editor.answer.right'], { letter })}</span>
        <input
          type="checkbox"
          checked={option.isRight}
          onChange={(event) => changeOption({ isRight: event.target.checked })}
          className="size-5 accent-good"
        />
      </label>
      <TextWithImages
        label={fill(copy['editor.answer'], { letter })}
        isShort
        value={option.text}
        problem={problemOf(`options.${place}.text`)}
        onText={(text, isTyped) => changeOption({ text }, isTyped)}
      />
      <IconButton
        label={fill(copy['editor.answer.remove'], { letter })}
        disabled={question.options.length <= MIN_OPTIONS}
        onClick={() => change({ kind: 'remove-option', place })}
        className="mt-6"
      >
        <TrashIcon />
      </IconButton>
    </li>
  )
}
