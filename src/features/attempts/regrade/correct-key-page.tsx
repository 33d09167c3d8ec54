import { useRef, useState, type FormEvent } from 'react'
import { useLoaderData, useLocation, useNavigate, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { CallFailed, toastOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown-text.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { correctKeyLoader } from './regrade-endpoints.server.ts'
import { correctKey, previewKey } from './regrade-client.ts'
import { copy } from './regrade.copy.ts'
import { sameKey } from './regrade.ts'
import { MAX_REASON_LENGTH, type KeyPreview } from './regrade.schema.ts'
import { PreviewedKey } from './previewed-key.tsx'

export { correctKeyLoader as loader } from './regrade-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['mend.title'] }, { name: 'robots', content: 'noindex' }]

/** Choose the right answers, see whose result changes, then do it. */
export default function CorrectKeyPage() {
  const { examId, examTitle, courseTitle, question, past } = useLoaderData<typeof correctKeyLoader>()
  const navigate = useNavigate()
  const state = useLocation().state as { list?: unknown } | null
  const backTo = paths.adminExam(examId) + (typeof state?.list === 'string' ? state.list : '')
  const wasRight = question.options.filter(({ isRight }) => isRight).map(({ id }) => id)
  const isMultiple = wasRight.length > 1
  const [chosen, setChosen] = useState<readonly string[]>(wasRight)
  const [explanation, setExplanation] = useState(question.explanation)
  const [reason, setReason] = useState('')
  const [preview, setPreview] = useState<{ readonly of: readonly string[]; readonly says: KeyPreview } | null>(null)
  const [failure, setFailure] = useState<CallFailed | null>(null)
  const [isBusy, setBusy] = useState(false)
  // Made once for this page, so that a second click, or a try after a lost reply, mends nothing twice.
  const wishId = useRef<string | null>(null)
  const isSame = sameKey(wasRight, chosen)
  const isPreviewed = preview !== null && sameKey(preview.of, chosen)

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await act()
    } catch (error) {
      if (error instanceof CallFailed) setFailure(error)
      else toast(...toastOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handlePreview = () =>
    attempt(async () => setPreview({ of: chosen, says: await previewKey(examId, question.id, chosen) }))
  const handleApply = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    wishId.current ??= crypto.randomUUID()
    const id = wishId.current
    void attempt(async () => {
      const corrected = await correctKey(examId, question.id, {
        id,
        rightOptionIds: [...chosen],
        wasRightOptionIds: wasRight,
        explanation: explanation === question.explanation ? null : explanation,
        reason,
      })
      toast(
        'success',
        copy['mend.done'],
        fill(copy['mend.done.text'], { n: corrected.changedCount, told: corrected.toldCount }),
      )
      await navigate(backTo)
    })
  }
  const handleChoose = (id: string, isChosen: boolean) =>
    setChosen(isMultiple ? (isChosen ? [...chosen, id] : chosen.filter((one) => one !== id)) : [id])

  return (
    <>
      <BackLink to={backTo}>{copy['mend.back']}</BackLink>
      <Heading of="record">{copy['mend.title']}</Heading>
      <p className="mt-1 text-sm text-soft">
        {examTitle}, {courseTitle}
      </p>
      <p className="mt-4 max-w-read">{copy['mend.about']}</p>
      <form onSubmit={handleApply} noValidate className="mt-6 max-w-read space-y-6">
        <Markdown text={question.stem} className="text-lg" />
        <fieldset>
          <legend className="text-sm font-medium">{copy['mend.right']}</legend>
          <div className="mt-2 space-y-2">
            {question.options.map(({ id, text }) => (
              <label
                key={id}
                className="flex gap-3 rounded-md border border-line px-4 py-2.5 has-checked:border-good has-checked:bg-good-soft"
              >
                <input
                  type={isMultiple ? 'checkbox' : 'radio'}
                  name="right"
                  checked={chosen.includes(id)}
                  onChange={(event) => handleChoose(id, event.target.checked)}
                  className="mt-0.5 size-5 shrink-0 accent-good"
                />
                <span className="min-w-0">
                  <Markdown text={text} as="phrasing" />
                  {wasRight.includes(id) ? (
                    <span className="mt-1 block text-sm font-semibold text-soft">{copy['mend.now']}</span>
                  ) : null}
                </span>
              </label>
            ))}
          </div>
          {failure?.problemOf('rightOptionIds') === undefined ? null : (
            <p role="alert" className="mt-1 text-sm text-bad">
              {failure.problemOf('rightOptionIds')}
            </p>
          )}
        </fieldset>
        <Button look="secondary" disabled={isBusy || isSame} onClick={() => void handlePreview()}>
          {copy[preview === null ? 'mend.preview' : 'mend.again']}
        </Button>
        {preview !== null && !isPreviewed ? <Notice tone="flag">{copy['mend.stale']}</Notice> : null}
        {isPreviewed ? (
          <>
            <PreviewedKey preview={preview.says} />
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
          <Button type="submit" disabled={isBusy}>
            {applyLabel(preview.says.changedCount)}
          </Button>
        ) : null}
      </form>
      {past.length === 0 ? null : (
        <section aria-labelledby="past-heading" className="mt-10">
          <h2 id="past-heading" className="text-lg font-semibold">
            {copy['mend.history']}
          </h2>
          <ul className="nums mt-2 space-y-1 text-sm text-soft">
            {past.map(({ id, at, reason: why }) => (
              <li key={id} className="wrap-anywhere">
                {fill(copy['mend.history.line'], { at: formatInstant(at), reason: why })}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function applyLabel(count: number): string {
  if (count === 0) return copy['mend.apply.none']
  return count === 1 ? copy['mend.apply.one'] : fill(copy['mend.apply'], { n: count })
}
