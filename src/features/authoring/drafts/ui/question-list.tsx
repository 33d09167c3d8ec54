import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { FilterForm, filterField } from '../../../../ui/filter-form.tsx'
import { PlusIcon } from '../../../../ui/icons.tsx'
import { EmptyState } from '../../../../ui/page-parts.tsx'
import { Paging } from '../../../../ui/pagination.tsx'
import { Sortable } from '../../../../ui/sortable.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { beginDraft } from '../drafts-client.ts'
import { copy } from '../drafts.copy.ts'
import { copy as caseStudyCopy } from '../../../questions/case-studies/shown-case-study.copy.ts'
import { difficultyNames } from '../../../questions/difficulty.copy.ts'
import { SelectedQuestions } from '../../batch/ui/selected-questions.tsx'
import type { ListedQuestion, QuestionList as Listed, QuestionFilter } from '../drafts.schema.ts'

/** The questions of an exam by the page, with a search. Without a draft, editing a question begins one. */
export function QuestionList({
  examId,
  hasDraft,
  list,
  filter,
}: {
  examId: string
  hasDraft: boolean
  list: Listed
  filter: QuestionFilter
}) {
  const { search } = useLocation()
  const isUnfiltered = filter.search === '' && filter.show === 'all'
  return (
    <section aria-labelledby="questions-heading" className="mt-10">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="questions-heading" className="text-lg font-semibold">
          {copy['exam.questions']}
        </h2>
        {hasDraft ? (
          <ButtonLink to={adminPaths.newQuestion(examId)} state={{ list: search }} look="secondary">
            <PlusIcon />
            {copy['exam.questions.add']}
          </ButtonLink>
        ) : null}
      </div>
      <ListFilter examId={examId} hasDraft={hasDraft} filter={filter} isUnfiltered={isUnfiltered} />
      <p className="nums mt-3 text-sm text-soft" role="status">
        {fill(copy['exam.questions.found'], { n: list.foundCount, total: list.totalCount })}
      </p>
      <SelectedQuestions examId={examId} hasDraft={hasDraft} list={list}>
        {(shown, choice, move) =>
          shown.length === 0 ? (
            <div className="mt-3">
              <EmptyState
                drawing={isUnfiltered ? 'list' : 'search'}
                title={copy[isUnfiltered ? 'exam.questions.empty.title' : 'exam.questions.none.title']}
                hint={copy[isUnfiltered ? 'exam.questions.empty' : 'exam.questions.none']}
              />
            </div>
          ) : (
            <QuestionRows
              examId={examId}
              hasDraft={hasDraft}
              questions={shown}
              choice={choice}
              onMove={hasDraft && isUnfiltered ? move : null}
            />
          )
        }
      </SelectedQuestions>
      <Pages list={list} filter={filter} />
    </section>
  )
}

/** The rows of the questions, sortable when they can be moved. */
function QuestionRows({
  examId,
  hasDraft,
  questions,
  choice,
  onMove,
}: {
  examId: string
  hasDraft: boolean
  questions: readonly ListedQuestion[]
  choice: (question: ListedQuestion) => ReactNode
  onMove: ((from: number, to: number) => void) | null
}) {
  const row = (question: ListedQuestion, before: ReactNode) => (
    <QuestionRow examId={examId} hasDraft={hasDraft} question={question} before={before} />
  )
  if (onMove === null)
    return (
      <ol className="mt-3 divide-y divide-line border-y border-line">
        {questions.map((question) => (
          <li key={question.id}>{row(question, choice(question))}</li>
        ))}
      </ol>
    )
  return (
    <Sortable
      items={questions}
      idOf={({ id }) => id}
      nameOf={({ number }) => `question ${number}`}
      onMove={onMove}
      className="mt-3 divide-y divide-line border-y border-line"
    >
      {(question, handle) =>
        row(
          question,
          <>
            {handle}
            {choice(question)}
          </>,
        )
      }
    </Sortable>
  )
}

