import type { ContentfulStatusCode } from 'hono/utils/http-status'

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** An error in Stripe's format: `{ error: { type, code, message, param } }`. */
export class GatewayError extends Error {
  readonly status: ContentfulStatusCode
  readonly body: { error: { type: ErrorType; message: string; code?: string; param?: string } }

  constructor(
    status: ContentfulStatusCode,
    type: ErrorType,
    message: string,
    detail: { code?: string; param?: string } = {},
  ) {
    super(message)
    this.status = status
    this.body = { error: { type, message, ...detail } }
  }
}

export function missingResource(kind: string, id: string, param: string): GatewayError {
  return new GatewayError(404, 'invalid_request_error', `No such ${kind}: '${id}'`, { code: 'resource_missing', param })
}
