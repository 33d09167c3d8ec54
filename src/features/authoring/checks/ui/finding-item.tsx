import { Link, useNavigate } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { toastOf } from '../../../../platform/api-client.ts'
import { toast } from '../../../../ui/toasts.tsx'
import { beginDraft } from '../../drafts/drafts-client.ts'
import { checkKinds } from '../../../questions/checks/bank-checks.copy.ts'
import { copy } from '../question-checks.copy.ts'
import type { FindingView } from '../question-checks.schema.ts'
import { SetAside, TakeBack } from './set-aside.tsx'

const link = 'inline-flex min-h-8 items-center font-medium text-accent underline underline-offset-2'

/** One finding with its question and the links to correct it. */
export function Finding({ finding, onSetAside }: { finding: FindingView; onSetAside: () => void }) {
  const { code, severity, sentence, courseTitle, examTitle, questionId, stem, aside } = finding
  return (
    <li className="grid gap-x-10 gap-y-3 py-5 desktop:grid-cols-[1fr_auto]">
      <article className="min-w-0">
        <h3 className="font-semibold">
          {checkKinds[code].name}
          {/* The severity is a word, because a color alone does not say it. */}
          <span
            className={`ml-3 border-l-4 pl-2 text-sm font-medium ${severity === 'error' ? 'border-bad' : 'border-flag'}`}
          >
            {copy[`checks.severity.${severity}`]}
          </span>
        </h3>
        <p className="mt-1 max-w-read wrap-anywhere">{sentence}</p>
        {stem === null ? null : <p className="mt-2 line-clamp-2 max-w-read text-sm wrap-anywhere text-soft">{stem}</p>}
        <p className="mt-1 text-sm wrap-anywhere text-soft">
          {courseTitle}, {examTitle}
          {questionId === '' ? '' : `, ${questionId}`}
        </p>
        <FindingLinks finding={finding} />
        {aside === null ? null : (
          <div className="nums mt-2 rounded-md bg-sunken px-4 py-3 text-sm">
            <p className="font-semibold wrap-anywhere">
              {fill(copy['checks.aside.by'], { by: aside.by ?? copy['checks.nobody'], at: formatInstant(aside.at) })}
            </p>
            <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{aside.note}</p>
          </div>
        )}
      </article>
      <div>{aside === null ? <SetAside finding={finding} onDone={onSetAside} /> : <TakeBack finding={finding} />}</div>
    </li>
  )
}

/** Links to edit the question, to its exam, and to correct its answer key. */
function FindingLinks({ finding: { code, examId, examTitle, questionId } }: { finding: FindingView }) {
  const isOfQuestion = questionId !== ''
  const navigate = useNavigate()
  const handleEdit = async () => {
    try {
      await beginDraft(examId)
      await navigate(adminPaths.question(examId, questionId))
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  const names = { id: questionId, exam: examTitle }
  return (
    <p className="flex flex-wrap gap-x-6 text-sm">
      {isOfQuestion ? (
        <button
          type="button"
          className={link}
          aria-label={fill(copy['checks.edit.of'], names)}
          onClick={() => void handleEdit()}
        >
          {copy['checks.edit']}
        </button>
      ) : null}
      <Link
        to={
          isOfQuestion ? `${adminPaths.exam(examId)}?search=${encodeURIComponent(questionId)}` : adminPaths.exam(examId)
        }
        aria-label={fill(copy[isOfQuestion ? 'checks.question.of' : 'checks.exam.of'], names)}
        className={link}
      >
        {copy[isOfQuestion ? 'checks.question' : 'checks.exam']}
      </Link>
      {code === 'keys-contradict' ? (
        <Link
          to={adminPaths.key(examId, questionId)}
          aria-label={fill(copy['checks.key.of'], { id: questionId })}
          className={link}
        >
          {copy['checks.key']}
        </Link>
      ) : null}
    </p>
  )
}
