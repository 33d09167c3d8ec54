import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Choice } from '../../../../ui/choice.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { EmptyState } from '../../../../ui/page-parts.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { findWords, replaceWords, undoReplacing } from '../batch-client.ts'
import type { WordMatches, Replaced } from '../batch.schema.ts'

type ReplaceQuery = {
  readonly find: string
  readonly replaceWith: string
  readonly matchCase: boolean
  readonly exam: string
}

/** Looks for words, shows each place before and after, and replaces those that stay ticked. */
export function ReplaceWords({
  courseId,
  exams,
  examId,
}: {
  courseId: string
  exams: readonly { readonly id: string; readonly title: string }[]
  examId: string | null
}) {
  const isKnown = exams.some(({ id }) => id === examId)
  const [asked, setAsked] = useState<ReplaceQuery>({
    find: '',
    replaceWith: '',
    matchCase: true,
    exam: isKnown ? (examId ?? '') : '',
  })
  const [found, setFound] = useState<{ readonly by: ReplaceQuery; readonly words: WordMatches } | null>(null)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [done, setDone] = useState<Replaced | null>(null)
  const [said, setSaid] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const nameOf = (one: { examId: string; questionId: string }) => `${one.examId} ${one.questionId}`
  const targets = (found?.words.questions ?? [])
    .filter((one) => !left.has(nameOf(one)))
    .map(({ examId: at, questionId }) => ({ examId: at, questionId }))

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await act()
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const look = async (by: ReplaceQuery) => {
    const { find, matchCase, exam } = by
    const words = await findWords({ ...(exam === '' ? { courseId } : { examId: exam }), find, matchCase })
    setFound({ by, words })
    setLeft(new Set())
  }
  const handleFind = (event: FormEvent) => {
    event.preventDefault()
    setDone(null)
    if (asked.find === '') setFailure('Say what to look for.')
    else void attempt(() => look(asked))
  }
  const handleReplace = () =>
    attempt(async () => {
      if (found === null) return
      const { find, replaceWith, matchCase } = found.by
      const replaced = await replaceWords({ find, replaceWith, matchCase, targets })
      setDone(replaced)
      setSaid(`${counted(replaced.changed.length, 'question')} changed in the drafts.`)
      await look(found.by)
    })
  const handleUndo = () =>
    attempt(async () => {
      if (done === null) return
      const { restored, kept } = await undoReplacing(done.changed)
      setSaid(
        `${counted(restored, 'question')} ${restored === 1 ? 'is as it was' : 'are as they were'}.${kept === 0 ? '' : ` Changed by somebody since, and left so: ${kept}.`}`,
      )
      setDone(null)
      if (found !== null) await look(found.by)
    })
  return (
    <>
      <form onSubmit={handleFind} noValidate className="mt-6 grid max-w-exam items-end gap-4 tablet:grid-cols-2">
        <Field label="Find" value={asked.find} onChange={(event) => setAsked({ ...asked, find: event.target.value })} />
        <Field
          label="Replace with"
          value={asked.replaceWith}
          onChange={(event) => setAsked({ ...asked, replaceWith: event.target.value })}
        />
        <SelectField
          label="In"
          value={asked.exam}
          onChange={(event) => setAsked({ ...asked, exam: event.target.value })}
        >
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
            checked={asked.matchCase}
            onChange={(event) => setAsked({ ...asked, matchCase: event.target.checked })}
          >
            Capitals count
          </Choice>
          <Button type="submit" disabled={isBusy}>
            Find
          </Button>
        </div>
      </form>
      {failure === null ? null : <Notice tone="bad" className="mt-4" title={failure} />}
      <div role="status" className="mt-4">
        {said === '' ? null : (
          <div className="flex flex-wrap items-center gap-4 rounded-md border-l-4 border-good bg-good-soft px-4 py-3 text-sm">
            <p>{said}</p>
            {done === null || done.changed.length === 0 ? null : (
              <Button look="secondary" disabled={isBusy} onClick={() => void handleUndo()}>
                Undo
              </Button>
            )}
          </div>
        )}
      </div>
      {done === null || done.refused.length === 0 ? null : (
        <Notice tone="flag" className="mt-3" title={`${done.refused.length} stayed as they are:`}>
          <ul>
            {done.refused.map(({ examId: at, questionId, sentence }) => (
              <li key={`${at} ${questionId}`}>
                <Link to={paths.adminQuestion(at, questionId)} className="underline">
                  {questionId}
                </Link>
                : {sentence}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {found === null ? null : found.words.questionCount === 0 ? (
        <div className="mt-4">
          <EmptyState title="Nothing says this" hint="Try fewer words, or let capitals not count." />
        </div>
      ) : (
        <>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
            <p className="nums text-sm text-soft">
              {counted(found.words.matchCount, 'place')} in {counted(found.words.questionCount, 'question')}
              {found.words.questionCount > found.words.questions.length
                ? `; the first ${found.words.questions.length} are shown`
                : ''}
            </p>
            <Button disabled={isBusy || targets.length === 0} onClick={() => void handleReplace()}>
              Replace in {counted(targets.length, 'question')}
            </Button>
          </div>
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {found.words.questions.map((one) => (
              <li key={nameOf(one)} className="flex gap-3 py-3">
                <label className="flex size-11 shrink-0 items-center justify-center">
                  <span className="sr-only">
                    Replace in question {one.number} of {one.examTitle}
                  </span>
                  <input
                    type="checkbox"
                    checked={!left.has(nameOf(one))}
                    onChange={() => {
                      const next = new Set(left)
                      if (!next.delete(nameOf(one))) next.add(nameOf(one))
                      setLeft(next)
                    }}
                    className="size-5 accent-accent"
                  />
                </label>
                <div className="min-w-0 text-sm">
                  <p className="nums font-semibold">
                    Question {one.number}, {one.examTitle}
                  </p>
                  {one.matches.map((matched, place) => (
                    // Hits of one question differ by their place alone.
                    <p key={place} className="mt-1 wrap-anywhere">
                      <span className="text-soft">{matched.part}: </span>…{matched.before}
                      <del className="bg-bad-soft">{matched.matched}</del>
                      {found.by.replaceWith === '' ? null : <ins className="bg-good-soft">{found.by.replaceWith}</ins>}
                      {matched.after}…
                    </p>
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** '1 place', '2 places'. */
function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
