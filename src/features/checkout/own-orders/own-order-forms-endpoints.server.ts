import { redirect } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import type { checkoutApi } from '../checkout-endpoints.server.ts'

const run = callsOf<typeof checkoutApi>()

/** Pays or drops the order of the page, for buyers without scripts. Their My Courses posts here, too. */
export const orderAction = pageAction([], async ({ context, params, form }) => {
  const path = { params: { orderId: params['orderId'] ?? '' } }
  if (form['do'] === 'drop') {
    await run(context, 'POST', '/api/orders/:orderId/drop', path)
    throw redirect(paths.myCourses, 303)
  }
  const { url } = await run(context, 'POST', '/api/orders/:orderId/pay', path)
  throw redirect(url, 303)
})
