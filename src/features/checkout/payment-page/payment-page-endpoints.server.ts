import type { LoaderFunctionArgs } from 'react-router'
import { callsOf } from '../../../platform/http/page-action.server.ts'
import { pageUrl } from '../../../platform/http/page-loader.server.ts'
import { toFailure } from '../../../platform/http/failure-reply.server.ts'
import type { checkoutApi } from '../checkout-endpoints.server.ts'
import { paymentNamedBy } from '../orders.ts'
import type { PaymentResult } from '../checkout.schema.ts'

const run = callsOf<typeof checkoutApi>()

/** Wait for the payment gateway before the page is sent without the payment's result. */
const VERIFICATION_MS = 3000

/**
 * The result of the payment, so that the page needs no script to show it. Null for a guest, a payment that cannot be verified, and a
 * gateway that is slow or away: the page then verifies it itself.
 */
export async function paymentLoader({ context, request }: LoaderFunctionArgs): Promise<PaymentResult | null> {
  const payment = paymentNamedBy(pageUrl(request).searchParams)
  if (payment === null || context.request.user === null) return null
  const verified = run(context, 'POST', '/api/functions/verify-payment', { body: payment }).catch((error: unknown) => {
    context.request.log.info({ code: toFailure(error).code }, 'a payment could not be verified for its page')
    return null
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), VERIFICATION_MS)
  })
  return Promise.race([verified, late]).finally(() => clearTimeout(timer))
}
