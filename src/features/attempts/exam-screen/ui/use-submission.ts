import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import { useMutation } from '../../../../ui/use-mutation.ts'
import type { AnswerSaving } from '../../saving/answer-queue-client.ts'

/** The wait before the next try to submit, when the time is up and the server cannot be reached. */
const SUBMIT_AGAIN_MS = 3000

/** `submit` resolves to whether the server has accepted the submission. Who has left the exam meanwhile stays where they are. */
export function useSubmission(saving: AnswerSaving, onFinished: () => void) {
  const [isSubmitting, setSubmitting] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const isHere = useRef(true)
  useEffect(() => {
    // A reply may come after the page is gone.
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  useForgettingOnline(failure, () => setFailure(null))
  const submit = useCallback(async () => {
    setSubmitting(true)
    try {
      await saving.finish()
      setFailure(null)
      if (isHere.current) onFinished()
      return true
    } catch (error) {
      setFailure(error)
      setSubmitting(false)
      return false
    }
  }, [saving, onFinished])
  return { isSubmitting, problem: failure === null ? null : messageOf(failure), submit }
}

export function useSubmitWhenTimeIsUp(isTimeUp: boolean, submit: () => Promise<boolean>) {
  useEffect(() => {
    // Submit until the server has accepted.
    if (!isTimeUp) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const submitUntilTaken = async () => {
      if (!(await submit()) && !isGone) timer = setTimeout(() => void submitUntilTaken(), SUBMIT_AGAIN_MS)
    }
    void submitUntilTaken()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [isTimeUp, submit])
}

export function useCheck(saving: AnswerSaving) {
  const { isBusy, failure, run, reset } = useMutation((questionId: string) => saving.check(questionId))
  useForgettingOnline(failure, reset)
  return { isRunning: isBusy, problem: failure === null ? null : messageOf(failure), run }
}

/** 'No internet connection' is no longer true when the network is back. */
function useForgettingOnline(failure: unknown, forget: () => void) {
  const isCutOff = failure instanceof CallFailed && failure.status === 0
  const handleOnline = useEffectEvent(forget)
  useEffect(() => {
    if (!isCutOff) return
    const handle = () => handleOnline()
    addEventListener('online', handle)
    return () => removeEventListener('online', handle)
  }, [isCutOff])
}
