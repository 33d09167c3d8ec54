import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { MetaFunction } from 'react-router'
import { blank } from '../../features/attempts/saving/answer-queue.ts'
import {
  changePractice,
  finishPractice,
  openPractice,
  readOfflineExam,
  sendResults,
} from '../../features/attempts/offline-exams/offline-exams-client.ts'
import { copy } from '../../features/attempts/offline-exams/offline-exams.copy.ts'
import type { Practice as PracticeUnderWay } from '../../features/attempts/offline-exams/offline-exams.ts'
import type { OfflineAttempt, OfflineExam } from '../../features/attempts/offline-exams/offline-exams.schema.ts'
import { Explanation } from '../../features/attempts/exam-screen/ui/explanation.tsx'
import { QuestionForm } from '../../features/attempts/exam-screen/ui/question-form.tsx'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { copy as siteCopy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import { useSite } from '../layout/use-site.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['pack.heading'])

/**
 * Practice with an exam that lies on this device. The page itself is the same for everybody and comes from the service
 * worker; which exam it is stands in the address.
 */
export default function OfflinePracticePage() {
  const { site } = useSite()
  const [opened, setOpened] = useState<Opened | null | undefined>(undefined)
  useEffect(() => {
    // Outside: the address and what lies on this device.
    const slug = new URLSearchParams(location.search).get('exam') ?? ''
    openPractice(slug).then(setOpened, (error: unknown) => {
      console.warn('What is on this device could not be read:', error)
      setOpened(null)
    })
  }, [])
  return (
    <main id="main" tabIndex={-1} className="min-h-dvh focus:outline-none">
      <Page width="exam">
        {opened === undefined ? (
          <p role="status" className="py-16 text-center text-soft">
            {siteCopy['app.loading']}
          </p>
        ) : opened === null ? (
          <>
            <a href={paths.home} className="text-lg font-semibold tracking-tight">
              {site.brandName}
            </a>
            <Heading className="mt-10 text-2xl font-semibold tablet:text-3xl">{copy['pack.heading']}</Heading>
            <p className="mt-3 text-soft">{copy['pack.none']}</p>
            <ButtonLink to={paths.myCourses} reloadDocument className="mt-6">
              {siteCopy['layout.courses']}
            </ButtonLink>
          </>
        ) : (
          <Practice {...opened} />
        )}
      </Page>
    </main>
  )
}

type Opened = { readonly offlineExam: OfflineExam; readonly practice: PracticeUnderWay }

/** Every change lies on the device at once: a phone reloads a tab by itself. */
function Practice({ offlineExam, practice: before }: Opened) {
  const [practice, setPractice] = useState(before)
  const [attempt, setAttempt] = useState<OfflineAttempt | null>(null)
  const position = useRef<HTMLHeadingElement>(null)
  const { id: practiceId, selections, struck, checked } = practice
  const index = offlineExam.questions.findIndex(({ id }) => id === practice.questionId)
  const question = offlineExam.questions[index]
  if (attempt !== null) return <Finished offlineExam={offlineExam} attempt={attempt} />
  if (question === undefined) return <p className="text-soft">{copy['pack.none']}</p>

  const selection = selections[question.id] ?? []
  const isChecked = checked.includes(question.id)
  const isLast = index === offlineExam.questions.length - 1
  const change = (how: (before: PracticeUnderWay) => PracticeUnderWay) => {
    setPractice(how)
    changePractice(offlineExam.examSlug, practiceId, how).then(
      // Finished in another tab: what is on the device now is shown.
      (isHere) => (isHere ? undefined : location.reload()),
      (error: unknown) => console.warn('The answer could not be kept on this device:', error),
    )
  }
  const handleSelect = (optionId: string) => {
    if (isChecked) return
    const next = question.isMultiple ? toggled(selection, optionId) : [optionId]
    // It may have been checked in another tab meanwhile; what was checked is final.
    change((before) =>
      before.checked.includes(question.id)
        ? before
        : { ...before, selections: { ...before.selections, [question.id]: next } },
    )
  }
  const handleCheck = async (event: SubmitEvent) => {
    event.preventDefault()
    if (selection.length === 0 || isChecked) return
    // Access may have ended meanwhile; then the exam is gone from here, too.
    if ((await readOfflineExam(offlineExam.examSlug)) === null) return location.reload()
    const checkedAt = new Date().toISOString()
    change((before) => ({
      ...before,
      checkedAt,
      selections: { ...before.selections, [question.id]: selection },
      checked: [...new Set([...before.checked, question.id])],
    }))
  }
  const handleFinish = async () => {
    const done = await finishPractice(offlineExam.examSlug, practiceId)
    if (done === null) return location.reload()
    setAttempt(done)
  }
  const handleNext = () => {
    const questionId = offlineExam.questions[index + 1]?.id
    if (questionId === undefined) return
    change((before) => ({ ...before, questionId, struck: [] }))
    position.current?.focus()
  }
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <Heading className="text-xl font-semibold">{offlineExam.examTitle}</Heading>
          <p className="text-sm text-soft">
            {offlineExam.courseTitle}. {copy['pack.heading']}
          </p>
        </div>
        <Button
          look="secondary"
          className="shrink-0"
          disabled={checked.length === 0}
          onClick={() => void handleFinish()}
        >
          {copy['pack.finish']}
        </Button>
      </div>
      <h2 ref={position} tabIndex={-1} className="nums mt-6 text-sm font-semibold text-soft focus:outline-none">
        {fill(copy['pack.position'], { n: index + 1, total: offlineExam.questions.length })}
      </h2>
      <form key={question.id} onSubmit={(event) => void handleCheck(event)} className="mt-4">
        <QuestionForm
          question={question}
          answer={{ ...blank, selection: [...selection], struck: [...struck] }}
          revealed={isChecked ? question : null}
          isClosed={false}
          onSelect={handleSelect}
          onStrike={(id) => change((before) => ({ ...before, struck: toggled(before.struck, id) }))}
        />
        <div aria-live="polite">
          {isChecked ? (
            <div className="mt-6 border-t border-line pt-5">
              <p className={`text-lg font-semibold ${isRight(question, selection) ? 'text-good' : 'text-bad'}`}>
                {isRight(question, selection) ? copy['pack.right'] : copy['pack.wrong']}
              </p>
              <div className="mt-4">
                <Explanation question={question} level={3} />
              </div>
            </div>
          ) : null}
        </div>
        <div className="mt-6 flex justify-end gap-3 border-t border-line pt-4">
          {!isChecked ? (
            <Button key="check" type="submit" disabled={selection.length === 0}>
              {copy['pack.check']}
            </Button>
          ) : isLast ? (
            <Button key="finish" autoFocus onClick={() => void handleFinish()}>
              {copy['pack.finish']}
            </Button>
          ) : (
            <Button key="next" autoFocus onClick={handleNext}>
              {copy['pack.next']}
            </Button>
          )}
        </div>
      </form>
    </>
  )
}

