import { answerKeyOf, isSameAnswer } from '../../questions/types/grading-registry.ts'
import { FoldedCaseStudy } from '../../questions/case-studies/ui/beside-case-study.tsx'
import { KeyForm } from '../../questions/types/editor-registry.tsx'
import { StemText } from '../../questions/types/stem-registry.tsx'
import type { AnswerKey } from '../../questions/types/question-edit.schema.ts'
import { useRef, useState, type FormEvent } from 'react'
import { useLoaderData, useLocation, useNavigate, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { CallFailed, toastOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import type { correctKeyLoader } from './regrade-endpoints.server.ts'
import { correctKey, previewKey } from './regrade-client.ts'
import { copy } from './regrade.copy.ts'
import { MAX_REASON_LENGTH, type KeyPreview } from './regrade.schema.ts'
import { PreviewedKey } from './previewed-key.tsx'

export { correctKeyLoader as loader } from './regrade-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['mend.title'] }, { name: 'robots', content: 'noindex' }]

type Loaded = Awaited<ReturnType<typeof correctKeyLoader>>

/** The admin chooses another answer key, sees the results that would change, then applies it. */
export default function CorrectKeyPage() {
  const { examId, examTitle, courseTitle, question, caseStudy, past } = useLoaderData<typeof correctKeyLoader>()
  const state = useLocation().state as { list?: unknown } | null
  const backTo = adminPaths.exam(examId) + (typeof state?.list === 'string' ? state.list : '')
  return (
    <>
      <BackLink to={backTo}>{copy['mend.back']}</BackLink>
      <Heading of="record">{copy['mend.title']}</Heading>
      <p className="mt-1 text-sm text-soft">
        {examTitle}, {courseTitle}
      </p>
      <p className="mt-4 max-w-read">{copy['mend.about']}</p>
      {caseStudy === null ? null : (
        <div className="mt-6 max-w-read">
          <FoldedCaseStudy caseStudy={caseStudy} />
        </div>
      )}
      <CorrectKeyForm examId={examId} question={question} backTo={backTo} />
      {past.length === 0 ? null : <PastCorrections past={past} />}
    </>
  )
}

type FormProps = Pick<Loaded, 'examId' | 'question'> & { readonly backTo: string }

function CorrectKeyForm(props: FormProps) {
  const { answerKey, setAnswerKey, isSame, preview, explanation, setExplanation, reason, setReason, sending } =
    useKeyCorrection(props)
  const failure = sending.failure instanceof CallFailed ? sending.failure : null
  const isPreviewed = preview !== null && isSameAnswer(preview.of, answerKey)
  const handleApply = (event: FormEvent) => {
    event.preventDefault()
    if (isPreviewed) sending.run('apply')
  }
  return (
    <form onSubmit={handleApply} noValidate className="mt-6 max-w-read space-y-6">
      <StemText question={props.question} className="text-lg" />
      <KeyForm
        question={props.question}
        answerKey={answerKey}
        problem={failure?.fields.find(({ field }) => /^answerKey\b/.test(field))?.message}
        onChange={setAnswerKey}
      />
      <Button look="secondary" {...sending.button} disabled={isSame} onClick={() => sending.run('preview')}>
        {copy[preview === null ? 'mend.preview' : 'mend.again']}
      </Button>
      {preview !== null && !isPreviewed ? <Notice tone="flag">{copy['mend.stale']}</Notice> : null}
      {isPreviewed ? (
        <>
          <PreviewedKey preview={preview.effect} />
          <TextArea
            label={copy['mend.explanation']}
            hint={copy['mend.explanation.hint']}
            value={explanation}
            problem={failure?.problemOf('explanation')}
            onChange={(event) => setExplanation(event.target.value)}
          />
          <TextArea
            label={copy['mend.reason']}
            hint={copy['mend.reason.hint']}
            value={reason}
            maxLength={MAX_REASON_LENGTH}
            problem={failure?.problemOf('reason')}
            onChange={(event) => setReason(event.target.value)}
          />
        </>
      ) : null}
      {failure === null || failure.fields.length > 0 ? null : <Notice tone="bad">{failure.message}</Notice>}
      {isPreviewed ? (
        <Button type="submit" {...sending.button}>
          {applyLabel(preview.effect.changedCount)}
        </Button>
      ) : null}
    </form>
  )
}

/** Previewing and applying share one mutation: neither starts while the other is under way, and one failure is shown. */
function useKeyCorrection({ examId, question, backTo }: FormProps) {
  const navigate = useNavigate()
  const wasAnswerKey = answerKeyOf(question)
  const [answerKey, setAnswerKey] = useState<AnswerKey>(wasAnswerKey)
  const [explanation, setExplanation] = useState(question.explanation)
  const [reason, setReason] = useState('')
  const [preview, setPreview] = useState<{ readonly of: AnswerKey; readonly effect: KeyPreview } | null>(null)
  // One id for this page: a second try after a lost reply corrects only once.
  const correctionId = useRef<string | null>(null)
  const showPreview = async () =>
    setPreview({ of: answerKey, effect: await previewKey(examId, question.id, answerKey) })
  const apply = async () => {
    const { changedCount, toldCount } = await correctKey(examId, question.id, {
      id: (correctionId.current ??= crypto.randomUUID()),
      answerKey,
      wasAnswerKey,
      explanation: explanation === question.explanation ? null : explanation,
      reason,
    })
    toast('success', copy['mend.done'], fill(copy['mend.done.text'], { n: changedCount, told: toldCount }))
    await navigate(backTo)
  }
  const sending = useMutation((step: 'preview' | 'apply') => (step === 'preview' ? showPreview() : apply()), {
    onFailure: (error) => (error instanceof CallFailed ? undefined : toast(...toastOf(error))),
  })
  const isSame = isSameAnswer(wasAnswerKey, answerKey)
  return { answerKey, setAnswerKey, isSame, preview, explanation, setExplanation, reason, setReason, sending }
}

function PastCorrections({ past }: Pick<Loaded, 'past'>) {
  return (
    <section aria-labelledby="past-heading" className="mt-10">
      <h2 id="past-heading" className="text-lg font-semibold">
        {copy['mend.history']}
      </h2>
      <ul className="nums mt-2 space-y-1 text-sm text-soft">
        {past.map(({ id, at, reason }) => (
          <li key={id} className="wrap-anywhere">
            {fill(copy['mend.history.line'], { at: formatInstant(at), reason })}
          </li>
        ))}
      </ul>
    </section>
  )
}

function applyLabel(count: number): string {
  if (count === 0) return copy['mend.apply.none']
  return fill(copy['mend.apply'], { n: count })
}
