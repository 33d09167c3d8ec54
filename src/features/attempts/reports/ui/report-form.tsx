import { useState, type FormEvent } from 'react'
import type { Answer, QuestionForReview, QuestionForTaking } from '../../../questions/types/question-types.schema.ts'
import { fill } from '../../../../lib/failure.ts'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Field } from '../../../../ui/field.tsx'
import { RadioList } from '../../../../ui/radio-list.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { usePart } from '../../../../ui/use-part.ts'
import { reportQuestion } from '../question-reports-client.ts'
import { copy } from '../question-reports.copy.ts'
import {
  isPageAddress,
  MAX_SOURCE_LENGTH,
  MAX_WORDS_LENGTH,
  mayClaim,
  REPORT_REASONS,
  type ReportReason,
} from '../report-reasons.ts'

type Problems = {
  readonly reason?: string | undefined
  readonly words?: string | undefined
  readonly source?: string | undefined
  readonly claim?: string | undefined
  readonly form?: string | undefined
}

type FormProps = {
  readonly attemptId: string
  readonly question: QuestionForTaking | QuestionForReview
  readonly onDone: () => void
}

/** What is wrong with a question, and, where the answer key is, which answer is right and the page that says so. */
export function ReportForm(props: FormProps & { onCancel: () => void }) {
  const { reason, setReason, words, setWords, source, setSource, claim, setClaim, problems, sending, submit } =
    useReport(props)
  // The form of the answer is loaded only for those who challenge one.
  const [ClaimField, loadClaimField] = usePart(() => import('./claim-field.tsx'))
  const left = MAX_WORDS_LENGTH - words.length
  const isClaim = mayClaim(reason)
  const chooseReason = (chosen: ReportReason) => {
    setReason(chosen)
    if (mayClaim(chosen))
      loadClaimField().catch((error: unknown) => console.warn('The answers could not be loaded:', error))
  }
  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-col text-base text-ink">
      <DialogBody>
        <p className="mb-4 text-soft">{copy['report.about']}</p>
        <RadioList
          legend={copy['report.reason']}
          choices={REPORT_REASONS.map((value) => ({ value, label: copy[`report.reason.${value}`] }))}
          chosen={reason}
          problem={problems.reason}
          onChoose={chooseReason}
        />
        {!isClaim || ClaimField === null ? null : (
          <ClaimField question={props.question} claim={claim} problem={problems.claim} onClaim={setClaim} />
        )}
        <Field
          type="url"
          inputMode="url"
          label={copy[isClaim && claim !== null ? 'report.source' : 'report.source.optional']}
          hint={copy['report.source.hint']}
          className="mt-4"
          maxLength={MAX_SOURCE_LENGTH}
          value={source}
          problem={problems.source}
          onChange={(event) => setSource(event.target.value)}
        />
        <TextArea
          label={copy[reason === 'other' ? 'report.words' : 'report.words.optional']}
          hint={left < 200 ? fill(copy['report.left'], { n: left }) : copy['report.words.hint']}
          className="mt-4"
          rows={4}
          maxLength={MAX_WORDS_LENGTH}
          value={words}
          problem={problems.words}
          onChange={(event) => setWords(event.target.value)}
        />
      </DialogBody>
      <DialogFooter problem={problems.form === undefined ? null : problems.form} onCancel={props.onCancel}>
        <Button type="submit" {...sending.button}>
          {copy[sending.isBusy ? 'report.sending' : 'report.send']}
        </Button>
      </DialogFooter>
    </form>
  )
}

const FIELDS = ['words', 'source', 'claim'] as const

function useReport({ attemptId, question, onDone }: FormProps) {
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [words, setWords] = useState('')
  const [source, setSource] = useState('')
  const [claim, setClaim] = useState<Answer | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  // An answer that was chosen for a former reason stays in the form, but is not sent.
  const claimed = mayClaim(reason) ? claim : null

  const sending = useMutation(
    (chosen: ReportReason) => reportQuestion(attemptId, question.id, { reason: chosen, words, source, claim: claimed }),
    {
      onSuccess: onDone,
      onFailure: (error) => {
        const failed = error instanceof CallFailed ? error : null
        const inFields = FIELDS.flatMap((field) => {
          const problem = failed?.problemOf(field)
          return problem === undefined ? [] : [[field, problem]]
        })
        setProblems(inFields.length === 0 ? { form: messageOf(error) } : Object.fromEntries(inFields))
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason === null) return setProblems({ reason: copy['report.reason.needed'] })
    const missing = sourceProblem(source.trim(), claimed !== null)
    setProblems(missing === null ? {} : { source: missing })
    if (missing === null) sending.run(reason)
  }
  return { reason, setReason, words, setWords, source, setSource, claim, setClaim, problems, sending, submit }
}

function sourceProblem(source: string, isNeeded: boolean): string | null {
  if (source === '') return isNeeded ? copy['report.source.needed'] : null
  return isPageAddress(source) ? null : copy['report.source.address']
}
