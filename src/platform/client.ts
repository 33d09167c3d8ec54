import type { FailureKind, FailureReply, FieldProblem } from '../lib/failure.ts'
import { copy } from './copy.ts'

/** A call that did not work, in the words a person can read. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly code: string
  readonly kind: FailureKind
  readonly status: number
  readonly fields: readonly FieldProblem[]
  readonly facts: Readonly<Record<string, unknown>>

  constructor(status: number, failure: FailureReply['error']) {
    super(failure.message)
    this.status = status
    this.code = failure.code
    this.kind = failure.kind
    this.fields = failure.fields ?? []
    this.facts = failure.facts ?? {}
  }

  problemOf(field: string): string | undefined {
    return this.fields.find((one) => one.field === field)?.message
  }
}

/**
 * One call of our own API. With a limit it gives up waiting for a reply: only for what may be sent again.
 * @throws CallFailed, with OFFLINE or NETWORK_ERROR when no answer came
 */
export async function call<Reply>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  options: { readonly timeoutMs?: number } = {},
): Promise<Reply> {
  const { timeoutMs } = options
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  } catch {
    const isOffline = navigator.onLine === false
    throw new CallFailed(0, {
      code: isOffline ? 'OFFLINE' : 'NETWORK_ERROR',
      kind: 'network',
      message: isOffline ? copy['net.offline'] : copy['net.error'],
    })
  }
  const value: unknown = await response.json().catch(() => null)
  if (response.ok) return value as Reply
  const failure = (value as FailureReply | null)?.error
  throw new CallFailed(
    response.status,
    failure ?? { code: 'server.broken', kind: 'other', message: copy['server.broken'] },
  )
}

/** What to tell somebody about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof CallFailed ? error.message : copy['server.broken']
}
