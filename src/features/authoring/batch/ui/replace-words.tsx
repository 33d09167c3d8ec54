import { useState, type FormEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { EmptyState } from '../../../../ui/page-parts.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { findWords, replaceWords, undoReplacing } from '../batch-client.ts'
import { copy } from '../batch.copy.ts'
import type { Replaced, WordMatches } from '../batch.schema.ts'
import { counted, pluralOf } from '../../../../lib/text.ts'

type ReplaceQuery = {
  readonly find: string
  readonly replaceWith: string
  readonly matchCase: boolean
  readonly exam: string
}

const nameOf = ({ examId, questionId }: { examId: string; questionId: string }) => `${examId} ${questionId}`

type Exams = readonly { readonly id: string; readonly title: string }[]
type Searched = { readonly query: ReplaceQuery; readonly matches: WordMatches }

/** Finds words, shows each place before and after, and replaces them in the questions that stay ticked. */
export function ReplaceWords({ courseId, exams, examId }: { courseId: string; exams: Exams; examId: string | null }) {
  const [query, setQuery] = useState<ReplaceQuery>({
    find: '',
    replaceWith: '',
    matchCase: true,
    exam: exams.find(({ id }) => id === examId)?.id ?? '',
  })
  const [isEmpty, setEmpty] = useState(false)
  const replacing = useReplacing(courseId)
  const { searched, replaced, outcome, working } = replacing
  const handleFind = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(query.find === '')
    if (query.find === '') working.reset()
    else replacing.search(query)
  }
  const failure = isEmpty ? copy['replace.find'] : working.failure === null ? null : messageOf(working.failure)
  return (
    <>
      <form onSubmit={handleFind} noValidate className="mt-6 grid max-w-exam items-end gap-4 tablet:grid-cols-2">
        <QueryFields query={query} exams={exams} onChange={(changed) => setQuery({ ...query, ...changed })}>
          <Button type="submit" {...working.button}>
            Find
          </Button>
        </QueryFields>
      </form>
      {failure === null ? null : <Notice tone="bad" className="mt-4" title={failure} />}
      <div role="status" className="mt-4">
        {outcome === '' ? null : (
          <div className="flex flex-wrap items-center gap-4 rounded-md border-l-4 border-good bg-good-soft px-4 py-3 text-sm">
            <p>{outcome}</p>
            {replaced === null || replaced.changed.length === 0 ? null : (
              <Button look="secondary" {...working.button} onClick={() => replacing.undo(replaced)}>
                Undo
              </Button>
            )}
          </div>
        )}
      </div>
      {replaced === null || replaced.refused.length === 0 ? null : <Refused refused={replaced.refused} />}
      {searched === null ? null : searched.matches.questionCount === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="search" title="Nothing says this" hint="Try fewer words, or ignore capitals." />
        </div>
      ) : (
        <Matches replacing={replacing} searched={searched} />
      )}
    </>
  )
}

/** Searching, replacing and undoing. A new search forgets which questions were left out. */
function useReplacing(courseId: string) {
  const [searched, setSearched] = useState<Searched | null>(null)
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const [replaced, setReplaced] = useState<Replaced | null>(null)
  const [outcome, setOutcome] = useState('')
  const working = useMutation((work: () => Promise<void>) => work())

  const search = async (query: ReplaceQuery) => {
    const { find, matchCase, exam } = query
    const matches = await findWords({ ...(exam === '' ? { courseId } : { examId: exam }), find, matchCase })
    setSearched({ query, matches })
    setLeftOut(new Set())
  }
  const toggle = (name: string) => {
    const next = new Set(leftOut)
    if (!next.delete(name)) next.add(name)
    setLeftOut(next)
  }
  return {
    searched,
    leftOut,
    replaced,
    outcome,
    working,
    toggle,
    search: (query: ReplaceQuery) => {
      setReplaced(null)
      working.run(() => search(query))
    },
    replace: ({ query, matches }: Searched) =>
      working.run(async () => {
        const { find, replaceWith, matchCase } = query
        const targets = matches.questions
          .filter((question) => !leftOut.has(nameOf(question)))
          .map(({ examId, questionId }) => ({ examId, questionId }))
        const result = await replaceWords({ find, replaceWith, matchCase, targets })
        setReplaced(result)
        setOutcome(`${counted(result.changed.length, 'question')} changed in the drafts.`)
        await search(query)
      }),
    undo: ({ changed }: Replaced) =>
      working.run(async () => {
        const { restored, kept } = await undoReplacing(changed)
        const restoredText = `${counted(restored, 'question')} ${pluralOf(restored, 'is as it was', 'are as they were')}.`
        setOutcome(`${restoredText}${kept === 0 ? '' : ` Changed by somebody since, and left so: ${kept}.`}`)
        setReplaced(null)
        if (searched !== null) await search(searched.query)
      }),
  }
}

