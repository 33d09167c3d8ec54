import { data, type ActionFunctionArgs } from 'react-router'
import type { FailureReply } from '../../lib/failure.ts'
import type { CallInput, Calls } from '../api-client.ts'
import { copy } from '../platform.copy.ts'
import { fail } from '../request-failures.ts'
import type { TypedEndpoint } from './endpoint.server.ts'
import { toFailure } from './failure-reply.server.ts'
import { pageUrl } from './page-loader.server.ts'

/** Runs a call of our API, by its method and path. @throws Failure as the call fails */
export type RunCall = (
  method: string,
  path: string,
  input: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown },
) => Promise<unknown>

type Context = ActionFunctionArgs['context']

/** The typed calls of a feature's API for its forms: `const run = callsOf<typeof accountsApi>()`. */
export function callsOf<Api extends (...deps: never[]) => readonly TypedEndpoint[]>() {
  return <
    M extends Calls<Api>['method'],
    Path extends Extract<Calls<Api>, { method: M }>['path'],
    Call extends Extract<Calls<Api>, { method: M; path: Path }>,
  >(
    { runCall }: Context,
    method: M,
    path: Path,
    ...[input]: object extends CallInput<Call> ? [input?: CallInput<Call>] : [input: CallInput<Call>]
  ): Promise<Call['reply']> => runCall(method, path, input ?? {}) as Promise<Call['reply']>
}

/** A form that was posted to a page. */
export type FormArgs = {
  readonly context: Context
  readonly params: Readonly<Record<string, string | undefined>>
  readonly url: URL
  /** The fields of the form; of several with one name the last. */
  readonly form: Readonly<Record<string, string>>
  /** All fields, for a form that has several of one name. */
  readonly fields: URLSearchParams
}

/** Why a form was refused, with the texts that the page shows again. */
export type FormFailure = {
  readonly failure: FailureReply['error']
  readonly typed: Readonly<Record<string, string>>
}

/**
 * Wraps a page's action: what a form posts when no script answers it. The action ends in a redirect, or its result is shown by the
 * page. A failure has the status and the sentences that the same call of the API has. Only the fields of `keeps` are shown again, and
 * the numbered ones of a group: `from` keeps `from.0`.
 */
export function pageAction<Done>(
  keeps: readonly string[],
  handle: (args: FormArgs) => Promise<Done>,
): (args: ActionFunctionArgs) => Promise<Done | ReturnType<typeof data<FormFailure>>> {
  return async ({ context, params, request }) => {
    let form: Readonly<Record<string, string>> = {}
    try {
      const fields = await readForm(request)
      form = Object.fromEntries(fields)
      return await handle({ context, params, url: pageUrl(request), form, fields })
    } catch (error) {
      if (error instanceof Response) throw error
      const { request: asked } = context
      const { code, kind, message, status, fields, facts } = toFailure(error)
      asked.refusal.code = code
      if (status >= 500) asked.log.error({ err: error }, 'a form could not be handled')
      const seconds = facts['retryAfterSeconds']
      if (typeof seconds === 'number') asked.replyHeaders.set('retry-after', String(seconds))
      const typed = {
        ...Object.fromEntries(keeps.map((name) => [name, form[name] ?? ''])),
        ...Object.fromEntries(Object.entries(form).filter(([name]) => keeps.includes(name.replace(/\.\d+$/, '')))),
      }
      return data({ failure: { code, kind, message, fields, facts, requestId: asked.requestId }, typed }, { status })
    }
  }
}

/** @throws Failure request.invalid for anything but a plain form */
async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) throw fail('request.invalid')
  const fields = new URLSearchParams(await request.text())
  if ([...fields.values()].some((value) => value.includes('\0')))
    throw fail('request.invalid', { fields: [{ field: 'body', message: copy['request.nul'] }] })
  return fields
}
