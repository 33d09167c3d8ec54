import { useEffect, useRef, useState, useSyncExternalStore, type SubmitEvent } from 'react'
import type { MetaFunction } from 'react-router'
import { KeptExams, useKeptExams } from '../../features/attempts/offline-exams/kept-exams.tsx'
import {
  findResult,
  onDeviceChange,
  openPractice,
  readOfflineExam,
  sendResults,
} from '../../features/attempts/offline-exams/offline-exams-client.ts'
import { copy } from '../../features/attempts/offline-exams/offline-exams.copy.ts'
import type { Practice as PracticeUnderWay } from '../../features/attempts/offline-exams/offline-exams.ts'
import { OpenPractice } from '../../features/attempts/offline-exams/practice-client.ts'
import type { OfflineAttempt, OfflineExam } from '../../features/attempts/offline-exams/offline-exams.schema.ts'
import { waitBeforeRetry } from '../../features/attempts/saving/answer-queue.ts'
import { Verdict } from '../../features/attempts/exam-screen/ui/checked-answer.tsx'
import { Explanation } from '../../features/attempts/exam-screen/ui/explanation.tsx'
import {
  BesideCaseStudy,
  caseStudyOf,
  CaseStudyPosition,
} from '../../features/questions/case-studies/ui/beside-case-study.tsx'
import { AnswerForm } from '../../features/questions/types/form-registry.tsx'
import { isRightInReview } from '../../features/questions/types/grading-registry.ts'
import type { Answer } from '../../features/questions/types/question-types.schema.ts'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { copy as siteCopy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import { useSite } from '../layout/use-site.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['pack.heading'])

/**
 * Practice with an offline exam. The service worker serves the page, which is the same for everyone; the query names the exam.
 * Without one it lists the exams on the device.
 */
export default function OfflinePracticePage() {
  const [opened, setOpened] = useState<Opened | null | undefined>(undefined)
  useEffect(() => {
    const slug = new URLSearchParams(location.search).get('exam') ?? ''
    openPractice(slug).then(setOpened, (error: unknown) => {
      console.warn('The offline exam could not be read:', error)
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
          <OtherExams />
        ) : (
          <Practice {...opened} />
        )}
      </Page>
    </main>
  )
}

/** Shown in the browser only, when no exam is named or the named one is not on the device. */
function OtherExams() {
  const { site } = useSite()
  const exams = useKeptExams()
  const isNamed = new URLSearchParams(location.search).has('exam')
  return (
    <>
      <a href={paths.home} className="text-lg font-semibold tracking-tight">
        {site.brandName}
      </a>
      <Heading className="mt-10 text-2xl font-semibold tablet:text-3xl">{copy['pack.heading']}</Heading>
      {isNamed ? <p className="mt-3 text-soft">{copy['pack.none']}</p> : null}
      {!isNamed && exams?.length === 0 ? <p className="mt-3 text-soft">{copy['pack.list.none']}</p> : null}
      <KeptExams exams={exams ?? []} />
      <ButtonLink to={paths.myCourses} reloadDocument className="mt-6">
        {siteCopy['layout.courses']}
      </ButtonLink>
    </>
  )
}

type Opened = { readonly offlineExam: OfflineExam; readonly practice: PracticeUnderWay }
type Question = OfflineExam['questions'][number]

/** The practice as it is on the device, and what the learner does to it. */
function usePractice({ offlineExam, practice: stored }: Opened) {
  const [open] = useState(() => new OpenPractice(offlineExam, stored))
  const state = useSyncExternalStore(open.subscribe, open.state, open.state)
  // Other tabs of the browser.
  useEffect(() => open.open(), [open])
  useEffect(() => {
    // Nothing is left to show: the page says so, or begins anew.
    if (state.isGone) location.reload()
  }, [state.isGone])
  const setAnswer = (question: Question, answer: Answer | null) => {
    // Another tab may have checked the question meanwhile, which makes its answer final.
    open.change((before) =>
      before.checked.includes(question.id)
        ? before
        : { ...before, answers: { ...before.answers, [question.id]: answer } },
    )
  }
  const check = async (question: Question, answer: Answer) => {
    // The exam is deleted from the device when access ends.
    const kept = await readOfflineExam(offlineExam.examSlug).catch((error: unknown) => {
      // Where the device stores nothing either, the change below says so.
      console.warn('The offline exam could not be read:', error)
      return offlineExam
    })
    if (kept === null) return location.reload()
    const checkedAt = new Date().toISOString()
    open.change((before) =>
      before.checked.includes(question.id)
        ? before
        : {
            ...before,
            checkedAt,
            answers: { ...before.answers, [question.id]: answer },
            checked: [...before.checked, question.id],
          },
    )
  }
  return { ...state, change: open.change, finish: open.finish, setAnswer, check }
}

function Practice(opened: Opened) {
  const { offlineExam } = opened
  const { practice, attempt, isUnstored, change, finish, setAnswer, check } = usePractice(opened)
  const position = useRef<HTMLHeadingElement>(null)
  const index = offlineExam.questions.findIndex(({ id }) => id === practice.questionId)
  const question = offlineExam.questions[index]
  if (attempt !== null) return <Finished offlineExam={offlineExam} attempt={attempt} />
  if (question === undefined) return <p className="text-soft">{copy['pack.none']}</p>

  const answer = practice.answers[question.id] ?? null
  const isChecked = practice.checked.includes(question.id)
  const nextQuestion = offlineExam.questions[index + 1]
  const caseStudy = caseStudyOf(offlineExam.caseStudies, question.id)
  const handleCheck = (event: SubmitEvent) => {
    event.preventDefault()
    if (answer !== null && !isChecked) void check(question, answer)
  }
  const handleContinue = () => {
    if (nextQuestion === undefined) return void finish()
    change((before) => ({ ...before, questionId: nextQuestion.id, struck: [] }))
    position.current?.focus()
  }
  return (
    <>
      <PracticeHeader
        offlineExam={offlineExam}
        canFinish={practice.checked.length > 0}
        onFinish={() => void finish()}
      />
      {isUnstored ? (
        <Notice tone="bad" className="mt-4">
          {copy['pack.unstored']}
        </Notice>
      ) : null}
      <BesideCaseStudy caseStudy={caseStudy}>
        <h2 ref={position} tabIndex={-1} className="nums mt-6 text-sm font-semibold text-soft focus:outline-none">
          {fill(copy['pack.position'], { n: index + 1, total: offlineExam.questions.length })}
        </h2>
        {caseStudy === undefined ? null : <CaseStudyPosition caseStudy={caseStudy} questionId={question.id} />}
        <form key={question.id} onSubmit={handleCheck} className="mt-4">
          <AnswerForm
            question={question}
            answer={answer}
            struck={practice.struck}
            revealed={isChecked ? question : null}
            isDisabled={false}
            onAnswer={(next) => (isChecked ? undefined : setAnswer(question, next))}
            onStrike={(id) => change((before) => ({ ...before, struck: toggled(before.struck, id) }))}
          />
          <div aria-live="polite">
            {isChecked ? <Feedback question={question} isCorrect={isRightInReview(question, answer)} /> : null}
          </div>
          <PracticeButtons
            isChecked={isChecked}
            canCheck={answer !== null}
            isLast={nextQuestion === undefined}
            onContinue={handleContinue}
          />
        </form>
      </BesideCaseStudy>
    </>
  )
}

function PracticeHeader({
  offlineExam,
  canFinish,
  onFinish,
}: {
  offlineExam: OfflineExam
  canFinish: boolean
  onFinish: () => void
}) {
  return (
    <div className="flex items-start justify-between gap-3">
      <a
        href={paths.offlinePractices}
        aria-label={copy['pack.leave']}
        title={copy['pack.leave']}
        className="-mt-2 -ml-3 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink"
      >
        <CloseIcon />
      </a>
      <div className="min-w-0 flex-1">
        <Heading className="text-xl font-semibold">{offlineExam.examTitle}</Heading>
        <p className="text-sm text-soft">
          {offlineExam.courseTitle}. {copy['pack.heading']}
        </p>
      </div>
      <Button look="secondary" className="shrink-0" disabled={!canFinish} onClick={onFinish}>
        {copy['pack.finish']}
      </Button>
    </div>
  )
}

/** Checks the answer first, and then goes on to the next question or the result. */
function PracticeButtons({
  isChecked,
  canCheck,
  isLast,
  onContinue,
}: {
  isChecked: boolean
  canCheck: boolean
  isLast: boolean
  onContinue: () => void
}) {
  return (
    <div className="mt-6 flex justify-end gap-3 border-t border-line pt-4">
      {isChecked ? (
        <Button key={isLast ? 'finish' : 'next'} autoFocus onClick={onContinue}>
          {copy[isLast ? 'pack.finish' : 'pack.next']}
        </Button>
      ) : (
        <Button key="check" type="submit" disabled={!canCheck}>
          {copy['pack.check']}
        </Button>
      )}
    </div>
  )
}

function Feedback({ question, isCorrect }: { question: Question; isCorrect: boolean }) {
  return (
    <div className="mt-6 border-t border-line pt-5">
      <Verdict isRight={isCorrect} />
      <div className="mt-4">
        <Explanation question={question} level={3} />
      </div>
    </div>
  )
}

type Delivery =
  { readonly kind: 'waiting' | 'sent' | 'signed-out' } | { readonly kind: 'refused'; readonly why: string }

/**
 * Sends the result now and when the network is back; browsers say so a moment too early, so a failure is tried again. A result that
 * stays unsent here is sent by the next page that is online.
 */
function useDelivery({ userId }: OfflineExam, { id }: OfflineAttempt): Delivery {
  const [delivery, setDelivery] = useState<Delivery>({ kind: 'waiting' })
  useEffect(() => {
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const find = async (isSignedOut: boolean) => {
      const left = await findResult(id)
      if (left === null) setDelivery({ kind: 'sent' })
      else if (left.refused !== undefined) setDelivery({ kind: 'refused', why: left.refused })
      else setDelivery({ kind: isSignedOut ? 'signed-out' : 'waiting' })
    }
    const send = async () => {
      try {
        const outcome = await sendResults(userId)
        await find(outcome === 'signed-out')
        failures = outcome === 'no server' ? failures + 1 : 0
      } catch (error) {
        return console.warn('The result could not be sent:', error)
      }
      clearTimeout(timer)
      // Without a network the browser says when it is back.
      if (failures > 0 && navigator.onLine && !isGone)
        timer = setTimeout(() => void send(), waitBeforeRetry(failures, Math.random()))
    }
    void send()
    const handleOnline = () => void send()
    window.addEventListener('online', handleOnline)
    // Another tab may have sent it, or the learner may have signed in there.
    const stopFollowing = onDeviceChange(handleOnline)
    return () => {
      isGone = true
      clearTimeout(timer)
      window.removeEventListener('online', handleOnline)
      stopFollowing()
    }
  }, [userId, id])
  return delivery
}

function deliveryText(delivery: Delivery): string {
  return delivery.kind === 'refused' ? delivery.why : copy[`pack.${delivery.kind}`]
}

function Finished({ offlineExam, attempt }: { offlineExam: OfflineExam; attempt: OfflineAttempt }) {
  const delivery = useDelivery(offlineExam, attempt)
  const right = offlineExam.questions.filter((one) => isRightInReview(one, attempt.answers[one.id] ?? null)).length
  const examPath = paths.exam(offlineExam.courseSlug, offlineExam.examSlug)
  return (
    <>
      <Heading className="text-2xl font-semibold">{offlineExam.examTitle}</Heading>
      <p className="nums mt-4 text-3xl font-semibold">
        {fill(copy['pack.result'], { right, total: offlineExam.questions.length })}
      </p>
      <p role="status" className="mt-3 text-soft">
        {deliveryText(delivery)}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {delivery.kind === 'sent' ? (
          <ButtonLink to={paths.examReview(attempt.id)} reloadDocument>
            {copy['pack.review']}
          </ButtonLink>
        ) : null}
        {delivery.kind === 'signed-out' ? (
          <ButtonLink to={`${paths.login}?redirect=${encodeURIComponent(examPath)}`} reloadDocument>
            {copy['pack.signin']}
          </ButtonLink>
        ) : null}
        <ButtonLink to={examPath} look="secondary" reloadDocument>
          {copy['pack.back']}
        </ButtonLink>
      </div>
    </>
  )
}

function toggled(list: readonly string[], id: string): string[] {
  return list.includes(id) ? list.filter((other) => other !== id) : [...list, id]
}