function QueryFields({
  query,
  exams,
  onChange,
  children,
}: {
  query: ReplaceQuery
  exams: Exams
  onChange: (changed: Partial<ReplaceQuery>) => void
  children: ReactNode
}) {
  return (
    <>
      <Field label="Find" value={query.find} onChange={(event) => onChange({ find: event.target.value })} />
      <Field
        label="Replace with"
        value={query.replaceWith}
        onChange={(event) => onChange({ replaceWith: event.target.value })}
      />
      <SelectField label="In" value={query.exam} onChange={(event) => onChange({ exam: event.target.value })}>
        <option value="">The whole course</option>
        {exams.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Choice
          type="checkbox"
          checked={query.matchCase}
          onChange={(event) => onChange({ matchCase: event.target.checked })}
        >
          Match case
        </Choice>
        {children}
      </div>
    </>
  )
}

function Refused({ refused }: { refused: Replaced['refused'] }) {
  return (
    <Notice tone="flag" className="mt-3" title={`${counted(refused.length, 'question')} stayed as before:`}>
      <ul>
        {refused.map(({ examId, questionId, sentence }) => (
          <li key={`${examId} ${questionId}`}>
            <Link to={adminPaths.question(examId, questionId)} className="underline">
              {questionId}
            </Link>
            : {sentence}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Matches({ replacing, searched }: { replacing: ReturnType<typeof useReplacing>; searched: Searched }) {
  const { leftOut, toggle, working, replace } = replacing
  const { questions, questionCount, matchCount } = searched.matches
  const targetCount = questions.filter((question) => !leftOut.has(nameOf(question))).length
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="nums text-sm text-soft">
          {counted(matchCount, 'place')} in {counted(questionCount, 'question')}
          {questionCount > questions.length ? `; the first ${questions.length} are shown` : ''}
        </p>
        <Button disabled={targetCount === 0} {...working.button} onClick={() => replace(searched)}>
          Replace in {counted(targetCount, 'question')}
        </Button>
      </div>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {questions.map((question) => (
          <li key={nameOf(question)} className="flex gap-3 py-3">
            <label className="flex size-11 shrink-0 items-center justify-center">
              <span className="sr-only">
                Replace in question {question.number} of {question.examTitle}
              </span>
              <input
                type="checkbox"
                checked={!leftOut.has(nameOf(question))}
                onChange={() => toggle(nameOf(question))}
                className="size-5"
              />
            </label>
            <QuestionMatches question={question} replaceWith={searched.query.replaceWith} />
          </li>
        ))}
      </ul>
    </>
  )
}

function QuestionMatches({
  question,
  replaceWith,
}: {
  question: WordMatches['questions'][number]
  replaceWith: string
}) {
  return (
    <div className="min-w-0 text-sm">
      <p className="nums font-semibold">
        Question {question.number}, {question.examTitle}
      </p>
      {question.matches.map((match, place) => (
        // Matches of one question may be equal; only their place tells them apart.
        <p key={place} className="mt-1 wrap-anywhere">
          <span className="text-soft">{match.part}: </span>…{match.before}
          <del className="bg-bad-soft">{match.matched}</del>
          {replaceWith === '' ? null : <ins className="ml-1 bg-good-soft">{replaceWith}</ins>}
          {match.after}…
        </p>
      ))}
    </div>
  )
}