function ListFilter({
  examId,
  hasDraft,
  filter,
  isUnfiltered,
}: {
  examId: string
  hasDraft: boolean
  filter: QuestionFilter
  isUnfiltered: boolean
}) {
  return (
    <FilterForm
      preventScrollReset
      action={copy['exam.questions.find']}
      reset={isUnfiltered ? null : { to: adminPaths.exam(examId), label: copy['exam.questions.reset'] }}
    >
      <Field
        label={copy['exam.questions.search']}
        name="search"
        type="search"
        defaultValue={filter.search}
        key={filter.search}
        maxLength={200}
        className={filterField.wide}
      />
      <SelectField
        key={`show ${filter.show}`}
        label={copy['exam.questions.show']}
        name="show"
        defaultValue={filter.show}
        className={filterField.narrow}
      >
        <option value="all">{copy['exam.questions.all']}</option>
        <option value="review">{copy['exam.questions.review']}</option>
        {hasDraft ? <option value="changed">{copy['exam.questions.changed']}</option> : null}
      </SelectField>
    </FilterForm>
  )
}

function QuestionRow({
  examId,
  hasDraft,
  question,
  before,
}: {
  examId: string
  hasDraft: boolean
  question: ListedQuestion
  /** The drag handle and the checkbox in front of the question. */
  before: ReactNode
}) {
  const { number, stem, domain, difficulty, summary, caseStudy, needsReview, state } = question
  return (
    <div className="flex gap-x-3 py-3">
      <div className="-ml-3 flex shrink-0 flex-col items-center tablet:flex-row tablet:items-start">{before}</div>
      <span className="nums w-7 shrink-0 pt-0.5 text-sm text-soft">{number}</span>
      <div className="min-w-0 grow">
        <p className="line-clamp-2 wrap-anywhere">{stem}</p>
        <p className="nums mt-1 flex flex-wrap items-center gap-x-3 text-sm text-soft">
          <span className="wrap-anywhere">{domain}</span>
          {difficulty === '' ? null : <span>{difficultyNames[difficulty]}</span>}
          <span>{summary}</span>
          {caseStudy === null ? null : (
            <span className="wrap-anywhere">{fill(caseStudyCopy['case-study.title'], { title: caseStudy })}</span>
          )}
          {needsReview ? <span className="font-semibold text-flag">{copy['state.review']}</span> : null}
          {state === 'same' ? null : <span className="font-semibold text-accent">{copy[`state.${state}`]}</span>}
        </p>
        <RowLinks examId={examId} hasDraft={hasDraft} question={question} />
      </div>
    </div>
  )
}

type RowLinksProps = { examId: string; hasDraft: boolean; question: ListedQuestion }

function RowLinks({ examId, hasDraft, question: { id, number, state } }: RowLinksProps) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const to = adminPaths.question(examId, id)
  const handleEdit = async () => {
    try {
      await beginDraft(examId)
      await navigate(to, { state: { list: search } })
    } catch (error) {
      toast('error', copy['exam.edit'], messageOf(error))
    }
  }
  const link = 'inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2'
  const editLabel = `Edit question ${number}`
  return (
    <p className="flex flex-wrap gap-x-5">
      {hasDraft ? (
        <Link to={to} state={{ list: search }} aria-label={editLabel} className={link}>
          Edit
        </Link>
      ) : (
        <button type="button" aria-label={editLabel} className={link} onClick={() => void handleEdit()}>
          Edit
        </button>
      )}
      {state === 'added' ? null : (
        <Link
          to={adminPaths.key(examId, id)}
          state={{ list: search }}
          aria-label={`Correct the answer key of question ${number}`}
          className={link}
        >
          Correct the answer key
        </Link>
      )}
    </p>
  )
}

function Pages({ list: { page, pageCount }, filter }: { list: Listed; filter: QuestionFilter }) {
  const to = (next: number) =>
    `?${new URLSearchParams({ search: filter.search, show: filter.show, page: String(next) })}`
  return (
    <Paging
      label="Pages of questions"
      back={page > 1 ? { to: to(page - 1), label: copy['exam.questions.previous'] } : null}
      status={`Page ${page} of ${pageCount}`}
      on={page < pageCount ? { to: to(page + 1), label: copy['exam.questions.next'] } : null}
    />
  )
}
