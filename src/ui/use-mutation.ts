import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'

export type Mutation<Args extends readonly unknown[]> = {
  /** Starts the call. While one is under way, another is ignored: a second press or Enter does nothing. */
  readonly run: (...args: Args) => void
  readonly isBusy: boolean
  /** What the last call threw; null while there is none, and from the start of the next call. */
  readonly failure: unknown
  /** Forgets the failure, for example when the form is closed or edited. */
  readonly reset: () => void
  /** For the button that starts it: it says that it is busy and stays focusable, so that the focus is not lost. */
  readonly button: { readonly 'aria-busy': boolean; readonly 'aria-disabled': boolean }
}

type Options<Args extends readonly unknown[], Result> = {
  /** After success, before the page's data is loaded again: close a dialog, show a toast, go somewhere. */
  readonly onSuccess?: (result: Result, ...args: Args) => void | Promise<void>
  /** After a failure, which `failure` holds as well. */
  readonly onFailure?: (error: unknown, ...args: Args) => void
  /** Loads the page's data again after success. */
  readonly revalidates?: boolean
}

/** The one way to submit: busy state, failure and what follows success, for a form or a button. */
export function useMutation<Args extends readonly unknown[], Result>(
  send: (...args: Args) => Promise<Result>,
  { onSuccess, onFailure, revalidates = false }: Options<Args, Result> = {},
): Mutation<Args> {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  // State is updated at the next render only; two presses may come before it.
  const isUnderWay = useRef(false)

  const start = async (...args: Args) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    setFailure(null)
    try {
      const result = await send(...args)
      await onSuccess?.(result, ...args)
      if (revalidates) await revalidate()
    } catch (error) {
      setFailure(error)
      onFailure?.(error, ...args)
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return {
    run: (...args) => void start(...args),
    isBusy,
    failure,
    reset: () => setFailure(null),
    button: { 'aria-busy': isBusy, 'aria-disabled': isBusy },
  }
}
