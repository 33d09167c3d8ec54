import { useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Choice } from '../../../../ui/choice.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { beginDraft } from '../../drafts/drafts-client.ts'
import { markVerified } from '../freshness-client.ts'
import { copy, reasonNames } from '../freshness.copy.ts'
import type { StaleQuestion } from '../freshness.schema.ts'
import type { Marking } from './undo-marking.tsx'

const link = 'inline-flex min-h-8 items-center font-medium text-accent underline underline-offset-2'
const keyOf = ({ examId, questionId }: StaleQuestion) => `${examId} ${questionId}`

/** Questions to verify, to choose and mark together. */
export function StaleQuestionList({
  questions,
  onMarked,
}: {
  questions: readonly StaleQuestion[]
  onMarked: (marking: Marking) => void
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const marked = questions.filter((question) => chosen.has(keyOf(question)))
  const marking = useMutation(markVerified, {
    revalidates: true,
    onSuccess: (done) => {
      setChosen(new Set())
      onMarked(done)
    },
    onFailure: (error) => toast(...toastOf(error)),
  })
  const choose = (question: StaleQuestion, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(keyOf(question))
    else next.delete(keyOf(question))
    setChosen(next)
  }
  return (
    <>
      <div className="sticky top-16 z-10 mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-y border-line bg-paper py-2">
        <Choice
          type="checkbox"
          checked={marked.length === questions.length}
          onChange={(event) => setChosen(new Set(event.target.checked ? questions.map(keyOf) : []))}
        >
          {copy['freshness.choose.all']}
        </Choice>
        <p className="nums ml-auto text-sm text-soft" role="status">
          {marked.length === 0 ? '' : fill(copy['freshness.chosen'], { n: marked.length })}
        </p>
        <Button
          disabled={marked.length === 0}
          {...marking.button}
          onClick={() => marking.run(marked.map(({ examId, questionId }) => ({ examId, questionId })))}
        >
          {copy['freshness.mark']}
        </Button>
      </div>
      <ul className="divide-y divide-line border-b border-line">
        {questions.map((question) => (
          <StaleRow
            key={keyOf(question)}
            question={question}
            isChosen={chosen.has(keyOf(question))}
            onChoose={(isChosen) => choose(question, isChosen)}
          />
        ))}
      </ul>
    </>
  )
}

function StaleRow({
  question,
  isChosen,
  onChoose,
}: {
  question: StaleQuestion
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}) {
  const { examTitle, courseTitle, number, stem, reasons, verifiedOn, guide, deadLinks } = question
  const names = { n: number, exam: examTitle, course: courseTitle }
  const facts = [
    ...(verifiedOn === null ? [] : [fill(copy['freshness.verified'], { day: formatDay(verifiedOn) })]),
    ...(guide === null ? [] : [fill(copy['freshness.follows'], { guide })]),
  ]
  return (
    <li className="flex gap-3 py-4">
      <label className="flex min-h-11 min-w-8 cursor-pointer items-start pt-1">
        <input
          type="checkbox"
          className="size-5"
          aria-label={fill(copy['freshness.choose'], names)}
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
      </label>
      <article className="min-w-0 flex-1">
        <h3 className="nums text-sm text-soft wrap-anywhere">
          {courseTitle}, {fill(copy['freshness.place'], names)}
        </h3>
        <p className="mt-1 line-clamp-2 max-w-read wrap-anywhere">{stem}</p>
        <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm font-medium">
          {reasons.map((reason) => (
            <li key={reason} className={`border-l-4 pl-2 ${reason === 'dead' ? 'border-bad' : 'border-flag'}`}>
              {reasonNames[reason]}
            </li>
          ))}
        </ul>
        {facts.length === 0 ? null : <p className="nums mt-1 text-sm text-soft">{facts.join(', ')}</p>}
        {deadLinks.map((address) => (
          <p key={address} className="mt-1 text-sm wrap-anywhere text-soft">
            {address}
          </p>
        ))}
        <RowLinks question={question} />
      </article>
    </li>
  )
}

/** The source to compare with, and the editor, for which a draft is begun. */
function RowLinks({ question }: { question: StaleQuestion }) {
  const { examId, questionId, number, examTitle, courseTitle, url } = question
  const navigate = useNavigate()
  const names = { n: number, exam: examTitle, course: courseTitle }
  const handleEdit = async () => {
    try {
      await beginDraft(examId)
      await navigate(adminPaths.question(examId, questionId))
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <p className="mt-1 flex flex-wrap gap-x-6 text-sm">
      {/^https?:\/\//.test(url) ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={fill(copy['freshness.source.of'], names)}
          className={link}
        >
          {copy['freshness.source']}
        </a>
      ) : null}
      <button
        type="button"
        aria-label={fill(copy['freshness.edit.of'], names)}
        className={link}
        onClick={() => void handleEdit()}
      >
        {copy['freshness.edit']}
      </button>
    </p>
  )
}