function Finished({ offlineExam, attempt }: { offlineExam: OfflineExam; attempt: OfflineAttempt }) {
  const [isSent, setSent] = useState(false)
  const right = offlineExam.questions.filter((question) => isRight(question, attempt.answers[question.id] ?? [])).length
  useEffect(() => {
    // Outside: the network. What is not sent now is sent by the next page that has one.
    const send = async () => {
      try {
        if ((await sendResults(offlineExam.userId)).includes(attempt.id)) setSent(true)
      } catch (error) {
        console.warn('The result could not be sent:', error)
      }
    }
    void send()
    const handleOnline = () => void send()
    window.addEventListener('online', handleOnline)
    return () => window.removeEventListener('online', handleOnline)
  }, [offlineExam.userId, attempt.id])
  return (
    <>
      <Heading className="text-2xl font-semibold">{offlineExam.examTitle}</Heading>
      <p className="nums mt-4 text-3xl font-semibold">
        {fill(copy['pack.result'], { right, total: offlineExam.questions.length })}
      </p>
      <p role="status" className="mt-3 text-soft">
        {isSent ? copy['pack.sent'] : copy['pack.waiting']}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {isSent ? (
          <ButtonLink to={paths.examReview(attempt.id)} reloadDocument>
            {copy['pack.review']}
          </ButtonLink>
        ) : null}
        <ButtonLink to={paths.exam(offlineExam.courseSlug, offlineExam.examSlug)} look="secondary" reloadDocument>
          {copy['pack.back']}
        </ButtonLink>
      </div>
    </>
  )
}

function isRight(question: OfflineExam['questions'][number], selection: readonly string[]): boolean {
  const { rightOptionIds } = question
  return selection.length === rightOptionIds.length && rightOptionIds.every((id) => selection.includes(id))
}

function toggled(list: readonly string[], id: string): string[] {
  return list.includes(id) ? list.filter((one) => one !== id) : [...list, id]
}
