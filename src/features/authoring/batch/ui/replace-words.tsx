import { useState, type FormEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { fill } from '../../../../lib/failure.ts'
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
import type { Replaced, ReplaceTargets, WordMatches } from '../batch.schema.ts'
import { counted, pluralOf } from '../../../../lib/text.ts'

type ReplaceQuery = {
  readonly find: string
  readonly replaceWith: string
  readonly matchCase: boolean
  readonly exam: string
}

/** A question or a case study with words that were looked for. */
type Found = {
  readonly key: string
  readonly heading: string
  readonly label: string
  readonly matches: WordMatches['questions'][number]['matches']
  readonly target: ReplaceTargets['targets'][number] | ReplaceTargets['caseStudies'][number]
}

function foundIn({ questions, caseStudies }: WordMatches): Found[] {
  return [
    ...questions.map(({ examId, examTitle: exam, questionId, number: n, matches }) => ({
      key: `${examId} ${questionId}`,
      heading: fill(copy['replace.question'], { n, exam }),
      label: fill(copy['replace.question.choose'], { n, exam }),
      matches,
      target: { examId, questionId },
    })),
    ...caseStudies.map(({ examId, examTitle: exam, caseStudyId, title, matches }) => ({
      key: `${examId} case study ${caseStudyId}`,
      heading: fill(copy['replace.case-study'], { title, exam }),
      label: fill(copy['replace.case-study.choose'], { title, exam }),
      matches,
      target: { examId, caseStudyId },
    })),
  ]
}

function targetsOf(found: readonly Found[]): ReplaceTargets {
  const targets = found.map(({ target }) => target)
  return {
    targets: targets.filter((target) => 'questionId' in target),
    caseStudies: targets.filter((target) => 'caseStudyId' in target),
  }
}

/** '3 questions', '1 case study', or both. */
function countedTexts(questions: number, caseStudies: number): string {
  return [
    questions === 0 && caseStudies > 0 ? [] : [counted(questions, 'question')],
    caseStudies === 0 ? [] : [counted(caseStudies, 'case study', 'case studies')],
  ]
    .flat()
    .join(' and ')
}

type Exams = readonly { readonly id: string; readonly title: string }[]
type Searched = { readonly query: ReplaceQuery; readonly matches: WordMatches }

/** Finds words, shows each place before and after, and replaces them in the questions and case studies that stay ticked. */
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
            {replaced === null || replaced.changed.length + replaced.caseStudies.changed.length === 0 ? null : (
              <Button look="secondary" {...working.button} onClick={() => replacing.undo(replaced)}>
                Undo
              </Button>
            )}
          </div>
        )}
      </div>
      {replaced === null ? null : <Refused replaced={replaced} />}
      {searched === null ? null : searched.matches.matchCount === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="search" title="Nothing says this" hint="Try fewer words, or ignore capitals." />
        </div>
      ) : (
        <Matches replacing={replacing} searched={searched} />
      )}
    </>
  )
}

/** Searching, replacing and undoing. A new search forgets what was left out. */
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
        const targets = targetsOf(foundIn(matches).filter(({ key }) => !leftOut.has(key)))
        const result = await replaceWords({ find, replaceWith, matchCase, ...targets })
        setReplaced(result)
        setOutcome(`${countedTexts(result.changed.length, result.caseStudies.changed.length)} changed in the drafts.`)
        await search(query)
      }),
    undo: (done: Replaced) =>
      working.run(async () => {
        const { restored, restoredCaseStudies, kept } = await undoReplacing(done)
        const areAs = pluralOf(restored + restoredCaseStudies, 'is as it was', 'are as they were')
        const restoredText = `${countedTexts(restored, restoredCaseStudies)} ${areAs}.`
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

function Refused({ replaced: { refused, caseStudies } }: { replaced: Replaced }) {
  const rows = [
    ...refused.map(({ examId, questionId: name, sentence }) => ({
      to: adminPaths.question(examId, name),
      name,
      sentence,
    })),
    ...caseStudies.refused.map(({ examId, caseStudyId: name, sentence }) => ({
      to: adminPaths.caseStudy(examId, name),
      name,
      sentence,
    })),
  ]
  if (rows.length === 0) return null
  const stayed = countedTexts(refused.length, caseStudies.refused.length)
  return (
    <Notice tone="flag" className="mt-3" title={`${stayed} stayed as before:`}>
      <ul>
        {rows.map(({ to, name, sentence }) => (
          <li key={to}>
            <Link to={to} className="underline">
              {name}
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
  const { questions, caseStudies, questionCount, matchCount } = searched.matches
  const found = foundIn(searched.matches)
  const chosen = targetsOf(found.filter(({ key }) => !leftOut.has(key)))
  const [questionTargets, caseStudyTargets] = [chosen.targets.length, chosen.caseStudies.length]
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="nums text-sm text-soft">
          {counted(matchCount, 'place')} in {countedTexts(questionCount, caseStudies.length)}
          {questionCount > questions.length ? `; the first ${questions.length} questions are shown` : ''}
        </p>
        <Button
          disabled={questionTargets + caseStudyTargets === 0}
          {...working.button}
          onClick={() => replace(searched)}
        >
          Replace in {countedTexts(questionTargets, caseStudyTargets)}
        </Button>
      </div>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {found.map((one) => (
          <li key={one.key} className="flex gap-3 py-3">
            <label className="flex size-11 shrink-0 items-center justify-center">
              <span className="sr-only">{one.label}</span>
              <input
                type="checkbox"
                checked={!leftOut.has(one.key)}
                onChange={() => toggle(one.key)}
                className="size-5"
              />
            </label>
            <FoundMatches found={one} replaceWith={searched.query.replaceWith} />
          </li>
        ))}
      </ul>
    </>
  )
}

function FoundMatches({ found: { heading, matches }, replaceWith }: { found: Found; replaceWith: string }) {
  return (
    <div className="min-w-0 text-sm">
      <p className="nums font-semibold wrap-anywhere">{heading}</p>
      {matches.map((match, place) => (
        // Matches of one text may be equal; only their place tells them apart.
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
