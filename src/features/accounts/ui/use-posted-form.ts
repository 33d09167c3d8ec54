import { useActionData } from 'react-router'
import type { FormFailure } from '../../../platform/http/page-action.server.ts'
import { CallFailed } from '../../../platform/api-client.ts'

type Posted = FormFailure | { readonly done: string }

/**
 * The result of a form that was posted without a script: the failure as the call would have thrown it, or the sentence of
 * success.
 */
export function usePostedForm(): {
  readonly failure: CallFailed | null
  readonly typed: Readonly<Record<string, string>>
  readonly done: string | null
} {
  const posted = useActionData<Posted>()
  if (posted === undefined) return { failure: null, typed: {}, done: null }
  if ('failure' in posted) return { failure: new CallFailed(400, posted.failure), typed: posted.typed, done: null }
  return { failure: null, typed: {}, done: posted.done }
}
