import { useId } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Field } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import type { CaseStudy } from '../../../questions/case-studies/case-study.schema.ts'
import { QUESTION_TYPES, typeName } from '../../../questions/types/edit-registry.ts'
import type { QuestionType } from '../../../questions/types/question-types.schema.ts'
import { PartFields } from '../../../questions/types/editor-registry.tsx'
import { copy } from '../../drafts/drafts.copy.ts'
import type { QuestionEditorState } from '../use-question-editor.ts'
import { DifficultyField } from './difficulty-field.tsx'
import { TextWithImages } from './text-with-images.tsx'

type Editor = { readonly editor: QuestionEditorState }

function problemsOf({ failure }: QuestionEditorState) {
  return (field: string) => failure?.problemOf(field) ?? failure?.problemOf(`question.${field}`)
}

export function QuestionFields({
  editor,
  domains,
  caseStudies,
}: Editor & { domains: readonly string[]; caseStudies: readonly CaseStudy[] }) {
  const { question, change } = editor
  const problemOf = problemsOf(editor)
  return (
    <>
      <SelectField
        label={copy['editor.type']}
        value={question.type}
        onChange={(event) => change({ kind: 'change-type', type: event.target.value as QuestionType })}
      >
        {QUESTION_TYPES.map((type) => (
          <option key={type} value={type}>
            {typeName(type)}
          </option>
        ))}
      </SelectField>
      <CaseStudyField editor={editor} caseStudies={caseStudies} />
      <TextWithImages
        label={copy['editor.stem']}
        hint={copy['editor.markdown']}
        value={question.stem}
        problem={problemOf('stem')}
        hasButton
        onText={(stem, isTyped) => change({ kind: 'change', changed: { stem }, field: isTyped ? 'stem' : null })}
      />
      <PartFields
        edited={question}
        problemOf={problemOf}
        onChange={(action) => change({ kind: 'change-parts', action })}
        TextField={TextWithImages}
      />
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
      <VerificationFields editor={editor} />
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

/** A form without the fields leaves them as they are, so an emptied field stays an empty text. */
function VerificationFields({ editor }: Editor) {
  const { question, change } = editor
  const problemOf = problemsOf(editor)
  return (
    <div className="grid gap-4 tablet:grid-cols-2">
      <Field
        label={copy['editor.verified']}
        hint={copy['editor.verified.hint']}
        type="date"
        value={question.verifiedOn ?? ''}
        problem={problemOf('verifiedOn')}
        onChange={(event) => change({ kind: 'change', changed: { verifiedOn: event.target.value } })}
      />
      <Field
        label={copy['editor.guide']}
        hint={copy['editor.guide.hint']}
        value={question.guide ?? ''}
        problem={problemOf('guide')}
        onChange={(event) => change({ kind: 'change', changed: { guide: event.target.value }, field: 'guide' })}
      />
    </div>
  )
}

/** None, or one of the draft's case studies; not there while the draft has none. */
function CaseStudyField({ editor, caseStudies }: Editor & { caseStudies: readonly CaseStudy[] }) {
  const { question, change } = editor
  const chosen = question.caseStudy ?? ''
  if (caseStudies.length === 0 && chosen === '') return null
  const isKnown = chosen === '' || caseStudies.some(({ id }) => id === chosen)
  return (
    <SelectField
      label={copy['editor.case-study']}
      value={chosen}
      problem={problemsOf(editor)('caseStudy')}
      onChange={(event) => change({ kind: 'change', changed: { caseStudy: event.target.value } })}
    >
      <option value="">{copy['editor.case-study.none']}</option>
      {caseStudies.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
      {isKnown ? null : <option value={chosen}>{fill(copy['editor.case-study.gone'], { key: chosen })}</option>}
    </SelectField>
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
