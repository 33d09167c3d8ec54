import { Link, useRevalidator } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { FilterForm, filterField } from '../../../../ui/filter-form.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Paging } from '../../../../ui/pagination.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { dismissQuestions } from '../imports-client.ts'
import { copy } from '../imports.copy.ts'
import {
  IMPORT_OUTCOMES,
  IMPORT_VERDICTS,
  type ImportedQuestion,
  type ImportedQuestionFilter,
  type ImportView,
} from '../imports.schema.ts'
import { counted } from '../../../../lib/text.ts'

type List = {
  readonly questions: readonly ImportedQuestion[]
  readonly foundCount: number
  readonly page: number
  readonly pageCount: number
}

const tones = {
  good: 'text-good',
  'needs-review': 'text-flag',
  changed: 'text-accent',
  there: 'text-soft',
  refused: 'text-bad',
} as const

/** A page of an import's questions, with verdict, reasons, file and line, and a filter. */
export function ImportedQuestions({
  view,
  list,
  wanted,
}: {
  view: ImportView
  list: List
  wanted: ImportedQuestionFilter
}) {
  const dismiss = useDismiss(view.id)
  return (
    <section id="questions" aria-labelledby="imported-heading" className="mt-10 scroll-mt-20">
      <h2 id="imported-heading" className="text-lg font-semibold">
        {copy['import.questions']}
      </h2>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-3">
        <div className="grow">
          <Filter wanted={wanted} />
        </div>
        {view.counts.refused.open > 1 ? (
          <Button look="secondary" onClick={() => void dismiss()}>
            {copy['import.dismiss.all']}
          </Button>
        ) : null}
      </div>
      <p className="nums mt-3 text-sm text-soft" role="status">
        {counted(list.foundCount, 'question')}
      </p>
      {list.questions.length === 0 ? (
        <p className="mt-3 rounded-lg border border-dashed border-line-strong px-6 py-8 text-center">
          {copy['import.questions.none']}
        </p>
      ) : (
        <ol className="mt-3 divide-y divide-line border-y border-line">
          {list.questions.map((question) => (
            <QuestionRow key={question.place} importId={view.id} question={question} onDismiss={dismiss} />
          ))}
        </ol>
      )}
      <Pages list={list} wanted={wanted} />
    </section>
  )
}

function useDismiss(importId: string) {
  const { revalidate } = useRevalidator()
  return async (places?: number[]) => {
    try {
      const { dismissed } = await dismissQuestions(importId, places)
      toast('success', copy['import.dismissed'], fill(copy['import.dismissed.n'], { n: dismissed }))
      await revalidate()
    } catch (error) {
      toast(...toastOf(error))
    }
  }
}

function Filter({ wanted }: { wanted: ImportedQuestionFilter }) {
  return (
    <FilterForm preventScrollReset action={copy['import.questions.show']}>
      <SelectField
        key={`verdict ${wanted.verdict}`}
        label={copy['import.questions.verdict']}
        name="verdict"
        defaultValue={wanted.verdict}
        className={filterField.narrow}
      >
        {(['all', ...IMPORT_VERDICTS] as const).map((verdict) => (
          <option key={verdict} value={verdict}>
            {copy[`verdict.${verdict}`]}
          </option>
        ))}
      </SelectField>
      <SelectField
        key={`fate ${wanted.outcome}`}
        label={copy['import.questions.fate']}
        name="fate"
        defaultValue={wanted.outcome}
        className={filterField.narrow}
      >
        {(['all', ...IMPORT_OUTCOMES] as const).map((outcome) => (
          <option key={outcome} value={outcome}>
            {copy[`fate.${outcome}`]}
          </option>
        ))}
      </SelectField>
    </FilterForm>
  )
}

type RowProps = {
  importId: string
  question: ImportedQuestion
  onDismiss: (places: number[]) => Promise<void>
}

function QuestionRow({ importId, question, onDismiss }: RowProps) {
  const { file, line, verdict, outcome, excerpt, key } = question
  return (
    <li className="grid gap-x-6 py-3 tablet:grid-cols-[9rem_1fr_auto]">
      <p className="text-sm">
        <span className={`font-semibold ${tones[verdict]}`}>{copy[`verdict.${verdict}`]}</span>
        {outcome === 'open' ? null : <span className="block text-soft">{copy[`fate.${outcome}`]}</span>}
      </p>
      <div className="min-w-0">
        <p className="line-clamp-2 wrap-anywhere">{excerpt === '' ? key : excerpt}</p>
        <p className="nums mt-1 text-sm wrap-anywhere text-soft">
          {fill(copy['import.questions.line'], { file, line })}
        </p>
        <Reasons question={question} />
      </div>
      <RowActions importId={importId} question={question} onDismiss={onDismiss} />
    </li>
  )
}

/** Why the verdict was given, what the bank cannot hold of the question, and where the same question already is. */
function Reasons({ question: { reasons, lost, there } }: { question: ImportedQuestion }) {
  return (
    <>
      {reasons.map(({ code, field, sentence, line }) => (
        <p key={`${code}:${field}:${line}`} className="mt-1 border-l-4 border-line pl-3 text-sm wrap-anywhere">
          {sentence}
        </p>
      ))}
      {lost.map((sentence) => (
        <p key={sentence} className="mt-1 border-l-4 border-flag pl-3 text-sm wrap-anywhere">
          {sentence}
        </p>
      ))}
      {there === null ? null : (
        <p className="mt-1 text-sm">
          <Link
            to={`${adminPaths.exam(there.examId)}?search=${encodeURIComponent(there.questionId)}`}
            className="inline-flex min-h-8 items-center wrap-anywhere text-accent underline underline-offset-2"
          >
            {fill(copy['import.questions.there'], { exam: there.examTitle })}
          </Link>
        </p>
      )}
    </>
  )
}

function RowActions({ importId, question: { place, line, verdict, outcome }, onDismiss }: RowProps) {
  const action = 'inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2'
  const canCorrect = outcome === 'open' && (verdict === 'refused' || verdict === 'needs-review')
  return (
    <p className="flex flex-wrap gap-x-5 tablet:flex-col tablet:items-end">
      <Link
        to={adminPaths.correctQuestion(importId, place)}
        aria-label={fill(copy[canCorrect ? 'import.questions.mend.of' : 'import.questions.whole.of'], { line })}
        className={action}
      >
        {copy[canCorrect ? 'import.questions.mend' : 'import.questions.whole']}
      </Link>
      {verdict === 'refused' && outcome === 'open' ? (
        <button
          type="button"
          aria-label={fill(copy['import.questions.dismiss.of'], { line })}
          onClick={() => void onDismiss([place])}
          className={action}
        >
          {copy['import.questions.dismiss']}
        </button>
      ) : null}
    </p>
  )
}

function Pages({ list, wanted }: { list: List; wanted: ImportedQuestionFilter }) {
  const to = (page: number) =>
    `?${new URLSearchParams({ verdict: wanted.verdict, outcome: wanted.outcome, page: String(page) })}#questions`
  const { page, pageCount: pages } = list
  return (
    <Paging
      label={copy['import.questions.pages']}
      back={page > 1 ? { to: to(page - 1), label: copy['import.questions.previous'] } : null}
      status={fill(copy['import.questions.page'], { page, pages })}
      on={page < pages ? { to: to(page + 1), label: copy['import.questions.next'] } : null}
    />
  )
}
